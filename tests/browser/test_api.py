"""window.seeformer: what users' own headless tests lean on."""

import pytest
from support.python_cells import rejection, run

CALL = "seeformer.call('attention', {tokens: ['我', '爱', '猫'], num_heads: 2, d_model: 8, seed: 0, causal: true})"


def test_it_is_there_before_the_load_event(page, server, site):
    page.add_init_script(
        "addEventListener('load', () => { window.atLoad = { ...window.seeformer, ready: seeformer.ready instanceof Promise }; })"
    )
    page.goto(server)
    found = page.evaluate(
        "({ ...atLoad, call: typeof atLoad.call, run: typeof atLoad.run, stop: typeof atLoad.stop, reset: typeof atLoad.reset })"
    )
    (wheel,) = (site / "wheels").glob("seeformer-*.whl")
    assert found["labs"] and "attention" in found["labs"] and found["ready"] is True
    assert found["wheelURL"] == f"{server}wheels/{wheel.name}" and f"-{found['version']}-" in wheel.name
    assert {found[name] for name in ("call", "run", "stop", "reset")} == {"function"}
    assert page.request.get(found["wheelURL"]).ok


def test_the_contract_of_a_call(ready_page):
    weights = ready_page.evaluate(
        f"{CALL}.then(({{weights}}) => ({{data: [...weights.data], shape: weights.shape, kind: weights.data.constructor.name}}))"
    )
    assert weights["shape"] == [2, 3, 3] and weights["kind"] == "Float32Array"
    for start in range(0, 18, 3):
        assert sum(weights["data"][start : start + 3]) == pytest.approx(1, abs=1e-6)
    for head in (0, 9):
        above = [weights["data"][head + row * 3 + column] for row in range(3) for column in range(row + 1, 3)]
        assert above == [0, 0, 0]


def test_every_kind_of_value_arrives(ready_page):
    kinds = ready_page.evaluate(
        f"{CALL}.then(({{n, scale, tokens, mask}}) => ({{n, scale, tokens, hidden: mask.data[1]}}))"
    )
    assert kinds == {"n": 3, "scale": 0.5, "tokens": ["我", "爱", "猫"], "hidden": float("-inf")}


@pytest.mark.parametrize(
    ("expression", "kind", "words"),
    [
        ("seeformer.call('attention', {d_model: 10, num_heads: 4})", "ValueError", ["d_model=10", "num_heads=4"]),
        ("seeformer.call('attention', {d_modle: 8})", "ValueError", ["d_modle=8", "did you mean 'd_model'?"]),
        ("seeformer.call('atention')", "ValueError", ["lab='atention'", "did you mean 'attention'?"]),
        ("seeformer.call('attention', {tokens: []})", "ValueError", ["tokens"]),
        ("seeformer.call('attention', {seed: () => 1})", "TypeError", ["seed=function"]),
        ("seeformer.call('attention', {seed: 1n})", "TypeError", ["seed=bigint"]),
        ("seeformer.call('attention', {sharpness: 1 / 0})", "TypeError", ["sharpness=Infinity"]),
    ],
)
def test_a_mistake_rejects_and_says_what_is_wrong(ready_page, expression, kind, words):
    error = rejection(ready_page, expression)
    assert error["isError"] and error["type"] == kind and all(word in error["message"] for word in words)
    assert isinstance(error["traceback"], str)


def test_missing_and_undefined_params_take_the_defaults(ready_page):
    assert ready_page.evaluate("seeformer.call('attention', {d_model: undefined}).then(({d_model}) => d_model)") == 64
    assert ready_page.evaluate("seeformer.call('attention').then(({d_model}) => d_model)") == 64


def test_typed_arrays_are_lists(ready_page):
    call = (
        "seeformer.call('attention', {weight_set: 'paper', paper_X: [new Float64Array([1, 2]), new Int8Array([3, 4])]})"
    )
    assert ready_page.evaluate(f"{call}.then(({{X}}) => [...X.data])") == [1, 2, 3, 4]


def test_every_call_is_answered_in_order(ready_page):
    answers = ready_page.evaluate(
        """async () => {
          const order = [];
          const ask = (seed) => seeformer.call("attention", { seed, d_model: 8, num_heads: 2 }).then(() => order.push(seed));
          await Promise.all([...Array(12).keys()].map(ask));
          return order;
        }"""
    )
    assert answers == list(range(12))


def test_a_generator_tells_every_step(ready_page):
    lab = "from seeformer.trace import see\nimport numpy as np\ndef run(*, n=3):\n    for i in range(n):\n        yield {'x': see('x', np.full(2, i)), 'i': i}\n"
    told = ready_page.evaluate(
        """async (source) => {
          const steps = [];
          const onUpdate = ({ x, i }) => steps.push([i, ...x.data]);
          const last = await seeformer.call("attention", { n: 4 }, { onUpdate, edits: { "seeformer.labs.attention": source } });
          return { steps, last: [last.i, ...last.x.data] };
        }""",
        lab,
    )
    assert told == {"steps": [[i, i, i] for i in range(4)], "last": [3, 3, 3]}


def test_what_a_lab_may_not_return_is_named(ready_page):
    edits = "{edits: {'seeformer.labs.attention': 'def run():\\n    return {\"odd\": {1: 2}}'}}"
    error = rejection(ready_page, f"seeformer.call('attention', {{}}, {edits})")
    assert error["type"] == "TypeError" and error["message"].startswith("odd is a dict")


def test_two_hundred_calls_leave_nothing_behind(ready_page):
    census = "import gc, pyodide_js\nfrom pyodide.ffi import JsProxy\ngc.collect()\nprint(len(gc.get_objects()), sum(isinstance(o, JsProxy) for o in gc.get_objects()), pyodide_js._module.HEAP8.length)"
    calls = "async () => { for (let i = 0; i < 100; i += 1) await seeformer.call('attention', {d_model: 128}); }"
    ready_page.evaluate(calls)
    run(ready_page, census)
    objects, proxies, memory = map(int, run(ready_page, census)["stdout"].split())
    ready_page.evaluate(calls)
    ready_page.evaluate(calls)
    after = list(map(int, run(ready_page, census)["stdout"].split()))
    assert after[0] - objects < 100 and after[1] == proxies and after[2] == memory


def test_live_equals_precomputed(ready_page):
    for lab in ready_page.evaluate("seeformer.labs"):
        for language in ("zh", "en"):
            differences = ready_page.evaluate(
                """async ([lab, language]) => {
                  const { loadPrecomputed } = await import("./web/core/lab/precomputed.js");
                  const stored = await loadPrecomputed(lab, language);
                  const live = await seeformer.call(lab, stored.params);
                  const far = (a, b) => a.length !== b.length || [...a].some((x, i) => !(Object.is(x, b[i]) || Math.abs(x - b[i]) <= 1e-5));
                  const differ = (a, b) => a?.data ? String(a.shape) !== String(b.shape) || far(a.data, b.data)
                    : typeof a === "number" ? far([a], [b]) : String(a) !== String(b);
                  const names = Object.keys({ ...stored.values, ...live });
                  return { count: names.length, wrong: names.filter((name) => !(name in live) || !(name in stored.values) || differ(stored.values[name], live[name])) };
                }""",
                [lab, language],
            )
            assert differences["count"] > 3 and differences["wrong"] == [], (lab, language)


def test_run_and_reset(ready_page):
    assert run(ready_page, "kept = 1\nimport sys\nprint('out')\nprint('err', file=sys.stderr)\nkept + 1") == {
        "stdout": "out\n",
        "stderr": "err\n",
        "result": "2",
        "error": None,
        "outputs": [
            {"kind": "text", "stream": "stdout", "text": "out\n"},
            {"kind": "text", "stream": "stderr", "text": "err\n"},
            {"kind": "repr", "text": "2"},
        ],
    }
    ready_page.evaluate("seeformer.reset()")
    assert run(ready_page, "kept")["error"]["type"] == "NameError"


def test_stop_with_nothing_to_stop(ready_page):
    ready_page.evaluate("seeformer.stop()")
    assert run(ready_page, "1")["result"] == "1"
