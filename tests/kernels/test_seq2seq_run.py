"""The seq2seq lab: what it says of the models is true of the arrays that it shows."""

import math

import numpy as np
import pytest

from seeformer.labs.seq2seq import run
from seeformer.labs.seq2seq_model import LONGEST, MOST_STEPS, choose, t5_spread

STYLES = "bart", "t5"
EACH_STYLE = pytest.mark.parametrize("style", STYLES)
SIZES = {"num_layers": 2, "num_heads": 4, "d_model": 32, "seed": 38, "sharpness": 2.0}
CROSS = [f"decoder.{layer}.cross.{head}" for layer in range(2) for head in range(4)]


def written(**params):
    *_, last = run(generate=True, **params)
    return last


def model(style, feed_forward="gated-gelu", **sizes):
    return choose("二〇二六年十一月三十日", "2026-11-30", style, feed_forward, **SIZES | sizes).model


# What the prose says.


@EACH_STYLE
def test_everyone_looks_at_everyone_in_the_encoder_and_nobody_ahead_in_the_decoder(style):
    shown = run(style=style)
    assert (shown["encoder_weights"] > 0).all()
    ahead = np.triu_indices(shown["decoder_weights"].shape[-1], 1)
    assert (shown["decoder_weights"][..., *ahead] == 0).all()
    for which in ("encoder", "decoder", "cross"):
        np.testing.assert_allclose(shown[f"{which}_weights"].sum(-1), 1, rtol=1e-5)


@EACH_STYLE
def test_without_cross_attention_no_change_of_the_source_moves_a_prediction(style):
    # These have the same characters in the same order of first sight: the vocabulary stays.
    one, other = (run(source=source, style=style, ablated=CROSS) for source in ("abab", "abba"))
    np.testing.assert_array_equal(one["answer_probabilities"], other["answer_probabilities"])
    one, other = (run(source=source, style=style) for source in ("abab", "abba"))
    assert abs(one["answer_probabilities"] - other["answer_probabilities"]).max() > 1e-4


@EACH_STYLE
def test_the_decoder_is_given_the_target_one_place_late(style):
    shown = run(style=style)
    assert shown["target_tokens"][1:] == shown["answers"][:-1]
    assert shown["target_tokens"][0] == {"bart": "</s>", "t5": "<pad>"}[style]
    assert shown["answers"][-1] == "</s>"


@EACH_STYLE
def test_no_position_sees_a_later_answer(style):
    one, other = (run(style=style, target=target) for target in ("2026-11-30", "2026-30-11"))
    first = [a == b for a, b in zip(one["target_tokens"], other["target_tokens"], strict=True)].index(False)
    same = one["next_probabilities"][:first], other["next_probabilities"][:first]
    np.testing.assert_allclose(*same, rtol=1e-4)
    assert abs(one["next_probabilities"] - other["next_probabilities"])[first:].max() > 1e-3


@EACH_STYLE
def test_one_pass_asks_what_each_beginning_alone_would(style):
    chosen = choose("二〇二六年十一月三十日", "2026-11-30", style, "gated-gelu", **SIZES)
    ids = chosen.model.shift_right(chosen.target)
    whole = chosen.model.forward(chosen.source, ids)
    for n in range(1, len(ids) + 1):
        np.testing.assert_allclose(chosen.model.forward(chosen.source, ids[:n])[-1], whole[n - 1], atol=2e-5)


def test_bart_adds_a_vector_for_each_position_and_t5_none():
    bart, t5 = run(style="bart"), run(style="t5")
    assert bart["encoder_positions"].shape == (13, 32) and bart["decoder_positions"].shape == (12, 32)
    assert not [name for name in bart if "bias" in name or "buckets" in name]
    assert "encoder_positions" not in t5 and "decoder_positions" not in t5


def test_untrained_neighbours_are_nothing_alike():
    positions = run(source="a" * 60, d_model=256, num_heads=4)["encoder_positions"]
    unit = positions / np.linalg.norm(positions, axis=-1, keepdims=True)
    assert abs((unit[1:] * unit[:-1]).sum(-1).mean()) < 0.05


def test_in_t5_the_same_distance_has_the_same_number_in_all_layers_and_each_head_its_own():
    shown = run(style="t5", source="二〇二六年十一月三十日三十日三十日三十日")
    for side in ("encoder", "decoder"):
        bias = shown[f"{side}_bias"]
        for distance in range(-len(bias[0]) + 1, len(bias[0])):
            diagonals = np.diagonal(bias, distance, axis1=1, axis2=2)
            assert (diagonals == diagonals[:, :1]).all()
        assert len({tuple(head.ravel()) for head in bias}) == 4
    for layer in (1, 2):
        for head in range(1, 5):
            added = run(style="t5", attention="encoder", layer=layer, head=head)["added"]
            np.testing.assert_array_equal(added, run(style="t5")["encoder_bias"][head - 1])


def test_near_distances_have_a_bucket_each_and_far_ones_share():
    row = run(style="t5", target="0" * 40)["decoder_buckets"][-1][::-1]  # from near to far
    assert row[:4].tolist() == [0, 1, 2, 3]
    assert (np.diff(row) >= 0).all() and (row[16:] == 7).all()
    assert (np.triu(run(style="t5")["decoder_buckets"], 1) == 0).all()
    encoder = run(style="t5")["encoder_buckets"]
    assert (encoder[np.triu_indices(12, 1)] >= 4).all() and (encoder[np.tril_indices(12)] < 4).all()


def test_t5_has_nothing_added_in_cross_attention():
    assert (run(style="t5", attention="cross")["added"] == 0).all()


def test_bart_divides_its_scores_and_t5_starts_w_q_smaller():
    assert run(style="bart")["scale"] == pytest.approx(1 / math.sqrt(8))
    assert run(style="t5")["scale"] == 1
    assert t5_spread("decoder.block.0.layer.0.SelfAttention.q.weight", (32, 32), 8) == pytest.approx(1 / math.sqrt(256))
    stds = {style: run(style=style, d_model=256, sharpness=1.0)["scores"].std() for style in STYLES}
    assert 0.4 < stds["t5"] / stds["bart"] < 2.5, "so that the scores come out alike"


def test_bart_has_biases_and_t5_none():
    def biases(style):
        return [name for name in model(style).weights if name.endswith(".bias")]

    assert len(biases("bart")) > 20 and biases("t5") == []


def test_norms_come_after_in_bart_and_before_in_t5():
    for style, first in (("bart", False), ("t5", True)):
        layers = [layer for stack in model(style).layers.values() for layer in stack]
        assert {layer.norm_first for layer in layers} == {first}


def test_t5_divides_by_the_root_mean_square_alone():
    norm = model("t5").layers["encoder"][0].self_norm
    x = np.random.default_rng(0).standard_normal((3, 32)) + 5
    np.testing.assert_allclose(norm(x), x / np.sqrt((x**2).mean(-1, keepdims=True)), rtol=1e-5)


@pytest.mark.parametrize("feed_forward", ["relu", "gated-gelu"])
def test_only_t5_1_1_has_a_gate(feed_forward):
    gates = [name for name in model("t5", feed_forward).weights if ".wi_0." in name]
    assert bool(gates) == (feed_forward == "gated-gelu")


# Writing.


@pytest.mark.parametrize("params", [{}, {"source": "November 30, 2026", "seed": 43}], ids=["zh", "en"])
def test_the_likeliest_token_at_each_step_need_not_make_the_likeliest_text(params):
    last = written(**params)
    assert last["finished_sums"][0] > last["greedy_sum"] + 0.5
    assert last["finished_texts"][0] != last["greedy_text"]


@EACH_STYLE
def test_every_token_lowers_the_sum(style):
    last = written(style=style, num_beams=4)
    scores, parents = last["beam_scores"], last["beam_parents"]
    for step in range(1, len(scores)):
        alive = ~np.isnan(scores[step])
        assert (scores[step][alive] <= scores[step - 1][parents[step][alive]]).all()


@EACH_STYLE
def test_each_kept_text_is_its_parent_and_one_token_more(style):
    last = written(style=style)
    beams = last["beam_scores"].shape[1]
    text = last["beam_texts"]
    for at in range(beams, len(text)):
        step, place = divmod(at, beams)
        if not np.isnan(last["beam_scores"][step, place]):
            assert text[at] == text[(step - 1) * beams + last["beam_parents"][step, place]] + last["beam_tokens"][at]
    for whole, token, length, parent in zip(
        *(last[f"finished_{name}"] for name in ("texts", "tokens", "lengths", "parents")), strict=True
    ):
        if length > 1:
            assert whole == text[(length - 2) * beams + parent] + token


@EACH_STYLE
def test_a_finished_text_is_divided_by_its_length_to_the_power(style):
    for power in (-1.0, 0.0, 1.5):
        last = written(style=style, length_penalty=power)
        np.testing.assert_allclose(
            last["finished_scores"], last["finished_sums"] / last["finished_lengths"] ** power, rtol=1e-6
        )
        assert (np.diff(last["finished_scores"]) <= 0).all()


def test_sums_alone_favour_short_texts():
    lengths = {
        power: np.mean(
            [written(seed=seed, length_penalty=power, num_beams=4)["finished_lengths"][0] for seed in range(12)]
        )
        for power in (-1.0, 0.0, 1.0)
    }
    assert lengths[-1.0] <= lengths[0.0] < lengths[1.0]


@EACH_STYLE
def test_one_beam_is_greedy(style):
    beam, greedy = written(style=style, num_beams=1), written(style=style, method="greedy")
    assert beam["finished_texts"][0] == beam["greedy_text"] == greedy["written_text"]
    assert beam["finished_sums"][0] == pytest.approx(greedy["written_sum"], rel=1e-4)


@EACH_STYLE
def test_what_is_written_is_what_teacher_forcing_would_call_likeliest(style):
    last = written(style=style, method="greedy", steps=6)
    text = last["written"]
    chosen = choose("二〇二六年十一月三十日", "2026-11-30", style, "gated-gelu", **SIZES)
    ids = [chosen.model.start_token, *(chosen.names.index(token) for token in text)]
    logits = chosen.model.forward(chosen.source, np.array(ids[:-1]))
    free = len(text) - (style == "bart" and len(text) == 6)  # BART's last step ends in any case
    assert [chosen.names[at] for at in logits.argmax(-1)[:free]] == text[:free]


def test_a_seed_draws_the_same_and_another_seed_another():
    texts = [written(method="sampled", draw=draw)["written_text"] for draw in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_written_reads_is_the_mean_of_cross_attention_at_each_step():
    last = written(method="greedy", steps=5)
    assert last["written_reads"].shape == (len(last["written"]), 13)
    np.testing.assert_allclose(last["written_reads"].sum(-1), 1, rtol=1e-5)
    np.testing.assert_allclose(last["written_reads"][0], run()["cross_mean"][0], rtol=1e-4)


@pytest.mark.parametrize("method", ["greedy", "beam"])
def test_silenced_heads_and_hidden_tokens_hold_while_it_writes(method):
    plain = written(method=method)
    name = "written_text" if method == "greedy" else "beam_texts"
    assert written(method=method, ablated=CROSS)[name] != plain[name]
    assert written(method=method, hidden=["2", "3", "4"])[name] != plain[name]
    if method == "greedy":
        assert (written(method=method, hidden=["3"])["written_reads"][:, 3] == 0).all()


# What the pictures show.


@EACH_STYLE
@pytest.mark.parametrize("attention", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("hidden", [[], ["2"]])
def test_scores_and_what_is_added_are_what_softmax_gets(style, attention, hidden):
    shown = run(style=style, attention=attention, layer=2, head=3, hidden=hidden)
    np.testing.assert_allclose(shown["scores"] + shown["added"], shown["masked"], rtol=1e-5)
    np.testing.assert_array_equal(shown["attention"], shown[f"{attention}_weights"][1, 2])
    assert len(shown["queries"]) == len(shown["attention"]) and len(shown["keys"]) == len(shown["attention"][0])


@EACH_STYLE
def test_a_hidden_token_is_looked_at_by_nobody(style):
    shown = run(style=style, hidden=["2", "5", "99"])
    assert shown["hidden_tokens"].tolist() == [2, 5]
    others = np.delete(np.arange(len(shown["source_tokens"])), [2, 5])
    assert (shown["encoder_weights"][..., [2, 5]] == 0).all() and (shown["cross_weights"][..., [2, 5]] == 0).all()
    np.testing.assert_allclose(shown["cross_weights"][..., others].sum(-1), 1, rtol=1e-5)


@EACH_STYLE
def test_in_the_encoder_s_first_layer_hiding_only_deals_out_the_shares_anew_and_later_it_does_more(style):
    first = run(style=style, hidden=["2"], attention="encoder", layer=1)
    assert first["renormalised_error"] < 1e-6
    for where in ({"attention": "encoder", "layer": 2}, {"attention": "cross"}):
        later = run(style=style, hidden=["2"], **where)
        assert later["renormalised_error"] > 0.01
        assert later["renormalised_error"] == pytest.approx(abs(later["attention"] - later["renormalised"]).max())
    assert "renormalised" not in run(style=style, hidden=["2"], attention="decoder")


@EACH_STYLE
def test_loss_and_probabilities_are_of_the_answers(style):
    shown = run(style=style)
    np.testing.assert_allclose(shown["losses"], -np.log(shown["answer_probabilities"]), rtol=1e-4)
    assert shown["loss"] == pytest.approx(shown["losses"].mean())
    assert shown["loss_of_guessing"] == pytest.approx(math.log(shown["vocab_size"]))
    assert shown["right"] == sum(a == b for a, b in zip(shown["next_texts"], shown["answers"], strict=True))


@EACH_STYLE
def test_the_last_row_of_the_lens_is_the_prediction_itself(style):
    shown = run(style=style)
    layers, n, k = shown["lens_probabilities"].shape
    assert layers == 3
    assert shown["lens_texts"][-n * k :: k] == shown["next_texts"]
    np.testing.assert_allclose(shown["lens_probabilities"][-1, :, 0], shown["next_probabilities"], rtol=1e-4)


@EACH_STYLE
def test_what_the_chosen_position_reads_is_told_of_the_mean(style):
    shown = run(style=style, position=4)
    np.testing.assert_allclose(shown["cross_mean"], shown["cross_weights"].mean(axis=(0, 1)), rtol=1e-5)
    np.testing.assert_array_equal(shown["reads"][5], shown["cross_weights"][1, 1, 3])
    assert shown["reads_share"] == shown["cross_mean"][3].max()


def test_a_change_is_told_and_no_change_is_none():
    assert run()["moved"] == 0 and "compared_texts" not in run()
    changed = run(ablated=["decoder.0.cross.1", "decoder.7.cross.0"])
    assert changed["moved"] > 0 and changed["cross_silenced"].tolist() == [[0, 1]]
    assert changed["encoder_silenced"].size == changed["decoder_silenced"].size == 0
    assert changed["compared_texts"][0] == run()["texts"][0]


def test_the_vocabulary_is_what_the_texts_hold_and_the_special_tokens():
    assert run(source="ab", target="ba")["vocab_size"] == 6
    assert run(source="ab", target="ba", style="t5")["vocab_size"] == 5
    names = choose("ab", "c", "bart", "relu", **SIZES).names
    assert names == ["<s>", "<pad>", "</s>", "<unk>", "a", "b", "c"]


@EACH_STYLE
def test_no_sharpness_looks_at_everything_alike(style):
    shown = run(style=style, sharpness=0.0)
    np.testing.assert_allclose(shown["cross_weights"], 1 / len(shown["source_tokens"]), rtol=1e-5)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"source": ""}, "source=0 characters are too few or too many: use 1 to 64"),
        ({"target": "x" * 65}, "target=65 characters are too few or too many: use 1 to 64"),
        ({"style": "gpt"}, "style='gpt' is unknown: use one of bart, t5"),
        ({"feed_forward": "gelu"}, "feed_forward='gelu' is unknown: use one of relu, gated-gelu"),
        ({"num_heads": 5}, "d_model=32 is not divisible by num_heads=5: use a multiple of 5"),
        ({"attention": "self"}, "attention='self' is unknown: use one of encoder, decoder, cross"),
        ({"method": "best"}, "method='best' is unknown: use one of greedy, sampled, beam"),
        ({"num_beams": 9}, "num_beams=9 is too large: use at most 8"),
        ({"steps": 49}, "steps=49 is too large: use at most 48"),
        ({"ablated": ["x"]}, "ablated='x' is no head"),
        ({"top_p": 2}, "top_p=2 is too large: use at most 1"),
    ],
)
def test_what_it_refuses(params, message):
    with pytest.raises(ValueError) as refusal:
        run(**params)
    assert str(refusal.value).startswith(message)


@EACH_STYLE
@pytest.mark.parametrize("method", ["greedy", "sampled", "beam"])
def test_the_shortest_and_the_longest(style, method):
    for text, steps in (("x", 1), ("字" * LONGEST, MOST_STEPS)):
        last = written(source=text, target=text, style=style, method=method, steps=steps, num_beams=8, num_layers=1)
        assert len(last["target_tokens"]) == len(text) + 1 + (style == "bart")
