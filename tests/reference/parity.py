"""How far our models are from Hugging Face's, on the committed values of models.npz.

    python tests/reference/parity.py        prints the largest error of each model

Compared are the logits, every hidden state, every attention, what is generated, and the slopes of the loss.
"""

import json
import sys
from dataclasses import fields
from functools import cache
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[1] / "py"))

from directions import along  # noqa: E402

from seeformer.models.bart import Bart  # noqa: E402
from seeformer.models.bert import Bert  # noqa: E402
from seeformer.models.gpt import GPT2  # noqa: E402
from seeformer.models.relative import buckets  # noqa: E402
from seeformer.models.t5 import T5  # noqa: E402
from seeformer.models.vit import ViT  # noqa: E402
from seeformer.trace import trace  # noqa: E402

MODELS = {"bert": Bert, "bert_mlm": Bert, "gpt2": GPT2, "bart": Bart, "t5": T5, "t5_gated": T5, "vit": ViT}
STACKS = {"gpt2": "decoder"}
SEQ2SEQ = "bart", "t5", "t5_gated"


@cache
def cases():
    """case -> kind -> name -> array"""
    found = {}
    with np.load(HERE / "models.npz") as arrays:
        for key, values in arrays.items():
            _, case, kind, name = key.split("/")
            found.setdefault(case, {}).setdefault(kind, {})[name] = values
    return found


def config(case):
    given = json.loads(str(cases()[case]["given"]["config"]))
    if "id2label" in given:
        given["num_labels"] = len(given["id2label"])
    kind = MODELS[case].Config
    return kind(**{field.name: given[field.name] for field in fields(kind) if field.name in given})


def model(case, weights=None):
    return MODELS[case](config(case), cases()[case]["weights"] if weights is None else weights)


def arguments(case):
    """What goes into ``forward``."""
    return {name: values for name, values in cases()[case]["given"].items() if name not in ("config", "targets")}


def ours(case):
    """Our values under the names of theirs."""
    one = model(case)
    with trace() as seen:
        one.forward(**arguments(case))
        if case == "bert":
            one.pool(seen["encoder.output"])
    found = {name: seen[name] for name in ("logits", "pooled") if name in seen}
    for name in cases()[case]["out"]:
        kind, _, layer = name.partition(".")
        if layer and kind != "buckets":
            found[name] = seen[place(case, kind, int(layer))]
    for both in (0, 1) if case.startswith("t5") else ():
        found[f"buckets.{both}"] = bucket_row(both)
    return found


def place(case, kind, layer):
    """Where ``see`` puts what Hugging Face returns as ``kind`` of a layer."""
    words = kind.split("_")
    stack = {"encoder": "encoder", "decoder": "decoder", "cross": "decoder"}.get(words[0], STACKS.get(case, "encoder"))
    if words[-1] == "attention":
        return f"{stack}.{layer}.{'cross' if words[0] == 'cross' else 'self'}.weights"
    embeddings = f"{stack}.embeddings.output" if case in SEQ2SEQ else "embeddings.output"
    last = layer == sum(name.startswith(f"{kind}.") for name in cases()[case]["out"]) - 1
    return embeddings if layer == 0 else f"{stack}.output" if last else f"{stack}.{layer - 1}.output"


def bucket_row(both):
    """Every distance from -300 to 300, as a query in the middle, or at either end, sees it."""
    left, right = buckets(1, 301, both_ways=bool(both)), buckets(301, 301, both_ways=bool(both))[:1, 1:]
    return np.concatenate([left, right], axis=1)[0]


def errors(case):
    """name -> largest difference. Where GPT-2's filling stands before the text, its queries see nothing: left out."""
    found, theirs = ours(case), cases()[case]["out"]
    assert found.keys() == theirs.keys()
    real = cases()[case]["given"]["attention_mask"] > 0 if case == "gpt2" else None
    largest = {}
    for name, expected in theirs.items():
        assert found[name].shape == expected.shape, name
        difference = abs(found[name] - expected)
        if real is not None:
            difference = difference.swapaxes(1, 2)[real] if name.startswith("attention") else difference[real]
        largest[name] = float(difference.max())
    return largest


def texts(case):
    """(name, our tokens and scores, theirs) of everything that was generated."""
    said = cases()[case].get("text", {})
    one = model(case)
    for number, source in enumerate(said.get("sources", ())):
        steps, start = int(said["steps"]), [] if case in SEQ2SEQ else source.tolist()
        start = [one.start_token] if case in SEQ2SEQ else start
        tokens = start + [chosen.token for chosen in one.generate(source, steps)]
        yield f"greedy.{number}", [(tokens, 0.0)], [(said[f"greedy.{number}"].tolist(), 0.0)]
        for way in range(5):
            options = json.loads(str(said[f"beam.{way}.options"]))
            found = [(list(beam.tokens), beam.score) for beam in one.beam_search(source, steps, **options)]
            rows = said[f"beam.{way}.{number}"].tolist()
            scores = said[f"beam.{way}.{number}.scores"].tolist()
            theirs = list(zip(rows, scores, strict=True))
            yield f"beam.{way}.{number}", found, [beam for beam in theirs if beam[1] > -1e8]  # the rest are empty


def same_text(found, theirs):
    """Token by token, up to the filling behind a text that ended early; scores within 1e-4."""
    return len(found) == len(theirs) and all(
        tokens == row[: len(tokens)] and set(row[len(tokens) :]) <= {1} and abs(score - other) < 1e-4
        for (tokens, score), (row, other) in zip(found, theirs, strict=True)
    )


def loss(weights, case):
    """Cross-entropy of the targets, as a function of the weights; a target of -100 is none, as in PyTorch."""
    logits, targets = model(case, weights).forward(**arguments(case)), cases()[case]["given"]["targets"]
    shifted = logits - logits.max(axis=-1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    chosen = np.arange(logs.shape[-1]) == targets[..., None]
    return -(logs * chosen).sum() / (targets >= 0).sum()


def slope_error(case):
    """The largest difference of a slope, as a part of the largest slope."""
    from seeformer.learn.gradients import grad

    weights = {name: values.astype(np.float64) for name, values in cases()[case]["weights"].items()}
    gradients = grad(loss)(weights, case)
    said = cases()[case]["slope"]
    theirs = dict(zip(json.loads(str(said["names"])), said["values"], strict=True))
    places = {name: number for number, name in enumerate(cases()[case]["weights"])}
    largest = max(abs(values).max() for values in theirs.values())
    return max(abs(along(gradients[name], places[name]) - values).max() for name, values in theirs.items()) / largest


def table():
    """One line a model."""
    yield f"{'model':<10}{'logits':>10}{'hidden':>10}{'attention':>11}{'texts':>9}{'slopes':>10}"
    for case in MODELS:
        found = errors(case)
        kinds = {kind: [e for name, e in found.items() if kind in name] for kind in ("logits", "hidden", "attention")}
        numbers = [f"{max(errors):.1e}" if errors else "" for errors in kinds.values()]
        agreed = [same_text(*pair) for _, *pair in texts(case)]
        told = f"{sum(agreed)}/{len(agreed)}" if agreed else ""
        slope = f"{slope_error(case):.1e}" if "slope" in cases()[case] else ""
        yield f"{case:<10}{numbers[0]:>10}{numbers[1]:>10}{numbers[2]:>11}{told:>9}{slope:>10}"


if __name__ == "__main__":
    for line in table():
        print(line, flush=True)
