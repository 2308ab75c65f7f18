"""The source article's three blocks, pasted unchanged with the blog's line numbers, run and print what it says."""

import re
from pathlib import Path

import pytest
from support.clipboard import CLIPBOARD, paste

BLOCKS = Path(__file__).parent / "article"


@pytest.fixture
def run_pasted(open_page):
    page = open_page(path="", permissions=CLIPBOARD)
    page.evaluate("() => seeformer.ready")

    def run_pasted(block: str) -> str:
        raw = (BLOCKS / block).read_text("utf-8")
        assert raw.startswith("1\nimport micropip\n2\n")
        page.click("[data-action=add]")
        cell = page.locator("[data-cell]").last
        paste(page, raw)
        page.keyboard.press("Control+Enter")
        name = cell.get_attribute("data-cell")
        page.wait_for_selector(f"[data-cell={name}]:is([data-state=done], [data-state=error])")
        assert cell.get_attribute("data-state") == "done", cell.inner_text()
        return cell.locator("[data-output=text]").text_content()

    return run_pasted


def test_the_blocks_print_what_the_article_says(run_pasted):
    assert run_pasted("1-attention.txt") == "输出形状: (10, 64)\n"
    assert run_pasted("2-positional.txt") == "位置编码形状: (50, 64)\n"
    title, *rows = run_pasted("3-mask.txt").rstrip().split("\n")
    assert title == "掩码后得分矩阵:"
    table = [re.findall(r"-inf|-?\d+\.\d*", row) for row in rows]
    assert [len(row) for row in table] == [5] * 5
    assert [[value == "-inf" for value in row] for row in table] == [[j > i for j in range(5)] for i in range(5)]
