"""What a lab says of itself is true at every moment, and what a reader empties or a link distorts does no harm."""

import pytest
from support.labs import restore_defaults, root, set_field, set_language, settled
from support.python_cells import rejection, run


@pytest.fixture
def lab(booted):
    yield booted
    restore_defaults(booted)


def test_ready_means_the_newest(lab):
    """Two changes in a row: no `ready` between them."""
    states = lab.evaluate(
        """() => new Promise((done) => {
             const lab = document.querySelector("[data-lab=attention]"), seed = document.querySelector("#attention-seed"), states = [];
             new MutationObserver(() => {
               states.push(lab.dataset.state);
               if (lab.dataset.state === "ready") done(states);
             }).observe(lab, { attributeFilter: ["data-state"] });
             for (const value of ["1", "2"]) { seed.value = value; seed.dispatchEvent(new Event("input", { bubbles: true })); }
           })"""
    )
    assert states[-1] == "ready" and states.count("ready") == 1
    lab.wait_for_function("() => location.hash.includes('seed=2')")
    lab.wait_for_timeout(1000)
    assert settled(lab) == "ready"


def test_switching_the_language_keeps_the_status(lab):
    set_field(lab, "d_model", 10)
    set_language(lab, "en")
    assert "could not be computed" in root(lab).locator(".lab-status").text_content()
    set_language(lab, "zh")


def test_an_emptied_field_comes_back_when_it_is_left(lab):
    lab.locator("#attention-seed").fill("")
    lab.locator("#attention-seed").blur()
    assert lab.locator("#attention-seed").input_value() == "0"
    set_field(lab, "weight_set", "paper")
    before = lab.locator("#attention-paper_W_K").input_value()
    lab.locator("#attention-paper_W_K").fill("")
    lab.locator("#attention-paper_W_K").blur()
    assert lab.locator("#attention-paper_W_K").input_value() == before


def test_padding_reaches_as_far_as_the_sentence(lab):
    set_field(lab, "tokens", "我爱猫")
    assert lab.locator("#attention-padding").get_attribute("max") == "3"


@pytest.mark.parametrize("name", ["constructor", "__proto__", "toString"])
def test_a_link_with_the_name_of_something_else_is_ignored(lab, name):
    lab.evaluate("(name) => { location.hash = `#attention?${name}=4&v=1`; }", name)
    root(lab).locator(".lab-unknown", has_text=name).wait_for()
    assert settled(lab) == "ready"


def test_a_link_followed_while_the_last_change_is_being_written_wins(lab):
    """The page's timer, due before the link is followed, runs before the browser tells of the link."""
    lab.evaluate(
        """() => new Promise((done) => {
             const seed = document.querySelector("#attention-seed");
             seed.value = "7";
             seed.dispatchEvent(new Event("input", { bubbles: true }));
             const { port1, port2 } = new MessageChannel();
             port1.onmessage = () => {
               location.hash = "#attention?seed=3&v=1";
               done();
             };
             setTimeout(() => {
               port2.postMessage(null); // goes first, then the page's timer, which falls due meanwhile, then the event
               const until = performance.now() + 150;
               while (performance.now() < until);
             }, 200);
           })"""
    )
    lab.wait_for_function("() => document.querySelector('#attention-seed').value === '3'")
    assert settled(lab) == "ready"
    lab.wait_for_function("() => location.hash.includes('seed=3')")


def test_a_bad_shuffle_says_so_without_a_traceback_and_can_be_taken_back(lab):
    lab.evaluate("() => { location.hash = '#attention?shuffle=-1&v=1'; }")
    root(lab).locator(".lab-error", has_text="shuffle=-1").wait_for()
    assert "site-packages" not in root(lab).locator(".lab-error").text_content()
    root(lab).get_by_role("button", name="恢复词序").click()
    assert settled(lab) == "ready"


@pytest.mark.parametrize("params", ["[1, 2]", "'x'", "5"])
def test_params_that_are_no_object_are_refused_by_name(lab, params):
    told = rejection(lab, f"seeformer.call('attention', {params})")
    assert told["type"] == "TypeError" and told["message"].startswith("params=")


def test_options_may_be_null(lab):
    assert lab.evaluate("seeformer.call('attention', {}, null).then(({ n }) => n)") == 9


def test_many_printed_lines_are_shown_in_few_pieces(lab):
    """Each piece lays the text out once more: one a line froze the page for minutes."""
    cell = lab.locator("[data-cell]").first
    cell.locator(".cm-content").click()
    lab.keyboard.press("Control+a")
    lab.keyboard.insert_text("for i in range(9000): print('line', i)")
    lab.keyboard.press("Control+Enter")
    text = cell.locator("[data-output=text]")
    lab.wait_for_function("() => document.querySelector('[data-cell]').dataset.state === 'done'")
    assert text.text_content().splitlines() == [f"line {i}" for i in range(9000)]
    assert text.evaluate("pre => pre.childNodes.length") < 900
    assert run(lab, "1")["result"] == "1"
