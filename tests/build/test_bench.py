"""What `build.py bench` makes of its measurements; the measuring itself needs a quiet machine and is no test."""

import importlib
import json

import numpy as np
import pytest
from bench import attention, chart, growth, heads, interaction, matmul, products, report, words
from bench.onnx_file import model, node
from bench.tables import Goal, number, table, words_of

from sitebuild import bench
from sitebuild.errors import BuildError

MACHINE = {
    "cpu": "Chip",
    "cores": 2,
    "os": "Linux",
    "chromium": "156",
    "date": "2026-11-30",
    "versions": {"NumPy": "2"},
}


def matmul_row(case, **speeds):
    return {"case": case, **{who: 10.0 for who in matmul.WHO if who not in ("webgpu", "tfjs 2")}, **speeds}


def matmul_result(**speeds):
    cases = [*(f"float32 {n}" for n in matmul.SIZES), "1 row x 768x3072", "float32 8"]
    missing = {"webgpu": "no graphics chip", "tfjs 2": "it stays with one thread"}
    return {"rows": [matmul_row(case, **speeds) for case in cases], "missing": missing}


def growth_result(power=2):
    rows = [{"n": n, **{name: at * n**power / 1e4 for at, name in enumerate(growth.WHO, 1)}} for n in growth.SIZES]
    return {"rows": rows, "exponents": {name: growth.exponent(rows, name) for name in growth.WHO}}


class TestGoals:
    def test_the_bound_itself_is_met(self):
        assert Goal("a", 0.85, 0.85).met and Goal("a", 1.5, 1.5, at_most=True).met
        assert not Goal("a", 0.849, 0.85).met and not Goal("a", 1.51, 1.5, at_most=True).met

    def test_products_are_compared_with_the_limit_of_their_own_build(self):
        told = matmul_result(**{"plain": 9, "limit plain": 10, "relaxed": 16, "limit relaxed": 20})
        found = {goal.what: goal for goal in matmul.goals(told)}
        assert found["float32 512: plain / limit"].value == 0.9 and not found["float32 512: plain / limit"].met
        assert found["float32 128: plain / limit"].met and found["float32 128: relaxed / limit"].value == 0.8
        assert found["1 row x 768x3072: relaxed / limit"].needed == 0.5
        assert not any(what.startswith("float64") for what in found)  # it was not measured

    def test_the_share_of_the_limit_beside_it_counts_where_it_was_measured(self):
        told = matmul_result(**{"relaxed": 16, "limit relaxed": 20, "share relaxed": 0.9})
        found = {goal.what: goal.value for goal in matmul.goals(told)}
        assert found["float32 512: relaxed / limit"] == 0.9 and found["float32 512: plain / limit"] == 1

    def test_the_better_peer_counts_and_one_thread_of_it(self):
        told = matmul_result(**{"relaxed": 40, "ort 1": 20, "tfjs 1": 25, "ort 2": 50, "stock": 1})
        found = {goal.what: goal.value for goal in matmul.goals(told)}
        assert found["float32 1024: relaxed / the better peer, 1 thread"] == 1.6
        assert found["float32 512: relaxed / stock"] == 40

    def test_of_a_slider_the_p95_counts(self):
        times = [{"result": at, "frames": 1} for at in range(100)]
        row = interaction.row(next(iter(interaction.CASES)), times, 70)
        assert (row["p50"], row["p95"]) == (51, 96)
        assert [goal.met for goal in interaction.goals({"rows": [row]})] == [False, False]


class TestTables:
    def test_a_short_line_is_filled(self):
        assert table(["a", "b"], [["1"]]) == "| a | b |\n| --- | --- |\n| 1 |  |"

    @pytest.mark.parametrize("value, text", [(0.1234, "0.123"), (1.0, "1"), (12.34, "12.3"), (1234.5, "1,234")])
    def test_three_figures(self, value, text):
        assert number(value) == text

    def test_who_is_not_there_says_why(self):
        text = matmul.tables(matmul_result(), str)
        assert "| onnxruntime-web WebGPU | not available (no graphics chip) |" in text
        assert "| limit in wasm, FMA | 10 | 10 | 10 | 10 |" in text

    def test_chinese_has_no_english_sentence(self):
        told = {"matmul": matmul_result(), "growth": growth_result()}
        text = report.block({name: {"machine": MACHINE, **part} for name, part in told.items()}, "zh")
        assert "没有 (没有显卡)" in text
        assert "not available" not in text and "threads" not in text and "missed" not in text

    def test_an_unknown_word_is_an_error(self):
        with pytest.raises(KeyError):
            words.chinese("nobody translated this")


class TestGrowth:
    @pytest.mark.parametrize("power", [1, 2, 2.5])
    def test_the_exponent_is_found(self, power):
        assert growth_result(power)["exponents"] == pytest.approx(dict.fromkeys(growth.WHO, power))

    def test_the_small_sizes_do_not_count(self):
        rows = growth_result()["rows"]
        rows[0]["fast"] *= 100
        assert growth.exponent(rows, "fast") == pytest.approx(2)

    def test_the_chart_has_a_line_for_each_inside_its_frame(self):
        drawn = chart.chart(growth_result())
        lines = [line.split('points="')[1].split('"')[0].split() for line in drawn.splitlines() if "polyline" in line]
        assert len(lines) == len(growth.WHO)
        for line in lines:
            points = np.array([point.split(",") for point in line], dtype=float)
            assert len(points) == len(growth.SIZES)
            assert (np.diff(points[:, 0]) > 0).all() and (np.diff(points[:, 1]) < 0).all()
            assert points.min() >= chart.TOP and points[:, 1].max() <= chart.HEIGHT - chart.BOTTOM


class TestReadme:
    def results(self, **machine):
        return {
            "growth": {"machine": MACHINE, **growth_result()},
            "matmul": {"machine": {**MACHINE, **machine}, **matmul_result()},
        }

    def test_only_what_is_between_the_marks_changes(self):
        readme = f"before\n{report.BEGIN}\nold\n{report.END}\nafter"
        assert report.with_block(readme, "new") == f"before\n{report.BEGIN}\n\nnew\n\n{report.END}\nafter"

    def test_without_marks_nothing_is_guessed(self):
        with pytest.raises(BuildError, match="bench"):
            report.with_block("no marks", "new")

    def test_the_parts_stand_in_one_order(self):
        text = report.block(self.results(), "en")
        assert text.index("GFLOP/s") < text.index("ms of attention") < text.index("goals met")
        assert text.startswith("Chip, 2 cores, Linux, Chromium 156, 2026-11-30; NumPy 2.")

    def test_days_are_told_and_machines_not_mixed(self):
        assert "2026-11-29, 2026-11-30" in report.block(self.results(date="2026-11-29"), "en")
        with pytest.raises(BuildError, match="different machines"):
            report.block(self.results(cpu="another"), "en")

    def test_the_missed_goals_are_named_in_front(self):
        line = report.summary([Goal("float32 512: plain / limit", 0.9, 0.95), Goal("x", 2, 1)], "en")
        assert line == "1 of 2 goals met. missed: float32 512: plain / limit 0.90 (≥ 0.95)"


class TestPublish:
    @pytest.fixture(autouse=True)
    def elsewhere(self, tmp_path, monkeypatch):
        (tmp_path / "docs").mkdir()
        readmes = {language: tmp_path / f"README.{language}.md" for language in report.READMES}
        places = {"ROOT": tmp_path, "RESULTS": tmp_path / "bench-results.json", "READMES": readmes}
        places |= {"PUBLISHED": tmp_path / "docs" / "results.json", "CHART": tmp_path / "docs" / "growth.svg"}
        for name, value in places.items():
            monkeypatch.setattr(report, name, value)
        for path in readmes.values():
            path.write_text(f"{report.BEGIN}{report.END}", "utf-8")

    def measured(self, rounds):
        results = {name: {"rounds": rounds, **told} for name, told in TestReadme().results().items()}
        report.RESULTS.write_text(json.dumps(results), "utf-8")
        return json.loads(json.dumps(results))

    def test_results_chart_and_tables_go_out_together(self):
        results = self.measured(rounds=report.ROUNDS)
        report.publish()
        assert json.loads(report.PUBLISHED.read_text("utf-8")) == results
        assert report.CHART.read_text("utf-8") == chart.chart(results["growth"])
        for language, path in report.READMES.items():
            assert report.block(results, language) in path.read_text("utf-8")

    def test_again_without_new_results(self):
        self.measured(rounds=report.ROUNDS)
        report.publish()
        report.RESULTS.unlink()
        before = report.READMES["zh"].read_text("utf-8")
        report.publish()
        assert report.READMES["zh"].read_text("utf-8") == before

    def test_quick_results_are_not_for_readers(self):
        self.measured(rounds=1)
        with pytest.raises(BuildError, match="growth, matmul: measured with --quick"):
            report.publish()
        assert not report.PUBLISHED.exists()


class TestMeasured:
    def test_the_article_and_the_kernel_compute_the_same(self):
        space = {}
        exec("import numpy as np\n" + attention.article(), space)
        X = heads.sequence(16, float)
        loop = heads.article_with_our_weights(space["article_attention"], X)
        assert np.allclose(loop, heads.kernel(X, np.eye(heads.D_MODEL)), atol=1e-6)

    def test_repeated_products_stay_of_one_size(self):
        left, right = products.PRODUCTS["float32 128"]
        product = left
        for _ in range(products.times("float32 128")):
            product = product @ right
        assert 0.1 < product.std() < 10

    def test_flops_are_two_for_each_multiply_add(self):
        for name, (left, right) in products.PRODUCTS.items():
            assert products.flops(left, right) == 2 * (left @ right).size * left.shape[-1], name

    def test_protobuf_has_the_bytes_that_its_manual_says(self):
        """Field 1 as text "MatMul"... and a varint of two bytes."""
        written = model([node("MatMul", ["A", "B"], "Y")], {"A": None}, {"Y": None}, {"c": np.array([300], np.int64)})
        assert written.startswith(b"\x08\x08\x3a") and b"\x0a\x01A\x0a\x01B\x12\x01Y\x22\x06MatMul" in written
        assert b"\x08\x01\x10\x07\x42\x01c\x4a\x08\x2c\x01" in written
        assert node("T", [], "Y", perm=[200]).endswith(b"\x2a\x0c\x0a\x04perm\x40\xc8\x01\xa0\x01\x07")


class TestDoor:
    def test_an_unknown_part_names_the_known_ones(self):
        with pytest.raises(BuildError) as caught:
            bench.bench(["matmull"], [])
        assert "matmull" in str(caught.value) and "matmul, attention" in str(caught.value)

    @pytest.mark.parametrize("name", bench.PARTS)
    def test_every_part_can_be_measured_told_and_judged(self, name):
        part = importlib.import_module(report.module(name).__name__)
        assert all(callable(getattr(part, function)) for function in ("measure", "tables", "goals"))

    def test_results_are_plain_json(self):
        assert json.loads(json.dumps(TestReadme().results()))["growth"]["rows"][0]["n"] == 64

    def test_both_languages_have_a_way_to_speak(self):
        assert words_of("en")("goal") == "goal" and words_of("zh")("goal") == "目标"
