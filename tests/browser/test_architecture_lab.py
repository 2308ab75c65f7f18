"""The architecture lab as a reader meets it: a drawing that is what ran, gone through step by step, and its arrays."""

import pytest
from support.arithmetic import worths
from support.axe import serious
from support.labs import call, face, numbers, pixels, restore_defaults, root, set_field, set_language, settled

LAB = "architecture"


@pytest.fixture
def lab(booted):
    booted.set_viewport_size({"width": 1280, "height": 900})
    set_language(booted, "zh")
    restore_defaults(booted, LAB)
    return booted


def see(page):
    return root(page, LAB)


def change(page, name, value):
    return set_field(page, name, value, LAB)


def block(page, name):
    return see(page).locator(f"[data-block='{name}']")


def press(page, name):
    block(page, name).click()
    assert settled(page, LAB) == "ready"


def current(page):
    return see(page).locator("[aria-current=step]").get_attribute("data-block")


def step(page, by):
    see(page).locator(f".diagram-bar [data-by='{by}']").click()
    assert settled(page, LAB) == "ready"


def drawn(page):
    return see(page).locator("[data-block]").evaluate_all("parts => parts.map((part) => part.dataset.block)")


@pytest.mark.parametrize(
    ("parts", "norm"), [("both", "post"), ("both", "pre"), ("encoder", "post"), ("decoder", "pre")]
)
def test_the_drawing_is_the_model(lab, parts, norm):
    """With one layer nothing is folded: every block stands there, every wire is drawn, from the one block to the other."""
    for name, value in (("parts", parts), ("norm", norm), ("num_layers", 1)):
        assert change(lab, name, value) == "ready"
    result = call(lab, LAB, parts=parts, norm=norm, num_layers=1)
    assert sorted(drawn(lab)) == sorted(result["blocks"])
    wires = see(lab).locator("[data-wire].diagram-wire")
    assert sorted(wires.evaluate_all("all => all.map(({ dataset }) => dataset.wire)")) == sorted(result["wires"])
    for wire, ends in touched(lab).items():
        assert ends == wire.split(">"), wire


def touched(page):
    """wire -> the two parts that its line begins and its arrow ends at, by where they stand."""
    return (
        see(page)
        .locator("svg.diagram")
        .evaluate(
            """(svg) => {
             const boxes = [...svg.querySelectorAll("[data-block]")].map((part) => [part.dataset.block, part.querySelector(".diagram-box").getBBox()]);
             const away = ({ x, y, width, height }, point) =>
               Math.hypot(Math.max(x - point.x, 0, point.x - x - width), Math.max(y - point.y, 0, point.y - y - height));
             const nearest = (point) => boxes.reduce((best, next) => (away(next[1], point) < away(best[1], point) ? next : best))[0];
             return Object.fromEntries([...svg.querySelectorAll(".diagram-wire")].map((wire) => {
               const [line, head] = [wire.querySelector("path.diagram-line"), wire.querySelector("path.diagram-head")];
               return [wire.dataset.wire, [line.getPointAtLength(0), head.getPointAtLength(0)].map(nearest)];
             }));
           }"""
        )
    )


def heights(page, *names):
    return [block(page, name).locator(".diagram-box").evaluate("box => box.getBBox().y") for name in names]


def test_pre_and_post_are_drawn_in_their_order(lab):
    add, norm, self = (f"encoder.0.self{part}" for part in (".add", ".norm", ""))
    low, middle, high = heights(lab, self, add, norm)
    assert low > middle > high  # upwards: sublayer, sum, norm
    change(lab, "norm", "pre")
    low, middle, high = heights(lab, norm, self, add)
    assert low > middle > high


def test_parts_that_a_family_lacks_are_ghosts(lab):
    ghosts = see(lab).locator("[data-absent]")
    assert ghosts.count() == 0
    change(lab, "parts", "decoder")
    lacking = ghosts.evaluate_all("all => all.map(({ dataset }) => dataset.absent)")
    assert sorted(lacking) == ["decoder.0.cross", "encoder.0.ffn", "encoder.0.self"]
    assert "没有编码器" in see(lab).locator(".diagram").text_content()
    assert see(lab).locator("#architecture-source").is_hidden()
    change(lab, "parts", "encoder")
    assert not [name for name in drawn(lab) if name.startswith("decoder")]


def test_every_block_can_be_pressed_and_shows_its_arrays(lab):
    change(lab, "num_layers", 1)
    for name in call(lab, LAB, num_layers=1)["blocks"]:
        press(lab, name)
        assert current(lab) == name
        result = call(lab, LAB, num_layers=1, block=name)
        shown = (
            see(lab).locator("canvas[data-heatmap]").evaluate_all("all => all.map(({ dataset }) => dataset.heatmap)")
        )
        made = {array.rpartition(".")[2] for array in result["arrays"]}
        inner = {"dots", "peak", "exp", "total", "before", "centred", "normalized", "masked", "angles"}
        if name.endswith("position"):
            made = made - {"output"} | {"placed"}
        assert made - inner <= set(shown), name
        assert {"stream", "sizes"} <= set(shown)


def test_stepping_by_button_goes_through_all_blocks_and_back(lab):
    change(lab, "num_layers", 1)
    blocks = call(lab, LAB, num_layers=1)["blocks"]
    press(lab, blocks[0])
    walked = [current(lab)]
    for _ in blocks[1:]:
        step(lab, 1)
        walked.append(current(lab))
    assert walked == blocks
    assert see(lab).locator(".diagram-bar [data-by='1']").is_disabled()
    step(lab, -1)
    assert current(lab) == blocks[-2]
    assert f"{len(blocks) - 1}/{len(blocks)}" in see(lab).locator(".diagram-where").text_content()


def test_stepping_by_key_and_the_link_holds_the_step(lab):
    blocks = call(lab, LAB)["blocks"]
    block(lab, "encoder.0.self").focus()
    lab.keyboard.press("ArrowRight")
    lab.keyboard.press("ArrowUp")
    assert settled(lab, LAB) == "ready" and current(lab) == blocks[4]
    assert lab.evaluate("document.activeElement.dataset.block") == blocks[4]
    lab.keyboard.press("ArrowLeft")
    lab.keyboard.press("End")
    assert settled(lab, LAB) == "ready" and current(lab) == "prediction"
    lab.keyboard.press("Home")
    assert settled(lab, LAB) == "ready" and current(lab) == blocks[0]
    address = lab.evaluate("new Promise((done) => setTimeout(() => done(location.hash), 400))")
    assert "block=encoder.token" in address
    block(lab, "decoder.token").focus()
    lab.keyboard.press("Enter")
    assert settled(lab, LAB) == "ready" and current(lab) == "decoder.token"


def test_quick_steps_all_count(lab):
    """The drawing goes on at once, whatever is still being computed, and the arrays of the last step stand there at the end."""
    blocks = call(lab, LAB)["blocks"]
    press(lab, blocks[0])
    see(lab).locator(".diagram-bar [data-by='1']").evaluate("button => { for (let i = 0; i < 9; i++) button.click(); }")
    assert current(lab) == blocks[9]
    assert settled(lab, LAB) == "ready"
    lab.wait_for_function(
        "() => document.querySelector('[data-lab=architecture] [data-section=heads], [data-lab=architecture] [data-section=add]')"
    )
    assert current(lab) == blocks[9] == "encoder.1.self.add"
    restore_defaults(lab, LAB)
    assert current(lab) == "encoder.0.self"


def test_the_step_opens_its_layer(lab):
    change(lab, "num_layers", 6)
    assert block(lab, "encoder.0.ffn").count() == 1 and block(lab, "encoder.4.ffn").count() == 0
    press(lab, "encoder.4.self")  # the closed layer answers to its first block
    assert block(lab, "encoder.4.ffn").count() == 1 and block(lab, "encoder.0.ffn").count() == 0
    assert block(lab, "decoder.4.cross").count() == 1


def test_counts_stand_on_the_blocks(lab):
    result = call(lab, LAB)
    for name in ("encoder.0.self", "encoder.0.ffn", "decoder.0.cross.norm", "encoder.token"):
        count = result["counts"][result["blocks"].index(name)]
        assert f"{count:,.0f}" in block(lab, name).text_content(), name
    assert "同一张表" in block(lab, "logits").text_content()
    slab = result["group_counts"][result["groups"].index("encoder.1")]
    assert f"{slab:,.0f}" in block(lab, "encoder.1.self").text_content()
    assert f"{result['total']:,}" in see(lab).locator(".claim").text_content()
    assert "随机" in see(lab).locator(".claim").text_content()


def test_shapes_stand_on_the_wires_and_say_what_they_are(lab):
    result = call(lab, LAB)
    shapes = see(lab).locator(".diagram-shape")
    assert shapes.count() >= 10
    for shape in shapes.all():
        wire, told = shape.get_attribute("data-wire"), shape.text_content()
        assert told == result["carried"][result["wires"].index(wire)], wire
    see(lab).locator(".diagram-shape[data-wire='logits>prediction']").hover()
    assert "词表里 10 个词" in see(lab).locator(".diagram-hint").text_content()
    lab.mouse.move(0, 0)
    assert "词表里" not in see(lab).locator(".diagram-hint").text_content()


def test_a_press_on_a_weight_shows_its_heatmap(lab):
    picked = see(lab).locator("[data-weight=W_K]")
    assert see(lab).locator("canvas[data-heatmap=W_K]").count() == 0
    picked.click()
    assert see(lab).locator("canvas[data-heatmap=W_K]").count() == 1
    assert picked.get_attribute("aria-pressed") == "true"
    assert lab.evaluate("document.activeElement.dataset.weight") == "W_K"
    picked.click()
    assert see(lab).locator("canvas[data-heatmap=W_K]").count() == 0


def test_a_head_is_chosen_by_its_name(lab):
    before = pixels(lab, "scores", index=0, lab=LAB)
    see(lab).locator("[data-head='2']").click()
    assert see(lab).locator("canvas[data-heatmap=scores][data-index='0']").count() == 0
    assert pixels(lab, "scores", index=2, lab=LAB) != before


def test_the_stream_grows_with_the_steps(lab):
    def rows():
        label = see(lab).locator("canvas[data-heatmap=sizes]").get_attribute("aria-label")
        return int(numbers(label)[0])

    press(lab, "encoder.0.self")
    assert rows() == 1
    step(lab, 1)
    assert rows() == 2
    step(lab, 1)
    assert rows() == 3
    step(lab, 1)  # a sublayer leaves the stream as it is
    assert rows() == 3
    step(lab, -1)
    step(lab, -1)
    assert rows() == 2


CHANGES = [("num_layers", 3), ("num_heads", 2), ("d_model", 8), ("d_ff", 32), ("seed", 3), ("norm", "pre"), ("source", "别的话"), ("target", "a b c")]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_a_control_changes_what_the_model_says(lab, name, value):
    press(lab, "logits")
    before = pixels(lab, "logits", lab=LAB)
    assert change(lab, name, value) == "ready"
    assert current(lab) == "logits" and pixels(lab, "logits", lab=LAB) != before


READ = """([name, row, col]) => {
  const found = `[data-lab=architecture] canvas[data-heatmap="${name}"]`;
  const canvas = document.querySelector(`${found}[data-index="0"]`) ?? document.querySelector(found);
  const [rows, cols] = canvas.getAttribute("aria-label").match(/\\d+/g).slice(-2).map(Number);
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const [r, c] = [Math.min(row, rows - 1), Math.min(col, cols - 1)];
  const place = { clientX: left + ((c + 0.5) * width) / cols, clientY: top + ((r + 0.5) * height) / rows, pointerType: "mouse" };
  canvas.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, ...place }));
  const line = document.querySelector("[data-lab=architecture] .reading code").textContent;
  canvas.dispatchEvent(new PointerEvent("pointerleave", place));
  return [r, c, line];
}"""

WRITTEN = {  # what each kind of block spells out whole at d_model 4
    "encoder.token": {"token"},
    "encoder.position": {"position", "placed"},
    "encoder.0.self": {"Q", "K", "V", "scores", "weights", "heads", "output"},
    "decoder.0.self": {"masked", "weights"},
    "decoder.0.cross": {"Q", "K", "V", "scores", "weights", "heads", "output"},
    "encoder.0.self.add": {"sum"},
    "encoder.0.self.norm": {"mean", "variance", "output"},
    "encoder.0.ffn": {"pre_activation", "hidden", "output"},
    "logits": {"logits"},
    "prediction": {"probabilities"},
}


@pytest.mark.parametrize("name", WRITTEN)
def test_the_reading_line_comes_to_the_value_in_each_kind_of_block(lab, name):
    settings = {"d_model": 4, "d_ff": 4, "num_heads": 2}
    for control, value in settings.items():
        change(lab, control, value)
    press(lab, name)
    result = call(lab, LAB, **settings, block=name)
    for short in WRITTEN[name]:
        full = next(
            array for array in result["arrays"] if array.endswith("output" if short == "placed" else short) and array in result
        )  # fmt: skip
        row, col, line = lab.evaluate(READ, [short, 2, 1])
        array = result[full]
        value = array[0, row, col] if array.ndim == 3 else array[row, col]
        spelt = [worth for worth in worths(line) if worth is not None]
        assert len(spelt) >= 2, (short, line)
        assert spelt == pytest.approx([value] * len(spelt), rel=1e-3, abs=1e-4), (short, line)


def test_bad_input_stands_beside_its_control_and_the_drawing_stays(lab):
    before = drawn(lab)
    assert change(lab, "num_heads", 3) == "error"
    told = see(lab).locator(".control-error:visible").text_content()
    assert "num_heads=3" in told and "d_model=16" in told
    assert drawn(lab) == before
    assert change(lab, "num_heads", 4) == "ready"
    assert change(lab, "target", "") == "error"
    assert lab.locator("#architecture-target-error").is_visible()


def test_what_it_would_say_next_stands_in_a_table(lab):
    press(lab, "prediction")
    result = call(lab, LAB, block="prediction")
    rows = see(lab).locator(".figures tbody tr")
    assert rows.count() == result["n"]
    assert rows.nth(0).locator("th, td").all_text_contents()[::3] == ["<s>", "the"]
    assert rows.nth(0).locator("td").nth(0).text_content() == result["best"][0]
    assert numbers(rows.nth(0).locator(".amount").text_content()) == pytest.approx(
        [result["best_probability"][0]], rel=1e-2
    )


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("width", [1280, 360])
def test_it_fits_and_axe_finds_nothing(lab, language, width):
    set_language(lab, language)
    lab.set_viewport_size({"width": width, "height": 900})
    for name in ("encoder.0.self", "encoder.0.ffn", "prediction"):
        press(lab, name)
        assert lab.evaluate("document.documentElement.scrollWidth") <= width
        drawing = see(lab).locator("svg.diagram").bounding_box()
        assert drawing["width"] <= width
        outside = (
            see(lab)
            .locator("svg.diagram")
            .evaluate(
                """(svg) => [...svg.querySelectorAll("[data-block]")].filter((part) => {
                 const box = part.querySelector(".diagram-box").getBBox();
                 return [...part.querySelectorAll("text")].some((text) => text.getBBox().width > box.width - 2);
               }).map((part) => part.textContent)"""
            )
        )
        assert outside == [], "words wider than their box"
    assert serious(lab, f"[data-lab={LAB}]") == []


def test_an_edit_that_cuts_the_residual_loses_its_line(lab):
    module = "seeformer.models.layers"
    sources = lab.evaluate("fetch('data/architecture.sources.json').then((reply) => reply.json())")
    source = next(entry["source"] for entry in sources if entry["module"] == module)
    right, wrong = 'total = see("sum", x + sublayer(x))', 'total = see("sum", sublayer(x))'
    assert right in source
    residual = see(lab).locator("[data-wire='encoder.position>encoder.0.self.add']")
    assert residual.count() == 1
    face(lab, "code", LAB)
    see(lab).locator(f".code-tabs [data-module='{module}']").click()
    see(lab).locator(f".code-editor[data-module='{module}'] .cm-content").click()
    lab.keyboard.press("Control+a")
    lab.keyboard.insert_text(source.replace(right, wrong))
    lab.keyboard.press("Control+Enter")
    try:
        assert settled(lab, LAB) == "ready"
        assert residual.count() == 0
        assert see(lab).locator("[data-wire='encoder.0.self>encoder.0.self.add']").count() == 1
    finally:
        see(lab).get_by_role("button", name="恢复原样").click()
        settled(lab, LAB)
        face(lab, "see", LAB)
    assert residual.count() == 1
