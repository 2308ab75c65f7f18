"""The speed lab as a reader meets it: nothing is measured before Run, then bars grow; pictures of a step; the C source."""

import numpy as np
import pytest
from support.axe import serious
from support.labs import call, face, numbers, pixels, restore_defaults, root, set_field, set_language, settled

from sitebuild.labs import text
from sitebuild.paths import PY

LAB = "speed"


@pytest.fixture
def lab(booted):
    restore_defaults(booted, LAB)
    return booted


def see(page):
    return root(page, LAB)


def press_run(page):
    see(page).locator(".actions .button.main").click()
    return settled(page, LAB)


def bars(page):
    page.wait_for_timeout(300)  # the chart is drawn in a later frame
    return see(page).locator("[data-chart=speeds] [data-mark=bar] rect").count()


def status(page):
    return page.evaluate("async () => (await seeformer.run('import seeformer.fast; seeformer.fast.status()')).result")


def test_nothing_is_measured_before_run_is_pressed(lab):
    assert bars(lab) == 0
    assert "运行" in see(lab).locator(".measured").text_content()
    assert "运行" in see(lab).locator("[data-chart=speeds] [data-mark=text]").last.text_content()
    set_field(lab, "N", 32, LAB)
    assert bars(lab) == 0


def test_run_shows_three_bars_of_this_machine_and_a_slider_empties_them(lab):
    set_field(lab, "N", 128, LAB)
    before = status(lab)
    assert press_run(lab) == "ready"
    assert bars(lab) == 3
    times, percent = numbers(see(lab).locator(".measured .told").first.text_content())
    assert times > 2 and 5 < percent < 150
    assert status(lab) == before
    set_field(lab, "N", 64, LAB)
    assert bars(lab) == 0


def test_bars_grow_while_it_measures(lab):
    told = lab.evaluate(
        """async () => {
             const turns = [];
             const last = await seeformer.call("speed", { N: 64, measure: true }, { onUpdate: ({ turn }) => turns.push(turn) });
             return { turns, gflops: Array.from(last.gflops.data) };
           }"""
    )
    assert told["turns"] == list(range(1, len(told["turns"]) + 1)) and len(told["turns"]) >= 3
    stock, fast, limit = told["gflops"]
    assert 0 < stock < fast and limit > 0


def test_an_address_does_not_measure(open_page):
    page = open_page(path="?embed=1#speed?N=32&measure=true&v=1")
    page.evaluate("() => seeformer.ready")
    assert settled(page, LAB) == "ready"
    assert page.locator("#speed-N").input_value() == "32"
    assert bars(page) == 0


def test_a_large_product_is_over_soon_and_the_rows_are_told(lab):
    set_field(lab, "N", 1024, LAB)
    assert press_run(lab) == "ready"
    told = see(lab).locator(".measured .told").last.text_content()
    rows = [number for number in numbers(told) if number not in (1024,)]
    assert len(rows) == 1 and 1 <= rows[0] < 1024


def test_stop_ends_a_measurement_and_the_loops_are_as_they_were(lab):
    set_field(lab, "N", 1024, LAB)
    before = status(lab)
    lab.evaluate(
        """() => new Promise((pressed) => {
             const [run, stop] = document.querySelectorAll("[data-lab=speed] .actions button");
             const watch = new MutationObserver(() => {
               if (stop.hidden) return;
               watch.disconnect();
               pressed(stop.click());
             });
             watch.observe(stop, { attributeFilter: ["hidden"] });
             run.click();
           })"""
    )
    assert settled(lab, LAB) == "error"
    assert status(lab) == before
    restore_defaults(lab, LAB)


def test_measures_the_fast_loops_though_they_are_off(lab):
    lab.evaluate("() => seeformer.run('import seeformer.fast; seeformer.fast.disable()')")
    try:
        assert press_run(lab) == "ready"
        assert bars(lab) == 3
        assert "'enabled': False" in status(lab)
    finally:
        lab.evaluate("() => seeformer.run('import seeformer.fast; seeformer.fast.enable()')")


@pytest.mark.parametrize(("name", "value"), [("tile", 2), ("step", 20), ("N", 16), ("dtype", "float64")])
def test_a_control_changes_the_pictures(lab, name, value):
    before = [pixels(lab, picture, lab=LAB) for picture in ("A_touched", "B_touched", "C", "before")]
    assert set_field(lab, name, value, LAB) == "ready"
    assert [pixels(lab, picture, lab=LAB) for picture in ("A_touched", "B_touched", "C", "before")] != before


def test_the_slider_of_n_steps_through_powers_of_two(lab):
    slider = see(lab).locator("[data-control=N] input[type=range]")
    slider.focus()
    lab.keyboard.press("ArrowRight")
    assert lab.locator("#speed-N").input_value() == "512"
    lab.keyboard.press("End")
    assert lab.locator("#speed-N").input_value() == "1024"
    settled(lab, LAB)


def test_a_cell_of_c_is_the_sum_of_as_many_products_as_there_were_steps(lab):
    result = call(lab, LAB)
    row, column = result["first_row"], result["first_column"]
    canvas = see(lab).locator("canvas[data-heatmap=C]")
    canvas.scroll_into_view_if_needed()
    box, shape = canvas.bounding_box(), result["C"].shape
    canvas.hover(position={"x": (column + 0.5) * box["width"] / shape[1], "y": (row + 0.5) * box["height"] / shape[0]})
    reading = see(lab).locator(".reading")
    lab.wait_for_function("() => document.querySelector('[data-lab=speed] .reading .result')")
    told = numbers(reading.locator("code").inner_text())
    products = result["A"][row, :4] * result["B"][:4, column]
    assert np.prod(np.reshape(told[:8], (4, 2)), axis=1).tolist() == products.tolist()
    assert told[8] == result["step"] - 4 and told[-1] == result["C"][row, column]


def test_the_source_is_that_of_the_wheel_with_line_numbers_and_its_multiply_adds_marked(lab):
    listing = see(lab).locator(".listing")
    written = (PY / "seeformer/fast/src/tile.h").read_text("utf-8")
    assert listing.text_content() == written.rstrip() + "\n"
    marked = listing.locator(".lit").all_text_contents()
    assert marked and all("MULTIPLY_ADD(" in line for line in marked)
    see(lab).locator(".code-tabs [data-file='doors.h']").click()
    assert listing.text_content() == (PY / "seeformer/fast/src/doors.h").read_text("utf-8").rstrip() + "\n"
    set_field(lab, "step", 3, LAB)
    assert see(lab).locator(".code-tabs [data-file][aria-pressed=true]").text_content() == "doors.h"


def test_an_edited_lab_measures_and_leaves_the_loops_as_they_were(lab):
    before = status(lab)
    sources = lab.evaluate("fetch('data/speed.sources.json').then((reply) => reply.json())")
    edits = {each["module"]: each["source"] + "\n" for each in sources if each["module"].endswith("speed_timing")}
    assert len(edits) == 1
    found = lab.evaluate(
        """async (edits) => (await seeformer.call("speed", { N: 32, measure: true }, { edits })).turn""", edits
    )
    assert found >= 3 and status(lab) == before


@pytest.mark.parametrize(("width", "theme", "language"), [(360, "dark", "en"), (1280, "light", "zh")])
def test_accessible_and_no_wider_than_the_window(lab, width, theme, language):
    set_language(lab, language)
    lab.emulate_media(color_scheme=theme)
    lab.set_viewport_size({"width": width, "height": 800})
    set_field(lab, "N", 1024, LAB)
    press_run(lab)
    assert bars(lab) == 3
    assert text(language)["labs"][LAB]["charts"]["fast"] in see(lab).locator("[data-chart=speeds]").text_content()
    assert lab.evaluate("document.documentElement.scrollWidth") <= width
    assert serious(lab, "[data-lab=speed]") == []
    face(lab, "note", LAB)
    assert lab.evaluate("document.documentElement.scrollWidth") <= width
    face(lab, "see", LAB)
    lab.emulate_media(color_scheme="light")
    lab.set_viewport_size({"width": 1280, "height": 900})
    set_language(lab, "zh")
