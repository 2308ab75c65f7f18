"""Where everything is measured: the built site on our own server, a Chromium, and a page for each who is measured."""

from contextlib import contextmanager
from pathlib import Path

from sitebuild.paths import WORK

HERE = Path(__file__).parent
PEERS = WORK / "peers"
DATA = WORK / "bench-data"  # arrays and ONNX files that pages fetch


class Stage:
    def __init__(self, playwright, browser, serve):
        self.playwright, self.browser, self.serve = playwright, browser, serve
        self.server = serve({"bench/": HERE, "peers/": PEERS / "node_modules", "bench-data/": DATA})

    def page(self, browser=None):
        """In a context, so in a process of its own. Peers may do what our policy forbids."""
        page = (browser or self.browser).new_context(bypass_csp=True).new_page()
        page.set_default_timeout(0)
        return page

    def pyodide(self):
        from support.generations import Pyodide

        from sitebuild.generations import PAGE
        from sitebuild.wheel import wheel_name

        pyodide = Pyodide(self.page(), self.server, PAGE.version)
        pyodide.install(f"wheels/{wheel_name()}")
        return pyodide

    def peer(self, module: str, *start, browser=None) -> "Peer":
        page = self.page(browser)
        page.goto(self.server + "web/style.css")  # a page of this origin with nothing on it
        return Peer(page, module, *start)

    def webgpu(self):
        """A second browser that may use the graphics chip, and what it has: (browser, "" or why not)."""
        from sitebuild.browsers import FLAGS, ensure_browser

        flags = [flag for flag in FLAGS if flag != "--disable-gpu"]
        flags += ["--enable-unsafe-webgpu", "--enable-features=Vulkan"]  # Linux has it behind these
        browser = self.playwright.chromium.launch(executable_path=ensure_browser(), args=flags)
        page = self.page(browser)
        page.goto(self.server + "web/style.css")
        reason = page.evaluate(
            """async () => {
              if (!navigator.gpu) return "the browser has no WebGPU";
              const adapter = await navigator.gpu.requestAdapter().catch(() => null);
              if (!adapter) return "no graphics chip";
              return (adapter.info?.isFallbackAdapter ?? adapter.isFallbackAdapter) ? "only drawn in software" : "";
            }"""
        )
        page.context.close()
        return browser, reason


class Peer:
    """peers/<module>.js in its page; started with what start() takes there, which tells whether it has its threads."""

    def __init__(self, page, module: str, *start):
        self.page, self.module = page, f"/bench/peers/{module}.js"
        self.has_threads = self.ask("start", *start)

    def ask(self, function: str, *arguments):
        call = "async ([module, name, given]) => (await import(module))[name](...given)"
        return self.page.evaluate(call, [self.module, function, list(arguments)])


@contextmanager
def stage():
    from playwright.sync_api import sync_playwright
    from support.generations import mounts
    from support.serving import Servers

    from sitebuild.browsers import FLAGS, ensure_browser
    from sitebuild.generations import PAGE
    from sitebuild.paths import SITE

    DATA.mkdir(parents=True, exist_ok=True)
    with Servers(SITE) as servers, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure_browser(), args=FLAGS)
        yield Stage(playwright, browser, lambda folders: servers.start(mounts={**folders, **mounts([PAGE])}))
        browser.close()
