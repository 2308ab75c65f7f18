"""The READMEs show what docs/bench-results.json says, and no other numbers."""

import json

import pytest
from bench import report
from bench.chart import chart

RESULTS = json.loads(report.PUBLISHED.read_text("utf-8"))


@pytest.mark.parametrize("language", report.READMES)
def test_the_tables(language):
    readme = report.READMES[language].read_text("utf-8")
    assert report.with_block(readme, report.block(RESULTS, language)) == readme, "run: python build.py bench --readme"


def test_the_chart():
    """It is that of the results, or is not there where they have none."""
    drawn = report.CHART.read_text("utf-8") if report.CHART.exists() else None
    assert drawn == (chart(RESULTS["growth"]) if "growth" in RESULTS else None)
