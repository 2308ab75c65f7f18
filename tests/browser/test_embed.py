"""One lab in a frame of a page on another site, as a blog or a note would have it: served without any of our headers."""

import html
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from support.axe import serious
from support.clipboard import CLIPBOARD
from support.labs import face, settled
from support.watch import Watch

from sitebuild.labs import labs, text

WORDS = {language: text(language) for language in ("zh", "en")}

# A host that keeps every word the frame says, and makes the frame as high as it asks to be.
HOST = """<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>host</title><style>body { margin: 0; background: light-dark(#fff, #111); color: light-dark(#111, #eee) }</style>
<main><h1>A note</h1><script>
  window.told = [];
  addEventListener("message", ({ data, origin, source }) => {
    const frame = document.querySelector("iframe");
    if (source !== frame.contentWindow) return;
    told.push({ data, origin });
    frame.height = data.height;
  });
</script>{frame}</main></html>"""
FRAME = '<iframe src="{src}" width="100%" height="300" style="border:0;display:block" title="lab" {more}></iframe>'


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def blog(tmp_path_factory):
    """(folder, URL): another site, not only another port."""
    folder = tmp_path_factory.mktemp("blog")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield folder, f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def embed(browser, blog, server, request):
    """embed(address, …) -> (host page, frame); `asked` takes every address that is fetched. Complaints fail the test, and so does a request to anyone but blog and server."""
    folder, url = blog
    lenient = request.node.get_closest_marker("allow_errors") is not None
    opened = []

    def embed(
        address="?embed=1#attention",
        *,
        locale="zh-CN",
        theme="light",
        width=600,
        more="",
        frame=None,
        script=None,
        asked=None,
    ):
        context = browser.new_context(locale=locale, color_scheme=theme, viewport={"width": width, "height": 700})
        if script:
            context.add_init_script(script)
        if asked is not None:
            context.on("request", lambda request: asked.append(request.url.removeprefix(server)))
        page = context.new_page()
        opened.append((context, Watch(page, server)))
        page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
        frame = frame or FRAME.format(src=html.escape(server + address), more=more)
        (folder / "note.html").write_text(HOST.replace("{frame}", frame), "utf-8")
        page.goto(url + "note.html")
        return page, page.frames[1]

    yield embed
    complaints = []
    for context, watch in opened:
        complaints += [one for one in watch.complaints(lenient=lenient) if f"request: {url}" not in one]
        context.close()
    assert not complaints, "\n".join(complaints)


def live(frame):
    frame.locator("[data-lab]").wait_for()  # a lazy frame has nothing in it at first
    frame.evaluate("() => seeformer.ready")
    return frame


def fits(page, frame):
    """Waits until the frame is as high as its contents: nothing scrolls in it, and nothing is left over."""
    page.wait_for_function(
        "() => told.length && document.querySelector('iframe').clientHeight === told.at(-1).data.height"
    )
    frame.wait_for_function(
        """() => document.documentElement.scrollHeight <= innerHeight && Math.abs(document.body.getBoundingClientRect().height - innerHeight) < 1"""
    )
    return page.evaluate("told.at(-1).data.height")


@pytest.mark.parametrize(("locale", "theme", "width"), [("zh-CN", "light", 600), ("en-GB", "dark", 360)])
def test_the_lab_and_nothing_else(embed, server, locale, theme, width):
    asked = []
    page, frame = embed(locale=locale, theme=theme, width=width, asked=asked)
    live(frame)
    lab = frame.locator("[data-lab]")
    assert lab.count() == 1 and lab.get_attribute("data-source") == "live" and settled(frame) == "ready"
    assert frame.locator("#rail, #cells, [data-cell], h1").count() == 0
    assert frame.evaluate("document.documentElement.scrollWidth") <= width

    fits(page, frame)
    told = page.evaluate("told")
    assert {one["origin"] for one in told} == {server.rstrip("/")}
    assert all(one["data"].keys() == {"type", "lab", "height"} for one in told)
    assert {(one["data"]["type"], one["data"]["lab"]) for one in told} == {("seeformer:height", "attention")}

    assert serious(frame) == []
    light = "() => getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every((part) => part > 200)"
    assert frame.evaluate(light) == (theme == "light")

    others = [other for other in labs() if other != "attention"]
    unwanted = [f"{folder}/{other}{end}" for folder, end in (("page", "-"), ("data", ".")) for other in others]
    unwanted += ["page/cells-", "web/cells/", "page/rail-"]
    assert any(url.startswith("page/attention-") for url in asked)
    assert [url for url in asked if url.startswith(tuple(unwanted))] == []


def test_the_height_follows_what_is_shown(embed):
    page, frame = embed()
    live(frame)
    before = fits(page, frame)
    face(frame, "code")
    frame.wait_for_function("(before) => document.body.clientHeight !== before", arg=before)
    assert fits(page, frame) != before
    face(frame, "see")
    assert fits(page, frame) == before  # it shrinks too
    page.set_viewport_size({"width": 360, "height": 700})
    frame.wait_for_function("(before) => document.body.clientHeight !== before", arg=before)
    fits(page, frame)


REFUSE = """for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
  Object.defineProperty(globalThis, name, { get() { throw new DOMException("refused", "SecurityError"); } });
}
navigator.storage.getDirectory = () => Promise.reject(new DOMException("refused", "SecurityError"));"""


def test_it_lives_without_storage_and_without_isolation(embed):
    page, frame = embed("?embed=1#attention?num_heads=2&v=1", script=REFUSE)
    live(frame)
    assert frame.evaluate("crossOriginIsolated") is False
    assert frame.evaluate("() => { try { localStorage; } catch (error) { return error.name; } }") == "SecurityError"
    assert frame.locator("#attention-num_heads").input_value() == "2"
    frame.locator("#attention-causal").check()
    assert settled(frame) == "ready"
    from_image = "seeformer.run(`import sys; 'csv' in sys.modules`).then(({ result }) => result)"
    assert frame.evaluate(from_image) == "True", "Python started without the memory image"
    frame.evaluate("() => { window.endless = seeformer.run('while True: pass'); }")
    frame.evaluate("() => seeformer.stop()")
    assert frame.evaluate("endless.then(({ error }) => error.type)") == "Stopped"
    assert frame.evaluate(from_image) == "True"


@pytest.mark.allow_errors  # the browser says on the console what it refuses
def test_in_a_sandbox_the_stored_pictures_stay_and_it_says_what_fails(embed):
    page, frame = embed(more='sandbox="allow-scripts"')
    frame.locator("canvas[data-heatmap=weights]").first.wait_for()
    frame.locator(".boot-failure").wait_for()
    assert frame.locator(".boot-failure code").text_content()
    frame.locator("[data-lab=attention][data-state=error]").wait_for()
    frame.locator(
        "#attention-causal"
    ).check()  # nor does the address bar, which may not be written there, break anything
    page.wait_for_timeout(400)
    fits(page, frame)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_lab_that_is_not_there(embed, language):
    page, frame = embed("?embed=1#attentoin?seed=1&v=1", locale={"zh": "zh-CN", "en": "en-GB"}[language])
    said = frame.get_by_role("alert").filter(has_text="attentoin").text_content()
    assert WORDS[language]["page"]["embed"]["unknown"].replace("{lab}", "attentoin") in said
    fits(page, frame)
    assert serious(frame) == []
    assert (
        frame.evaluate("seeformer.ready.catch(({ message }) => message)")
        == "there is no lab attentoin: the address names it"
    )
    frame.get_by_role("link", name=WORDS[language]["labs"]["mask"]["nav"]).click()
    frame.locator("[data-lab=mask] canvas[data-heatmap=weights]").first.wait_for()


def test_without_a_lab_it_is_the_first(embed):
    _, frame = embed("?embed=1")
    frame.locator("[data-lab]").wait_for()
    assert frame.locator("[data-lab]").get_attribute("data-lab") == "attention"


def test_the_link_opens_the_page_with_the_same_parameters(embed, server):
    page, frame = embed("?embed=1#mask?seed=3&v=1")
    live(frame)
    link = frame.get_by_role("link", name=WORDS["zh"]["page"]["embed"]["open"])
    assert link.get_attribute("href") == f"{server}#mask?seed=3&v=1"
    frame.locator("#mask-seed").fill("4")
    assert settled(frame, "mask") == "ready"
    with page.context.expect_page() as opened:
        link.click()
    opened.value.locator("#mask-seed").wait_for()
    assert opened.value.url == f"{server}#mask?seed=4&v=1"
    assert opened.value.locator("#mask-seed").input_value() == "4"


def test_the_host_changes_the_address(embed, server):
    page, frame = embed("?embed=1#mask?seed=3&v=1")
    live(frame)
    point = "(src) => { document.querySelector('iframe').src = src; }"
    page.evaluate(point, f"{server}?embed=1#mask?seed=5&v=1")
    frame.wait_for_function("() => document.querySelector('#mask-seed').value === '5'")
    page.evaluate(point, f"{server}?embed=1#norm")
    frame.locator("[data-lab=norm]").wait_for()
    assert frame.locator("[data-lab]").count() == 1


def test_what_copy_embed_gives_works_in_a_host(embed, open_page, server):
    tokens = ["a<b", 'say "hi"', "x&y", "猫's", "100%"]
    page = open_page(path="#attention", permissions=CLIPBOARD)
    page.locator("[data-lab=attention]").wait_for()
    address = page.evaluate(
        """async (tokens) => (await import("./web/core/lab/address.js")).toHash("attention", { tokens, causal: true }, { tokens: [], causal: false })""",
        tokens,
    )
    page.evaluate("(address) => { location.hash = address; }", address)
    page.wait_for_function("() => document.querySelector('#attention-causal').checked")
    face(page, "note")
    page.locator("[data-lab=attention] [data-action=embed]").click()
    page.locator("[data-lab=attention] .note-actions .status", has_text="已复制").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert (
        copied.startswith(f'<iframe src="{server}?embed=1#attention?') and copied.count("<") == 2 and "\n" not in copied
    )
    assert (
        'width="100%"' in copied
        and 'style="border:0" loading="lazy"' in copied
        and WORDS["zh"]["labs"]["attention"]["title"] in copied
    )

    host, frame = embed(frame=copied)
    live(frame)
    assert frame.locator("#attention-causal").is_checked()
    assert frame.evaluate("location.hash") == address
    assert frame.locator("[data-lab=attention]").get_attribute("data-state") == "ready"
    fits(host, frame)
