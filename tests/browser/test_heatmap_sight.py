"""A picture out of sight waits: a slider pays for what its reader sees."""

import pytest
from support.heatmaps import heatmap_page

LABELS = {"rows": ["a", "b"], "cols": ["x", "y", "z"]}

# corner(): what the top left pixel of the picture is. turns: the idle turns that were asked for, none of which comes by itself.
_FAR = """async () => {
  root.style.marginTop = "4000px";
  await new Promise((rest) => setTimeout(rest, 800)); // what was asked for before has had its turn
  window.turns = [];
  window.requestIdleCallback = (turn) => turns.push(turn);
  window.corner = () => pixel(0, 2, 2).join();
  window.labels = maps[0].picture().grid;
}"""


@pytest.fixture
def far(open_page, server):
    page = heatmap_page(open_page(lent=True), server)
    page.evaluate(
        "(labels) => show({ name: 'weights', kind: 'weights' }, [[0, 0, 0.7], [0.2, 0.6, 0.2]], labels)", LABELS
    )
    page.evaluate(_FAR)
    return page


def test_out_of_sight_it_is_painted_when_the_page_is_idle(far):
    before, waiting, idle, after = far.evaluate("""async () => {
      const before = corner();
      maps[0].update(grid([[1, 0, 0], [0, 0, 0]], { rows: labels.rows, cols: labels.cols }));
      await frame();
      const waiting = corner();
      const idle = turns.length;
      turns.forEach((turn) => turn({ timeRemaining: () => 50 }));
      return [before, waiting, idle, corner()];
    }""")
    assert before == waiting != after
    assert idle == 1


def test_it_is_painted_when_it_comes_into_sight(far):
    far.evaluate("""async () => {
      maps[0].update(grid([[1, 0, 0], [0, 0, 0]], { rows: labels.rows, cols: labels.cols }));
      await frame();
      window.waiting = corner();
      maps[0].element.scrollIntoView();
    }""")
    far.wait_for_function("() => corner() !== waiting")  # no idle turn comes here


def test_another_size_does_not_wait(far):
    heights = far.evaluate("""async () => {
      const height = () => maps[0].element.querySelector("[data-heatmap]").height;
      const before = height();
      maps[0].update(grid([[1, 0, 0]], { rows: ["a"], cols: labels.cols }));
      await frame();
      return [before, height()];
    }""")
    assert heights[1] < heights[0]
