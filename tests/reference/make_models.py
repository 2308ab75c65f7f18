"""Make models.npz: what transformers 5.24 on PyTorch 2.13 says about small models of the family, for parity.py.

    python tests/reference/make_models.py [FILE]

Keys are ``float32/<case>/<kind>/<name>``: ``given`` (config as JSON, arrays that go in), ``weights`` (under the names
of the .safetensors file), ``out`` (what must come out), ``text`` (what was generated, beside the options as JSON) and
``slope`` (of the loss by each weight, along three seeded directions: a gradient is too large to keep). Weights and
inputs come from a seeded NumPy, large enough that no attention is even and no two tokens score alike.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
import torch
import transformers
from directions import along
from safetensors.numpy import load_file, save_file
from transformers import generation

HERE = Path(__file__).parent
VERSIONS = {"torch": "2.13", "transformers": "5.24"}
VOCAB = 47
BEAMS = (
    {"num_beams": 3},
    {"num_beams": 4, "length_penalty": 2.0, "early_stopping": True},
    {"num_beams": 2, "length_penalty": -1.0, "early_stopping": "never"},
    {"num_beams": 4, "length_penalty": 0.0, "early_stopping": "never"},
    {"num_beams": 5, "length_penalty": 0.7, "early_stopping": "never"},
)


def weights_for(rng, shapes, eos):
    """Gains near 1, small biases, tables of size 1, matrices that keep the size of what goes through.

    Tied tables of size 1 would repeat their input for ever; a little more for the end, and some texts have one.
    """
    weights = {}
    for name, shape in shapes.items():
        values = rng.standard_normal(shape)
        if name.endswith("bias"):
            values *= 0.3
        elif len(shape) == 1:
            values = 1 + 0.2 * values
        elif "embed" not in name and "w.e" not in name and "shared" not in name and "relative" not in name:
            values *= 1.3 / np.sqrt(shape[-1])
        if "shared" in name:
            values *= 0.4
            values[eos] *= 2.6
        if name == "final_logits_bias":
            values[:, eos] += 4
        weights[name] = values.astype(np.float32)
    return weights


def loaded(kind, config, rng):
    """(model, its weights): saved once for the names in the file, then loaded from our own numbers."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.safetensors"
        kind(config).save_pretrained(folder)
        shapes = {name: values.shape for name, values in load_file(file).items()}
        weights = weights_for(rng, shapes, getattr(config, "eos_token_id", None))
        save_file(weights, file, {"format": "pt"})
        model = kind.from_pretrained(folder, attn_implementation="eager").eval()
        settings = json.loads((Path(folder) / "config.json").read_text())
    return model, weights, settings


def numbers(rng, *shape):
    return rng.integers(3, VOCAB, shape)


def padded(n, *lengths):
    return (np.arange(n) < np.array(lengths)[:, None]).astype(np.int64)


def layers(**groups):
    """name.i -> array, for what a model returns layer by layer."""
    return {f"{name}.{i}": one.detach().numpy() for name, group in groups.items() for i, one in enumerate(group)}


def ran(model, **given):
    tensors = {name: torch.from_numpy(values) for name, values in given.items()}
    return model(**tensors, output_hidden_states=True, output_attentions=True)


def slopes(model, weights, loss):
    """How the loss changes along three directions of each weight. It is the last thing done with a model."""
    model.zero_grad()
    loss.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.zeros_like(parameter) if parameter.grad is None else parameter.grad)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)  # which knows what the file calls each of them
        gradients = load_file(Path(folder) / "model.safetensors")
    buffers = dict(model.named_buffers())
    found = {name: along(gradients[name], place) for place, name in enumerate(weights) if name not in buffers}
    return {"names": np.array(json.dumps(list(found))), "values": np.array(list(found.values()))}


def cross_entropy(logits, targets):
    return torch.nn.functional.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), torch.from_numpy(targets).reshape(-1)
    )


def bert(rng, head):
    config = transformers.BertConfig(
        **{"vocab_size": VOCAB, "hidden_size": 20, "num_hidden_layers": 2, "num_attention_heads": 4},
        **{"intermediate_size": 27, "max_position_embeddings": 11, "type_vocab_size": 2},
    )
    model, weights, settings = loaded(transformers.BertForMaskedLM if head else transformers.BertModel, config, rng)
    given = {"ids": numbers(rng, 3, 9), "segments": (np.arange(9) > [[4], [2], [8]]).astype(np.int64)}
    given["attention_mask"] = padded(9, 9, 5, 1)
    names = {"ids": "input_ids", "segments": "token_type_ids"}
    said = ran(model, **{names.get(name, name): values for name, values in given.items()})
    out = layers(hidden=said.hidden_states, attention=said.attentions)
    if not head:
        return settings, weights, given, out | {"pooled": said.pooler_output.detach().numpy()}, {}, {}
    targets = numbers(rng, 3, 9)
    out["logits"] = said.logits.detach().numpy()
    return (
        settings,
        weights,
        given | {"targets": targets},
        out,
        {},
        slopes(model, weights, cross_entropy(said.logits, targets)),
    )


def gpt2(rng):
    config = transformers.GPT2Config(
        **{"vocab_size": VOCAB, "n_embd": 20, "n_layer": 2, "n_head": 4, "n_positions": 23, "n_inner": 33},
        **{"bos_token_id": 0, "eos_token_id": 2, "scale_attn_by_inverse_layer_idx": True},
    )
    model, weights, settings = loaded(transformers.GPT2LMHeadModel, config, rng)
    given = {"ids": numbers(rng, 2, 7), "attention_mask": padded(7, 3, 7)[:, ::-1].copy()}  # filling comes first
    given["positions"] = np.maximum(given["attention_mask"].cumsum(-1) - 1, 0)
    names = {"ids": "input_ids", "positions": "position_ids"}
    said = ran(model, **{names.get(name, name): values for name, values in given.items()})
    out = layers(hidden=said.hidden_states, attention=said.attentions) | {"logits": said.logits.detach().numpy()}
    targets = np.where(given["attention_mask"], numbers(rng, 2, 7), -100)  # a loss of the text, not of the filling
    text = generated(model, numbers(rng, 3, 5), 12) | sampled(rng)
    slope = slopes(model, weights, cross_entropy(said.logits, targets))
    return settings, weights, given | {"targets": targets}, out, text, slope


def sampled(rng):
    """What is left of a row of logits after each way of choosing."""
    logits = (3 * rng.standard_normal((4, VOCAB))).astype(np.float32)
    found = {"logits": logits}
    ways = (
        {"temperature": 0.7},
        {"top_k": 5},
        {"top_p": 0.8},
        {"temperature": 1.6, "top_k": 9, "top_p": 0.6},
        {"top_p": 0.01},
    )
    steps = {
        "temperature": generation.TemperatureLogitsWarper,
        "top_k": generation.TopKLogitsWarper,
        "top_p": generation.TopPLogitsWarper,
    }
    for number, way in enumerate(ways):
        scores = torch.from_numpy(logits)
        for name, value in way.items():
            scores = steps[name](value)(None, scores)
        found |= {f"shares.{number}.options": np.array(json.dumps(way)), f"shares.{number}": scores.softmax(-1).numpy()}
    return found


def generated(model, sources, steps):
    """Greedy and beam search of each source, beside the options; all finished beams and their scores."""
    found = {"sources": sources, "steps": np.int64(steps)}
    limit = {"max_new_tokens": steps, "pad_token_id": 1}
    for number, source in enumerate(sources):
        ids = torch.from_numpy(source[None])
        found[f"greedy.{number}"] = model.generate(ids, **limit, do_sample=False)[0].numpy()
    for way, options in enumerate(BEAMS):
        found[f"beam.{way}.options"] = np.array(json.dumps(options))
        for number, source in enumerate(sources):
            said = model.generate(
                torch.from_numpy(source[None]),
                **limit,
                **options,
                num_return_sequences=options["num_beams"],
                return_dict_in_generate=True,
                output_scores=True,
            )
            found[f"beam.{way}.{number}"] = said.sequences.numpy()
            found[f"beam.{way}.{number}.scores"] = said.sequences_scores.numpy()
    return found


def seq2seq(rng, kind, config):
    model, weights, settings = loaded(kind, config, rng)
    given = {"ids": numbers(rng, 2, 8), "decoder_ids": numbers(rng, 2, 6)}
    given |= {"attention_mask": padded(8, 8, 5), "decoder_attention_mask": padded(6, 4, 6)}
    names = {"ids": "input_ids", "decoder_ids": "decoder_input_ids"}
    said = ran(model, **{names.get(name, name): values for name, values in given.items()})
    out = layers(
        encoder_hidden=said.encoder_hidden_states,
        encoder_attention=said.encoder_attentions,
        decoder_hidden=said.decoder_hidden_states,
        decoder_attention=said.decoder_attentions,
        cross_attention=said.cross_attentions,
    )
    out["logits"] = said.logits.detach().numpy()
    targets = numbers(rng, 2, 6)
    text = generated(model, numbers(rng, 3, 7), 10)
    slope = slopes(model, weights, cross_entropy(said.logits, targets))
    return settings, weights, given | {"targets": targets}, out, text, slope


def bart(rng):
    config = transformers.BartConfig(
        **{"vocab_size": VOCAB, "d_model": 16, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4},
        **{"decoder_attention_heads": 2, "encoder_ffn_dim": 21, "decoder_ffn_dim": 19, "max_position_embeddings": 17},
        **{"scale_embedding": True, "forced_eos_token_id": 2},
    )
    return seq2seq(rng, transformers.BartForConditionalGeneration, config)


def t5(rng, **different):
    config = transformers.T5Config(
        **{"vocab_size": VOCAB, "d_model": 16, "d_kv": 5, "d_ff": 21, "num_layers": 2, "num_heads": 4},
        **{"relative_attention_num_buckets": 8, "relative_attention_max_distance": 12, "decoder_start_token_id": 0},
        **different,
    )
    found = seq2seq(rng, transformers.T5ForConditionalGeneration, config)
    return (*found[:3], found[3] | bucketed(), *found[4:])


def bucketed():
    """The buckets of 32 up to a distance beyond the last, both ways and one way."""
    distance = torch.arange(-300, 301)
    bucket = transformers.models.t5.modeling_t5.T5Attention._relative_position_bucket
    return {f"buckets.{both}": bucket(distance, bool(both), 32, 128).numpy() for both in (0, 1)}


def vit(rng):
    config = transformers.ViTConfig(
        **{"hidden_size": 20, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 27},
        **{"image_size": 12, "patch_size": 4, "num_channels": 3, "num_labels": 5},
    )
    model, weights, settings = loaded(transformers.ViTForImageClassification, config, rng)
    pixels = rng.standard_normal((2, 3, 12, 12)).astype(np.float32)
    said, targets = ran(model, pixel_values=pixels), np.array([4, 0])
    out = layers(hidden=said.hidden_states, attention=said.attentions) | {"logits": said.logits.detach().numpy()}
    slope = slopes(model, weights, cross_entropy(said.logits, targets))
    return settings, weights, {"pixels": pixels, "targets": targets}, out, {}, slope


CASES = {
    "bert": lambda rng: bert(rng, head=False),
    "bert_mlm": lambda rng: bert(rng, head=True),
    "gpt2": gpt2,
    "bart": bart,
    "t5": t5,
    "t5_gated": lambda rng: t5(rng, feed_forward_proj="gated-gelu", tie_word_embeddings=False),
    "vit": vit,
}


def make(file):
    for package, version in VERSIONS.items():
        found = sys.modules[package].__version__
        assert found.startswith(version), f"{package} {found}: install {version}"
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    arrays = {}
    for place, (case, run) in enumerate(CASES.items()):
        settings, weights, given, out, text, slope = run(np.random.default_rng((2017, place)))
        settings = {name: value for name, value in settings.items() if name != "transformers_version"}
        given = {"config": np.array(json.dumps(settings))} | given
        for kind, group in {"given": given, "weights": weights, "out": out, "text": text, "slope": slope}.items():
            arrays |= {f"float32/{case}/{kind}/{name}": values for name, values in group.items()}
    np.savez_compressed(file, **arrays)


if __name__ == "__main__":
    make(sys.argv[1] if len(sys.argv) > 1 else HERE / "models.npz")
