"""Running code cells: on an engine that answers at once, and on the real page."""

from support.cells import add, cell, code, ids, only, states, wait


def test_a_run_shows_its_number_state_and_time(open_cells):
    page = open_cells()
    name = add(page, "print hello", run=True)
    wait(page, name, "done")
    bar = cell(page, name).locator(".cell-bar").inner_text()
    assert "[1]" in bar and "ms" in bar
    add(page, "loop", run=True)
    wait(page, "cell-2", "running")
    assert "[2]" in cell(page, "cell-2").locator(".cell-bar").inner_text()
    cell(page, "cell-2").get_by_text("Running… 1 s").wait_for()
    assert page.locator("[data-kernel=busy]").inner_text().startswith("Running a cell")
    cell(page, "cell-2").get_by_role("button", name="Stop").click()
    wait(page, "cell-2", "stopped")
    assert page.locator("[data-kernel=ready]").inner_text().startswith("Python is ready")


def test_before_python_has_loaded_a_run_waits_says_so_and_can_be_called_back(open_cells):
    page = open_cells(boot=False)
    only(page, "print a", "print b")
    assert page.locator("[data-kernel=loading]").count() == 1
    for name in ids(page):
        cell(page, name).get_by_role("button", name="Run").click()
    assert states(page) == ["queued", "queued"]
    assert cell(page, "cell-1").get_by_text("Runs as soon as Python has loaded").is_visible()
    cell(page, "cell-1").get_by_role("button", name="Cancel").click()
    assert states(page) == ["idle", "queued"]
    page.evaluate("engine.finishBoot()")
    wait(page, "cell-2", "done")
    assert page.evaluate("engine.did") == ["print b"]


def test_run_all_goes_in_order_and_ends_at_the_first_error(open_cells):
    page = open_cells()
    only(page, "print a", "print b", "fail", "print d")
    page.get_by_role("button", name="Run all").click()
    wait(page, "cell-3", "error")
    wait(page, "cell-4", "idle")
    assert states(page) == ["done", "done", "error", "idle"]
    assert page.evaluate("engine.did") == ["print a", "print b", "fail"]


def test_stop_above_the_cells_ends_the_running_one_and_calls_back_the_others(open_cells):
    page = open_cells()
    only(page, "loop", "print b")
    page.get_by_role("button", name="Run all").click()
    wait(page, "cell-1", "running")
    assert states(page) == ["running", "queued"]
    assert cell(page, "cell-2").get_by_text("Queued: something else is running").is_visible()
    page.locator(".kernel").get_by_role("button", name="Stop").click()
    wait(page, "cell-1", "stopped")
    assert states(page) == ["stopped", "idle"]
    assert page.evaluate("engine.did") == ["loop"]


def test_shift_enter_goes_on_to_the_next_cell_and_makes_one_at_the_end(open_cells):
    page = open_cells()
    only(page, "print a", "print b")
    cell(page, "cell-1").locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    assert page.evaluate("document.activeElement.closest('[data-cell]').dataset.cell") == "cell-2"
    page.keyboard.press("Shift+Enter")
    assert page.evaluate("document.activeElement.closest('[data-cell]').dataset.cell") == "cell-3"
    wait(page, "cell-2", "done")


def test_an_error_shows_the_traceback_and_marks_the_line(open_cells):
    page = open_cells()
    name = add(page, "fail\nhere")
    page.keyboard.press("Control+Enter")
    wait(page, name, "error")
    assert "ZeroDivisionError" in cell(page, name).locator("[data-output=error]").inner_text()
    assert cell(page, name).locator(".editor-error").text_content() == "here"
    cell(page, name).get_by_role("button", name="Go to line 2").click()
    page.keyboard.insert_text("x")
    assert code(page, name) == "fail\nxhere"
    cell(page, name).get_by_label("Clear output").click()
    assert cell(page, name).locator("[data-output]").count() == 0
    assert states(page)[-1] == "idle"


def test_forgetting_variables_asks_first_and_then_says_so(open_cells):
    page = open_cells()
    name = add(page, "print a", run=True)
    wait(page, name, "done")
    page.get_by_role("button", name="Forget variables").click()
    page.keyboard.press("Escape")
    assert page.get_by_text("cannot be brought back").count() == 0
    page.get_by_role("button", name="Forget variables").click()
    page.keyboard.press("Enter")
    page.get_by_text("All variables are gone.").wait_for()
    assert cell(page, name).locator(".cell-count").text_content() == "[ ]"
    assert cell(page, name).locator("[data-output=text]").text_content() == "a\n"


def test_after_a_restart_the_reader_is_told_that_variables_are_gone(open_cells):
    page = open_cells()
    page.evaluate("engine.emit('restart')")
    assert page.get_by_text("Python was restarted, and the variables are gone.").is_visible()
    assert page.locator("[data-kernel=loading]").count() == 1


# ---- the real page ----


def test_the_opening_cells_do_what_they_say(live_cells):
    page = live_cells()
    page.get_by_role("button", name="全部运行").click()
    wait(page, "mask", "done")
    assert states(page) == ["done", "done", "done"]
    prints = [cell(page, name).locator("[data-output=text]").inner_text() for name in ids(page)]
    assert "(10, 64)" in prints[0] and prints[0].count("True") == 2
    assert "(50, 64)" in prints[1] and "True" in prints[1]
    assert prints[2].split("softmax")[0].count("-inf") == 10
    pictures = page.locator("[data-cell] canvas[data-heatmap]")
    labels = [picture.get_attribute("aria-label") for picture in pictures.all()]
    assert len(labels) == 3 and "10" in labels[0] and "50" in labels[1] and "64" in labels[1]


def test_stop_ends_an_endless_loop_and_variables_live_on(live_cells):
    page = live_cells(locale="en-GB")
    add(page, "kept = 41", run=True)
    wait(page, "cell-1", "done")
    add(page, "while True:\n    pass", run=True)
    wait(page, "cell-2", "running")
    cell(page, "cell-2").get_by_role("button", name="Stop").click()
    wait(page, "cell-2", "stopped")
    add(page, "import asyncio\nprint(kept + 1)\nawait asyncio.sleep(0)\nkept", run=True)
    wait(page, "cell-3", "done")
    assert cell(page, "cell-3").locator("[data-output=text]").text_content() == "42\n"
    assert cell(page, "cell-3").locator("[data-output=repr]").text_content() == "41"
    page.get_by_role("button", name="Forget variables").click()
    page.keyboard.press("Enter")
    add(page, "kept", run=True)
    wait(page, "cell-4", "error")
    assert "NameError: name 'kept' is not defined" in cell(page, "cell-4").locator("[data-output=error]").inner_text()
    assert cell(page, "cell-4").locator(".editor-error").text_content() == "kept"


def test_text_streams_while_the_cell_runs(live_cells):
    page = live_cells()
    add(page, "import asyncio\nprint('first')\nawait asyncio.sleep(600)", run=True)
    cell(page, "cell-1").locator("[data-output=text]").get_by_text("first").wait_for()
    assert cell(page, "cell-1").get_attribute("data-state") == "running"
    cell(page, "cell-1").get_by_role("button", name="停止").click()
    wait(page, "cell-1", "stopped")
