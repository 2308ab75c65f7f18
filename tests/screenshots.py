"""Takes the pictures of the README (docs/), and with a folder named, of every language, colour and width to look at.

.venv/bin/python tests/screenshots.py            # docs/attention-zh.png, docs/attention-en.png
.venv/bin/python tests/screenshots.py FOLDER     # the whole page, zh and en, light and dark, 1280 and 360 px wide
"""

import sys
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "py"), str(ROOT / "tests")]

from playwright.sync_api import sync_playwright  # noqa: E402
from support.serving import Servers  # noqa: E402

from sitebuild.browsers import FLAGS, ensure_browser  # noqa: E402
from sitebuild.site import build  # noqa: E402

LOCALES = {"zh": "zh-CN", "en": "en-GB"}


def take(browser, url, path, *, language, theme, width, full):
    context = browser.new_context(
        locale=LOCALES[language], color_scheme=theme, viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    page.goto(url)
    page.evaluate("() => window.seeformer.ready")
    if not full:
        page.locator("[data-lab=attention]").evaluate(
            "lab => scrollTo(0, lab.querySelector('.formula').getBoundingClientRect().top + scrollY)"
        )
        page.locator("canvas[data-heatmap=weights][data-index='2']").hover(position={"x": 67, "y": 67})
    page.wait_for_timeout(200)  # the hover's frame
    page.screenshot(path=path, full_page=full)
    context.close()
    print(path)


def main(folder=None):
    with Servers(build()) as servers, sync_playwright() as playwright:
        url = servers.start()
        browser = playwright.chromium.launch(executable_path=ensure_browser(), args=FLAGS)
        if folder is None:
            for language in LOCALES:
                take(
                    browser,
                    url,
                    ROOT / "docs" / f"attention-{language}.png",
                    language=language,
                    theme="light",
                    width=1280,
                    full=False,
                )
            return
        for language, theme, width in product(LOCALES, ("light", "dark"), (1280, 360)):
            take(
                browser,
                url,
                Path(folder) / f"{language}-{theme}-{width}.png",
                language=language,
                theme=theme,
                width=width,
                full=True,
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
