"""The whole Transformer, small and with random weights: its blocks as they ran, and the arrays of one of them."""

import numpy as np

from ..attention import softmax
from ..checks import whole
from ..models.transformer import KINDS, SUBLAYERS, Transformer, TransformerConfig
from ..sentence import sentence
from ..trace import scope, see, trace
from .architecture_blocks import blocks_of, stations, wires

START, END = "<s>", "</s>"
MOST_TOKENS = 24


def run(
    *,
    source=tuple("猫追老鼠"),
    target=("the", "cat", "chases", "the", "mouse"),
    parts="both",
    norm="post",
    num_layers=2,
    num_heads=4,
    d_model=16,
    d_ff=64,
    seed=0,
    block="encoder.0.self",
):
    """One forward pass: what it was made of, in order, and every array of the block on show.

    Parameters
    ----------
    source : list of str, 1 to 24
        What the encoder reads.
    target : list of str, 1 to 24
        What the decoder has written so far, behind a start sign.
    parts : {"both", "encoder", "decoder"}
    norm : {"post", "pre"}
    num_layers, num_heads, d_model, d_ff, seed : int
    block : str
        A name of the list ``blocks``. One that this model does not have gives the first of its kind.

    Returns
    -------
    dict
        ``blocks`` with ``kinds``, ``layers``, ``counts`` (parameters), the wires between them and the shape on each;
        the arrays and parameters of ``block`` and those that it reads; and the residual stream up to it.
    """
    source, target = (
        sentence(tokens, most=MOST_TOKENS, name=name) for name, tokens in (("source", source), ("target", target))
    )
    if parts not in KINDS:
        raise ValueError(f"parts={parts!r} is unknown: use one of {', '.join(KINDS)}")
    rows = {stack: {"encoder": source, "decoder": [START, *target]}[stack] for stack in KINDS[parts]}
    expected = [*target, END] if "decoder" in rows else []
    vocabulary = list(dict.fromkeys([*(token for tokens in rows.values() for token in tokens), *expected]))
    config = TransformerConfig(
        vocab_size=len(vocabulary),
        d_model=whole("d_model", d_model, least=1, most=128),
        num_heads=whole("num_heads", num_heads, least=1, most=16),
        d_ff=whole("d_ff", d_ff, least=1, most=1024),
        num_layers=whole("num_layers", num_layers, least=1, most=6),
        kind=parts,
        norm=norm,
    )
    model = _model(config, whole("seed", seed, least=0))
    ids = [np.array([vocabulary.index(token) for token in tokens]) for tokens in rows.values()]
    with trace() as seen:
        logits = model.forward(*ids)
        with scope("prediction"):
            probabilities = see("probabilities", softmax(logits))
    seen.need("logits", *(f"{stack}.embeddings.{name}" for stack in model.layers for name in ("token", "output")))

    blocks = blocks_of(seen)
    found = wires(blocks, seen, model.weights)
    at, last = _at(blocks, block), list(rows)[-1]
    stack = blocks[at].stack or last
    best = probabilities.argmax(axis=-1)
    facts = dict(parts=parts, norm=norm, num_layers=num_layers, num_heads=num_heads, d_k=d_model // num_heads)
    facts |= dict(d_model=d_model, d_ff=d_ff, m=len(source), n=len(target) + 1, total=model.parameter_count())
    facts |= dict(step=at, stack=stack, tokens=rows[stack], vocabulary=vocabulary)
    facts |= {f"{stack}_tokens": tokens for stack, tokens in rows.items()}
    facts |= dict(best=[vocabulary[i] for i in best], best_probability=probabilities.max(axis=-1), expected=expected)
    facts |= _listed(blocks, model, last) | {"absent": _absent(config)}
    facts |= {"wires": [f"{start}>{end}" for _, start, end in found]}
    facts |= {"carried": ["×".join(map(str, seen[array].shape)) for array, *_ in found]}
    facts |= {"logits": logits, "probabilities": probabilities}
    return facts | _shown(blocks[at], found, seen, model.weights) | _stream(blocks[: at + 1], stack, seen)


def _model(config, seed):
    """The model with seeded weights; float64, so that a reading can be checked to the last digit."""
    random = Transformer.random(config, seed)
    return Transformer(config, {name: values.astype(float) for name, values in random.weights.items()})


def _at(blocks, name):
    """Where the block stands; if it is not there, the first one of its kind, else the first."""
    names = [block.name for block in blocks]
    if name in names:
        return names.index(name)
    wanted = [block.kind for block in blocks]
    kind = next((part for part in reversed(str(name).split(".")) if part in wanted), wanted[0])
    return wanted.index(kind)


def _parameters(block, weights):
    """Names of the arrays that a block multiplies, adds or looks up: they begin with its name."""
    if block.kind in ("token", "logits"):
        return ["embedding"]
    start = f"{block.name}."
    return [name for name in weights if name.startswith(start) and "." not in name[len(start) :]]


def _listed(blocks, model, last):
    """The blocks; the parameters of each, of the layers and of the stacks. A table that two use counts once."""
    weights = model.weights
    parameters = {block.name: _parameters(block, weights) for block in blocks}
    first = next(block.name for block in blocks if parameters[block.name] == ["embedding"])
    shared = [name for name, names in parameters.items() if names == ["embedding"] and name != first]
    counts = [sum(weights[name].size for name in parameters[block.name]) for block in blocks]
    groups = [*model.layers, *(f"{stack}.{i}" for stack in model.layers for i in range(len(model.layers[stack])))]
    sizes = [sum(values.size for name, values in weights.items() if name.startswith(f"{group}.")) for group in groups]
    return {
        "blocks": [block.name for block in blocks],
        "kinds": [block.kind for block in blocks],
        "stacks": [block.stack or last for block in blocks],
        "layers": np.array([block.layer for block in blocks]),
        "counts": np.array(counts),
        "shared": shared,
        "groups": groups,
        "group_counts": np.array(sizes),
    }


def _absent(config):
    """The sublayers of the whole Transformer's layers that this one lacks, by its own list of weights."""
    have = Transformer.shapes(config)
    every = [f"{stack}.0.{sublayer}" for stack, sublayers in SUBLAYERS.items() for sublayer in sublayers]
    return [name for name in every if not any(weight.startswith(f"{name}.") for weight in have)]


def _shown(block, found, seen, weights):
    """The arrays of the block, those that it reads and its parameters, by their full names, and which is which."""
    inputs = [array for array, _, end in found if end == block.name]
    parameters = _parameters(block, weights)
    arrays = {name: seen[name] for name in (*inputs, *block.arrays)} | {name: weights[name] for name in parameters}
    lists = {"inputs": inputs, "arrays": list(block.arrays), "parameters": parameters}
    hidden = np.isneginf(arrays.get(f"{block.prefix}masked", 0)).sum()
    return arrays | lists | {"block": block.name, "kind": block.kind, "prefix": block.prefix, "hidden": hidden}


def _stream(blocks, stack, seen):
    """The residual stream of a stack behind the last of these blocks, and how large it was at each station before.

    Size: the root mean square of a token's numbers.
    """
    passed = [block for block in stations(blocks) if block.stack == stack]
    if not passed:  # the tokens' vectors are on their way to it
        passed = [block for block in blocks if block.stack == stack]
    streams = [seen[block.output] for block in passed]
    sizes = np.array([np.sqrt((x**2).mean(axis=-1)) for x in streams])
    names = [f"{block.layer + 1}.{block.name.split('.')[2]} " if block.layer >= 0 else "" for block in passed]
    labels = [f"{name}{_SIGNS[block.kind]}" for name, block in zip(names, passed, strict=True)]
    return {"stream": see("stream", streams[-1]), "sizes": see("sizes", sizes), "stations": labels}


_SIGNS = {"token": "x", "position": "x", "add": "+", "norm": "LN"}
