"""Stop ends what runs, and nothing else: isolated here; test_plain_server.py has the other way."""

import pytest
from support.python_cells import run

# Runs a cell and presses Stop as soon as it is on; `after` is how long Stop took.
STOPPED = """
async (code) => {
  const running = seeformer.run(code);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const pressed = performance.now();
  await seeformer.stop();
  const { stdout, error, result } = await running;
  return { stdout, error, result, after: performance.now() - pressed };
}
"""


@pytest.mark.parametrize(
    "code",
    [
        "print('begun')\nwhile True: pass",
        "print('begun')\nimport asyncio\nawait asyncio.sleep(600)",
        "print('begun')\nimport asyncio\nwhile True: await asyncio.sleep(0)",
        "print('begun')\nimport time\ntime.sleep(600)",
        "print('begun')\nimport asyncio\nasync def main(): await asyncio.sleep(600)\nasyncio.run(main())",
        "print('begun')\nimport asyncio\nasync def spin():\n    while True: pass\nawait asyncio.gather(spin(), spin())",
        "print('begun')\nimport numpy as np\na = np.ones((200, 200))\nwhile True: a @ a",
    ],
    ids=["loop", "await", "await-loop", "sleep", "asyncio.run", "gather", "numpy"],
)
def test_stop_keeps_output_and_variables(ready_page, code):
    run(ready_page, "kept = 42")
    answer = ready_page.evaluate(STOPPED, code)
    assert answer["stdout"].startswith("begun\n") and answer["result"] is None
    assert answer["error"] == {"type": "Stopped", "message": "stopped before it had ended", "traceback": ""}
    assert answer["after"] < 4000, "an interrupt, not the restart that comes after 5 seconds"
    assert run(ready_page, "kept")["result"] == "42"


def test_finally_runs_and_what_it_prints_is_shown(ready_page):
    assert (
        ready_page.evaluate(STOPPED, "try:\n    while True: pass\nfinally: print('put away')")["stdout"] == "put away\n"
    )


def test_only_the_running_cell_is_stopped(ready_page):
    results = ready_page.evaluate(
        """async () => {
          const cells = ["while True: pass", "'second'", "'third'"].map((code) => seeformer.run(code));
          await new Promise((resolve) => setTimeout(resolve, 100));
          await seeformer.stop();
          return (await Promise.all(cells)).map(({ result, error }) => result ?? error.type);
        }"""
    )
    assert results == ["Stopped", "'second'", "'third'"]


def test_a_stop_that_comes_too_late_hurts_nobody(ready_page):
    """At every distance from the end of a short cell; whatever it ends, the next cell and the next call are whole."""
    ended = ready_page.evaluate(
        """async () => {
          const ended = { Stopped: 0, done: 0 };
          for (let i = 0; i < 60; i += 1) {
            const short = seeformer.run("x = sum(range(20000))\\nx");
            const pause = performance.now() + (i % 20) / 4;
            while (performance.now() < pause) await new Promise((resolve) => setTimeout(resolve));
            const stop = seeformer.stop();
            const { error } = await short;
            ended[error?.type ?? "done"] += 1;
            const next = await seeformer.run("total = 0\\nfor i in range(3000): total += i\\ntotal");
            if (next.result !== "4498500") throw new Error(`the next cell: ${JSON.stringify(next)}`);
            const { n } = await seeformer.call("attention", { d_model: 8, num_heads: 2, tokens: ["a", "b"] });
            if (n !== 2) throw new Error("the next call");
            await stop;
          }
          return ended;
        }"""
    )
    assert ended["Stopped"] + ended["done"] == 60


def test_a_stop_after_the_last_line_does_not_hit_the_next_job(ready_page):
    """Python has ended, but the page is too busy to have heard of it when Stop is pressed."""
    answer = ready_page.evaluate(
        """async () => {
          const lab = "def run():\\n    yield {'x': 1}";
          let stop;
          const onUpdate = () => {
            const heard = performance.now();
            while (performance.now() - heard < 50);
            stop = seeformer.stop();
          };
          const ended = await seeformer.call("attention", {}, { onUpdate, edits: { "seeformer.labs.attention": lab } });
          const next = await seeformer.run("total = 0\\nfor i in range(3000): total += i\\ntotal");
          await stop;
          return [ended.x, next.result];
        }"""
    )
    assert answer == [1, "4498500"]


def test_a_lab_in_an_endless_loop_can_be_stopped(ready_page):
    answer = ready_page.evaluate(
        """async () => {
          const edits = { "seeformer.labs.attention": "def run():\\n    while True: pass" };
          const call = seeformer.call("attention", {}, { edits }).catch((error) => error.type);
          await new Promise((resolve) => setTimeout(resolve, 100));
          await seeformer.stop();
          const { n } = await seeformer.call("attention", { tokens: ["a", "b"] });
          return [await call, n];
        }"""
    )
    assert answer == ["Stopped", 2]


def test_reset_stops_a_cell_and_forgets(ready_page):
    answer = ready_page.evaluate(
        """async () => {
          const cells = [seeformer.run("kept = 1\\nwhile True: pass"), seeformer.run("kept")];
          await new Promise((resolve) => setTimeout(resolve, 100));
          await seeformer.reset();
          return (await Promise.all(cells)).map(({ error }) => error.type);
        }"""
    )
    assert answer == ["Stopped", "NameError"]


@pytest.mark.allow_errors  # an exit inside WebAssembly is an uncaught error of the worker
def test_a_cell_that_will_not_stop_and_one_that_ends_python(page, server):
    """Then the worker goes; the page says so, and who waited is served by the next one."""
    page.goto(server)
    page.evaluate("() => seeformer.ready")
    stubborn = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    answers = page.evaluate(
        """async (stubborn) => {
          await seeformer.run("kept = 1");
          const cells = [seeformer.run(stubborn), seeformer.run("'kept' in globals()"), seeformer.run("import os; os._exit(3)"), seeformer.run("'alive'")];
          await new Promise((resolve) => setTimeout(resolve, 100));
          await seeformer.stop();
          return (await Promise.all(cells)).map(({ result, error }) => result ?? error.type);
        }""",
        stubborn,
    )
    assert answers == ["Stopped", "False", "PythonEnded", "'alive'"]
