"""A page of our own server with nothing on it, for tests of single modules of web/core."""

from pathlib import Path

FAKE_ENGINE = (Path(__file__).parent.parent / "browser" / "fake_engine.js").read_text("utf-8")

_STYLES = (
    "style.css",
    "style/controls.css",
    "style/heatmap.css",
    "style/chart.css",
    "style/model.css",
    "style/editor.css",
    "style/cells.css",
)


def blank_page(page, server):
    """Makes it a page with the site's words and styles and an empty element, `root`.

    There, `load("core/x.js")` imports a module of the site.
    """
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    page.goto(server + "web/style.css")
    page.evaluate(
        """async (styles) => {
          const load = window.load = (path) => import(`${location.origin}/web/${path}`);
          document.head.innerHTML = `<meta name="viewport" content="width=device-width">`
            + styles.map((style) => `<link rel="stylesheet" href="/web/${style}">`).join("");
          document.title = "blank";
          document.body.innerHTML = "<main><h1>blank</h1><section id='root'></section></main>";
          window.root = document.getElementById("root");
          const styled = (link) => link.sheet || new Promise((done) => { link.onload = done; });
          await Promise.all([...document.querySelectorAll("link")].map(styled));
          await (await load("core/text.js")).loadText();
        }""",
        list(_STYLES),
    )
    return page


def mount_cells(page, *, boot=True):
    """Mounts code cells on a fake engine, `window.engine`."""
    page.evaluate(f"window.engine = ({FAKE_ENGINE})()")
    page.evaluate("async () => { await (await load('core/cells/cells.js')).mountCells(root, {engine}).ready; }")
    if boot:
        page.evaluate("engine.finishBoot()")
