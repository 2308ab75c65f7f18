"""The recurrence lab as a reader meets it: three dependences, the way a message takes, times at a press on Run, the cells."""

import numpy as np
import pytest
from support.axe import serious
from support.labs import call, face, numbers, pixels, restore_defaults, root, set_field, set_language, settled

from sitebuild.labs import text

LAB = "recurrence"
SHARES = ("rnn_share", "lstm_share", "attention_share")


@pytest.fixture
def lab(booted):
    restore_defaults(booted, LAB)
    return booted


def see(page):
    return root(page, LAB)


def change(page, name, value):
    return set_field(page, name, value, LAB)


def point(page, name, row, column, shape):
    """Moves the pointer to the middle of a cell; gives what the reading line says."""
    canvas = see(page).locator(f"canvas[data-heatmap={name}]")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    canvas.hover(position={"x": (column + 0.5) * box["width"] / shape[1], "y": (row + 0.5) * box["height"] / shape[0]})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return see(page).locator(".reading code").inner_text()


def marks(page, chart, mark):
    page.wait_for_timeout(300)  # the chart is drawn in a later frame
    return see(page).locator(f"[data-chart={chart}] [data-mark={mark}]")


def lines(page, chart):
    return marks(page, chart, "line").locator("path").evaluate_all("all => all.map((path) => path.getAttribute('d'))")


def press_run(page):
    see(page).locator(".actions .button.main").click()
    return settled(page, LAB)


def lit(page, network):
    return see(page).locator(f"[data-paths={network}] [data-lit]").count()


TOUCHED = [
    ("recurrent_scale", 1.5, {"rnn_share", "lstm_share"}), ("forget_bias", 3, {"lstm_share"}), ("seed", 3, set(SHARES)),
    ("causal", False, {"attention_share"}), ("hidden", 5, set(SHARES)), ("tokens", "别的句子真的很长很长", set(SHARES)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "touched"), TOUCHED, ids=[name for name, _, _ in TOUCHED])
def test_a_control_changes_the_networks_it_belongs_to_and_no_other(lab, name, value, touched):
    before = {each: pixels(lab, each, lab=LAB) for each in SHARES}
    assert change(lab, name, value) == "ready"
    assert {each for each in SHARES if pixels(lab, each, lab=LAB) != before[each]} == touched


def test_the_three_pictures_have_one_scale(lab):
    """Equal numbers have equal colours, or nobody could compare them."""
    for _ in range(2):
        bars = [
            see(lab).locator(f"figure:has(canvas[data-heatmap={name}]) .heatmap-foot").inner_text() for name in SHARES
        ]
        assert len(set(bars)) == 1 and bars[0].strip()
        see(lab).locator("[data-section=depends] .modes select").select_option("unit")
        lab.wait_for_timeout(100)
    see(lab).locator("[data-section=depends] .modes select").select_option("log")
    feet = [
        see(lab).locator(f"figure:has(canvas[data-heatmap=path_{name}]) .heatmap-foot").inner_text()
        for name in ("recurrent", "attention")
    ]
    assert feet[0] == feet[1] and "15" in feet[0]


def test_what_is_told_of_the_first_token_is_what_was_computed(lab):
    result = call(lab, LAB)
    told = numbers(see(lab).locator("[data-section=depends] .told").text_content())
    expected = [result[name] for name in ("rnn_first", "lstm_first", "attention_first")]
    assert told == pytest.approx(expected, rel=0.06)
    assert told[0] < told[1] < told[2]


def test_the_fading_chart_has_a_line_a_network_and_as_many_points_as_tokens(lab):
    drawn = lines(lab, "fading")
    assert len(drawn) == 3 and [len(line.split("L")) for line in drawn] == [16] * 3
    change(lab, "n", 9)
    assert [len(line.split("L")) for line in lines(lab, "fading")] == [9] * 3
    change(lab, "recurrent_scale", 0)  # what is exactly 0 has no place on a log scale
    assert len(lines(lab, "fading")[1].split("L")) == 9


def test_the_way_is_drawn_through_every_state_or_straight(lab):
    """At first from the first token to the last; then of the cell under the pointer."""
    assert (lit(lab, "recurrent"), lit(lab, "attention")) == (16, 1)  # up once, then 15 times along
    point(lab, "rnn_share", 9, 4, (16, 16))
    assert (lit(lab, "recurrent"), lit(lab, "attention")) == (6, 1)
    told = numbers(see(lab).locator("[data-section=path] .told").text_content())
    assert told == [5, 10, 5, 1]
    drawn = see(lab).locator("[data-paths=recurrent] svg").get_attribute("aria-label")
    assert numbers(drawn) == [5, 10, 5]
    circles = see(lab).locator("[data-paths=recurrent] text").all_text_contents()
    assert circles == [str(step) for step in range(1, 17)]
    assert set(see(lab).locator("[data-paths=attention] text").all_text_contents()) == {"1"}


def test_a_later_token_has_no_way_back_but_in_attention_that_sees_all(lab):
    point(lab, "path_recurrent", 4, 9, (16, 16))
    assert (lit(lab, "recurrent"), lit(lab, "attention")) == (0, 0)
    change(lab, "causal", False)
    point(lab, "path_recurrent", 4, 9, (16, 16))
    assert (lit(lab, "recurrent"), lit(lab, "attention")) == (0, 1)


def test_a_shorter_sentence_leaves_no_way_to_what_is_no_longer_there(lab):
    point(lab, "rnn_share", 15, 2, (16, 16))
    assert change(lab, "n", 4) == "ready"
    assert (lit(lab, "recurrent"), lit(lab, "attention")) == (4, 1)


def test_the_table_tells_what_each_network_asks_for(lab):
    rows = see(lab).locator("[data-network] .amount").all_text_contents()
    result = call(lab, LAB)
    columns = [result[name] for name in ("waits", "longest", "products")]
    assert [float(each) for each in rows] == [column[at] for at in range(3) for column in columns]


@pytest.mark.parametrize(
    ("network", "names"),
    [
        ("rnn", {"X": 1, "from_input": 1, "rnn_states": 1, "W_x": 1, "W_h": 1}),
        ("lstm", dict.fromkeys(["X", "input_gate", "forget_gate", "candidate", "output_gate", "cell", "lstm_states"], 1)),
        ("attention", {"X": 1, "weights": 1, "concat": 1, "output": 1, "W_O": 1}),
    ],
)  # fmt: skip
def test_the_chosen_network_is_shown_step_by_step(lab, network, names):
    change(lab, "network", network)
    shown = see(lab).locator(f"[data-section={network}] canvas[data-heatmap]")
    assert shown.evaluate_all("all => all.map((canvas) => canvas.dataset.heatmap)") == list(names)
    assert see(lab).locator("[data-section=rnn], [data-section=lstm], [data-section=attention]").count() == 1


def test_a_state_is_spelt_out_from_its_word_and_the_state_before(lab):
    change(lab, "hidden", 2)
    result = call(lab, LAB, hidden=2)
    told = numbers(point(lab, "rnn_states", 3, 1, (16, 2)))
    h, W_h = result["rnn_states"], result["W_h"]
    expected = [result["from_input"][3, 1], h[2, 0], W_h[0, 1], h[2, 1], W_h[1, 1], h[3, 1]]
    assert told == pytest.approx(expected, rel=1e-4)
    assert len(numbers(point(lab, "rnn_states", 0, 1, (16, 2)))) == 2  # the first has none before it


def test_a_share_is_spelt_out_as_a_derivative_over_the_sum_of_its_row(lab):
    result = call(lab, LAB)
    told = numbers(point(lab, "lstm_share", 12, 3, (16, 16)))
    dependence = result["lstm_dependence"]
    assert told == pytest.approx([dependence[12, 3], dependence[12].sum(), result["lstm_share"][12, 3]], rel=1e-4)


def test_nothing_is_measured_before_run_is_pressed(lab):
    assert lines(lab, "times") == []
    assert "运行" in see(lab).locator(".measured").text_content()
    assert "运行" in marks(lab, "times", "text").last.text_content()


def test_run_measures_all_three_on_this_machine_and_a_slider_empties_the_chart(lab):
    assert press_run(lab) == "ready"
    drawn = lines(lab, "times")
    assert len(drawn) == 3 and {len(line.split("L")) for line in drawn} == {7}
    told = numbers(see(lab).locator(".measured .told").first.text_content())
    assert told[0] == 1024 and min(told[1:4]) > 0
    change(lab, "seed", 1)
    assert lines(lab, "times") == []


def test_time_grows_with_every_step_that_must_wait(lab):
    """16 times the steps: many times the time, of an RNN and of an LSTM; an LSTM has more to do at each."""
    times = call(lab, LAB, measure=True)["times"]
    lengths = call(lab, LAB)["lengths"].tolist()
    growth = times[:2, lengths.index(1024)] / times[:2, lengths.index(64)]
    assert (growth > 5).all() and (growth < 60).all()
    assert times[1, -1] > 1.5 * times[0, -1]
    assert times[2, lengths.index(64)] < times[1, lengths.index(64)]


def test_an_address_does_not_measure(open_page):
    page = open_page(path="?embed=1#recurrence?n=6&measure=true&v=1")
    page.evaluate("() => seeformer.ready")
    assert settled(page, LAB) == "ready"
    assert page.locator("#recurrence-n").input_value() == "6"
    assert lines(page, "times") == []


def test_bad_input_stands_beside_its_control_and_nothing_is_lost(lab):
    picture = pixels(lab, "rnn_share", lab=LAB)
    assert change(lab, "hidden", 40) == "error"
    message = lab.locator("#recurrence-hidden-error")
    assert message.is_visible() and "40" in message.text_content() and "16" in message.text_content()
    assert pixels(lab, "rnn_share", lab=LAB) == picture
    assert change(lab, "hidden", 4) == "ready" and not message.is_visible()


def test_an_edited_cell_changes_how_far_it_reaches(lab):
    """Without its tanh the RNN keeps more of the past."""
    sources = lab.evaluate("fetch('data/recurrence.sources.json').then((reply) => reply.json())")
    source = next(entry["source"] for entry in sources if entry["module"] == "seeformer.recurrence")
    linear = source.replace('see("rnn_state", np.tanh(from_input + h @ W_h))', 'see("rnn_state", from_input + h @ W_h)')
    assert linear != source
    found = lab.evaluate(
        """async (edited) => (await seeformer.call("recurrence", {}, { edits: { "seeformer.recurrence": edited } })).rnn_first""",
        linear,
    )
    assert found > 10 * call(lab, LAB)["rnn_first"]


@pytest.mark.parametrize(("width", "theme", "language"), [(360, "dark", "en"), (1280, "light", "zh")])
def test_accessible_and_no_wider_than_the_window(lab, width, theme, language):
    set_language(lab, language)
    lab.emulate_media(color_scheme=theme)
    lab.set_viewport_size({"width": width, "height": 800})
    words = text(language)["labs"][LAB]
    change(lab, "tokens", " ".join(words["defaults"]["tokens"]))
    change(lab, "n", 32)
    for network in ("rnn", "lstm", "attention"):
        change(lab, "network", network)
        assert lab.evaluate("document.documentElement.scrollWidth") <= width
    assert words["networks"]["attention"] in see(lab).locator("[data-paths=attention]").text_content()
    press_run(lab)
    assert len(lines(lab, "times")) == 3
    assert lab.evaluate("document.documentElement.scrollWidth") <= width
    assert serious(lab, "[data-lab=recurrence]") == []
    face(lab, "note", LAB)
    assert lab.evaluate("document.documentElement.scrollWidth") <= width
    face(lab, "see", LAB)
    lab.emulate_media(color_scheme="light")
    lab.set_viewport_size({"width": 1280, "height": 900})
    set_language(lab, "zh")
    assert np.isfinite(call(lab, LAB, n=32, hidden=16)["rnn_share"]).all()
