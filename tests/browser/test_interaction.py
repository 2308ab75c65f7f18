"""What a change of a slider costs, in messages: one call and one transfer, and only the newest of many is computed."""

import pytest
from support.labs import call, pixels, root, set_field, settled

COUNT = """() => {
  const Real = window.Worker;
  window.sent = [];
  window.buffers = [];
  window.Worker = class extends Real {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => {
        const answer = data?.value?.value ?? data?.value ?? data?.update;
        if (answer?.buffer) buffers.push(answer.buffer.byteLength);
      });
    }
    postMessage(message, ...rest) {
      if (message?.path) sent.push([...message.path].join("."));
      super.postMessage(message, ...rest);
    }
  };
}"""


@pytest.fixture
def lab(page, server):
    page.add_init_script(f"({COUNT})()")
    page.goto(server)
    page.evaluate("() => seeformer.ready")
    for name in page.evaluate("seeformer.labs"):
        settled(page, name)
    page.evaluate("() => { sent.length = 0; buffers.length = 0; }")
    return page


def test_one_call_and_one_transfer_for_a_change_and_only_the_newest_of_many(lab):
    assert set_field(lab, "seed", 5) == "ready"
    assert lab.evaluate("sent") == ["call"]
    sizes = lab.evaluate("buffers")
    arrays = [value for value in call(lab, seed=5).values() if hasattr(value, "size")]
    assert sizes == [4 * sum(array.size for array in arrays)]

    lab.evaluate("() => { sent.length = 0; }")
    lab.evaluate(
        """() => {
             const field = document.querySelector("#attention-seed");
             for (let seed = 10; seed < 40; seed++) {
               field.value = seed;
               field.dispatchEvent(new Event("input", { bubbles: true }));
             }
           }"""
    )
    assert settled(lab) == "ready"
    assert lab.evaluate("sent") == ["call", "call"]  # the first, which had begun, and the newest
    newest = pixels(lab, "output")
    set_field(lab, "seed", 38)
    assert pixels(lab, "output") != newest
    set_field(lab, "seed", 39)
    assert pixels(lab, "output") == newest
    assert root(lab).get_attribute("data-source") == "live"
