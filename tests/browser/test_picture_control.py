"""The control that a picture is drawn with: pointer, finger, keys, brush, sizes, files."""

import base64

import pytest
from support.axe import serious
from support.modules import blank_page

from sitebuild.labs import text

SCRIPT = """async () => {
  const { createControls } = await load("core/lab/controls.js");
  const definitions = [{ name: "drawn", kind: "picture", sizes: [4, 8] }];
  const holder = document.createElement("div");
  holder.className = "controls";
  root.append(holder);
  window.params = { drawn: ["0000", "0000", "0000", "0000"] };
  window.controls = createControls(holder, definitions, { lab: "lab", onChange: (patch) => set(patch) });
  window.set = (patch) => controls.set(Object.assign(params, patch));
  set({});
}"""


def with_a_label(route):
    """The site's words and a made-up lab's."""
    words = text(route.request.url.rsplit("/", 1)[1].removesuffix(".json"))
    words["labs"]["lab"] = {"controls": {"drawn": {"label": "drawn"}}}
    route.fulfill(json=words)


def picture_page(page, server):
    page.route("**/web/text/*.json", with_a_label)
    blank_page(page, server).evaluate(SCRIPT)
    return page


@pytest.fixture
def page(open_page, server):
    return picture_page(open_page(lent=True, locale="zh-CN"), server)


def cell(page, row, col):
    return page.locator(f"#lab-drawn [data-row='{row}'][data-col='{col}']")


def drawing(page):
    return page.evaluate("params.drawn")


def middle(page, row, col):
    box = cell(page, row, col).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def shade(page, value):
    page.locator("#lab-drawn-brush").fill(str(value))


def test_a_press_draws_and_takes_away_again(page):
    cell(page, 1, 2).click()
    assert drawing(page) == ["0000", "00f0", "0000", "0000"]
    assert cell(page, 1, 2).get_attribute("aria-label") == "第 2 行第 3 列：1"
    cell(page, 1, 2).click()
    assert drawing(page) == ["0000"] * 4


def test_the_brush_has_sixteen_shades(page):
    cell(page, 0, 0).click()
    shade(page, 7)
    cell(page, 0, 0).click()
    cell(page, 0, 1).click()
    assert drawing(page)[0] == "7700"
    black, grey = (cell(page, 0, at).evaluate("cell => getComputedStyle(cell).backgroundColor") for at in (1, 2))
    assert black != grey


def test_a_drag_draws_all_on_the_way(page):
    page.mouse.move(*middle(page, 0, 0))
    page.mouse.down()
    page.mouse.move(*middle(page, 3, 3))  # one event: a quick hand
    page.mouse.up()
    page.mouse.move(*middle(page, 0, 3))
    assert drawing(page) == ["f000", "0f00", "00f0", "000f"]


def test_keys_walk_draw_and_carry_on(page):
    cell(page, 0, 0).focus()
    for key in ("ArrowRight", "Space", "Shift+ArrowDown", "Shift+ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert drawing(page) == ["0f00", "0f00", "0ff0", "0000"]
    assert page.locator(".picture [role=status]").text_content() == "第 3 行第 3 列：1"


def test_one_tab_stop_in_the_pixels(page):
    cell(page, 1, 1).click()
    assert page.locator("#lab-drawn [tabindex='0']").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "lab-drawn-brush"


def test_clear_and_invert(page):
    cell(page, 0, 0).click()
    page.get_by_role("button", name="反色").click()
    assert drawing(page) == ["0fff", "ffff", "ffff", "ffff"]
    page.get_by_role("button", name="清空").click()
    assert drawing(page) == ["0000"] * 4


def test_another_size_keeps_the_drawing(page):
    for at in (0, 3):
        cell(page, 0, at).click()
    page.get_by_role("button", name="8 × 8").click()
    assert drawing(page) == ["ff0000ff", "ff0000ff", *["00000000"] * 6]
    assert page.locator("[role=gridcell]").count() == 64
    cell(page, 1, 7).click()  # one of the four pixels that become one again
    page.get_by_role("button", name="4 × 4").click()
    assert drawing(page) == ["f00b", "0000", "0000", "0000"]
    assert page.get_by_role("button", name="4 × 4").get_attribute("aria-pressed") == "true"


def test_an_image_becomes_a_drawing_dark_is_ink(page):
    page.locator(".picture input[type=file]").set_input_files(
        {"name": "stripes.png", "mimeType": "image/png", "buffer": png(page)}
    )
    page.wait_for_function("() => params.drawn[0] !== '0000'")
    assert drawing(page) == ["ff00"] * 4


def png(page):
    """An image twice as wide as high, whose middle square is black on the left and white on the right."""
    data = page.evaluate("""async () => {
      const canvas = new OffscreenCanvas(64, 32);
      const context = canvas.getContext("2d");
      context.fillStyle = "#fff";
      context.fillRect(0, 0, 64, 32);
      context.fillStyle = "#000";
      context.fillRect(0, 0, 32, 32);
      const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
      return btoa(String.fromCharCode(...bytes));
    }""")
    return base64.b64decode(data)


def test_an_image_may_be_dropped_or_pasted(page):
    data = base64.b64encode(png(page)).decode()
    for event, holder in (("drop", "dataTransfer"), ("paste", "clipboardData")):
        page.evaluate("set({ drawn: ['0000', '0000', '0000', '0000'] })")
        page.evaluate(
            """([event, holder, data]) => {
              const files = new DataTransfer();
              files.items.add(new File([Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))], "a.png", { type: "image/png" }));
              const Kind = event === "drop" ? DragEvent : ClipboardEvent;
              document.querySelector("#lab-drawn").dispatchEvent(new Kind(event, { bubbles: true, cancelable: true, [holder]: files }));
            }""",
            [event, holder, data],
        )
        page.wait_for_function("() => params.drawn[0] !== '0000'")
        assert drawing(page) == ["ff00"] * 4, event


def test_what_is_no_image_is_said_and_the_drawing_stays(page):
    cell(page, 0, 0).click()
    page.locator(".picture input[type=file]").set_input_files(
        {"name": "notes.png", "mimeType": "image/png", "buffer": b"no image"}
    )
    problem = page.locator(".picture .control-error:not([id])")
    problem.filter(has_text="notes.png").wait_for()
    assert drawing(page) == ["f000", "0000", "0000", "0000"]
    page.locator(".picture input[type=file]").set_input_files(
        {"name": "a.png", "mimeType": "image/png", "buffer": png(page)}
    )
    page.wait_for_function("() => params.drawn[0] === 'ff00'")
    assert problem.text_content() == ""


def test_a_finger_draws_and_the_page_stays(open_page, server):
    page = picture_page(open_page(lent=True, locale="en-GB", width=360, has_touch=True, is_mobile=True), server)
    page.evaluate("document.body.style.height = '3000px'")
    session = page.context.new_cdp_session(page)
    for kind, *points in (
        ("touchStart", middle(page, 0, 1)),
        ("touchMove", middle(page, 1, 1)),
        ("touchMove", middle(page, 2, 1)),
        ("touchEnd",),
    ):
        touches = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    assert drawing(page) == ["0f00", "0f00", "0f00", "0000"]
    assert page.evaluate("scrollY") == 0


def test_what_run_refused_stands_at_the_picture(page):
    assert page.evaluate("controls.setError('drawn=[] is no picture: draw one')")
    assert page.locator("#lab-drawn-error").is_visible()
    assert page.locator("#lab-drawn").get_attribute("aria-invalid") == "true"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(open_page, server, theme):
    page = picture_page(open_page(lent=True, locale="zh-CN", theme=theme), server)
    cell(page, 0, 0).click()
    assert serious(page) == []
