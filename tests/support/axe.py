"""axe-core on a page: what it finds to be serious or critical."""

from sitebuild.paths import ROOT

SOURCE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


_PAINTED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".lab { content-visibility: visible !important }");
  document.adoptedStyleSheets = [sheet];
}"""


def serious(page, within: str = "body") -> list[str]:
    """One line a finding: rule, what is wrong, where."""
    page.evaluate(SOURCE)
    page.evaluate(_PAINTED)  # a lab out of sight is not painted, and axe cannot see what lies behind its words
    found = page.evaluate(
        "async (within) => (await axe.run(within, { resultTypes: ['violations'] })).violations", within
    )
    return [
        f"{rule['id']}: {rule['help']} at {node['target']} {node['html'][:120]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]
