"""The family on one table: BERT, GPT, BART or T5, and ViT, each running on the reader's own sentence or picture.

The weights are random, so what is predicted means nothing. What holds for trained models as well: what each is given,
who sees whom, which parts it has, and which inputs a prediction can depend on at all.
"""

import numpy as np

from ..attention import softmax
from ..checks import finite, head_width, whole
from ..drawings import drawn, pixels_of, written
from ..model_view import candidates, stacked
from ..reach import reach
from ..sentence import sentence
from ..trace import apart, scope, see, trace
from .family_cell import arrays_of
from .family_models import SIDE, Sizes, members

MOST_WORDS, MOST_VOCABULARY = 12, 64
MOST = {"num_layers": 4, "num_heads": 8, "d_model": 64}
TOP = 4  # candidates that are shown
PICTURE = tuple(written(drawn("three", 8)))
STYLES = ("bart", "t5")
# Every attention of the table: whose it is, of which stack, and of which kind.
ATTENTIONS = {
    "bert": ("bert", "encoder", "self"),
    "gpt": ("gpt", "decoder", "self"),
    "encoder": ("seq2seq", "encoder", "self"),
    "cross": ("seq2seq", "decoder", "cross"),
    "decoder": ("seq2seq", "decoder", "self"),
    "vit": ("vit", "encoder", "self"),
}
MODELS = ("bert", "gpt", "seq2seq", "vit")
CELLS = tuple(f"{row}.{model}" for row in ("input", "flow", "mask", "predict") for model in MODELS)
CELLS += tuple(f"weights.{which}" for which in ATTENTIONS)


def run(
    *,
    tokens=tuple("猫追老鼠"),
    position=3,
    vocabulary=tuple("狗鸟鱼小大跑吃看爱"),
    picture=PICTURE,
    style="bart",
    layer=1,
    head=1,
    num_layers=2,
    num_heads=4,
    d_model=32,
    spread=0.2,
    seed=0,
    cell="weights.gpt",
):
    """One forward pass of each of the four, and one more for each input exchanged.

    Parameters
    ----------
    tokens : list of str, 1 to 12
        The sentence.
    position : int
        Which word of it is to be predicted, counted from 1; beyond the end, the last.
    vocabulary : list of str, 0 to 64
        Words that can be predicted beside those of the sentence.
    picture : list of str
        What ViT sees: a string a row, a sign a pixel, "0" to "f"; cut into 4 × 4 patches.
    style : {"bart", "t5"}
        Which of the two encoder-decoders.
    layer, head : int
        Whose attention is shown, counted from 1; beyond the end, the last.
    num_layers, num_heads, d_model, seed : int
        Of each model; an encoder-decoder has num_layers in both.
    spread : float
        Standard deviation of the random matrices.
    cell : str
        The cell of the table that is open, one of ``CELLS``.

    Returns
    -------
    dict
        Of each attention ``mask_…``, ``weights_…`` and the steps of its softmax; of each model ``reach_…`` (1 where an
        input can arrive at an output) and ``moved_…`` (what share of the prediction there moves if that input is
        exchanged), its tokens, parts, and likeliest answers; and the arrays of the open cell.
    """
    words = sentence(tokens, most=MOST_WORDS)
    at = min(whole("position", position, least=1), len(words)) - 1
    known = sentence(vocabulary, most=MOST_VOCABULARY, name="vocabulary") if vocabulary else []
    for name, value, options in (("style", style, STYLES), ("cell", cell, CELLS)):
        if value not in options:
            raise ValueError(f"{name}={value!r} is unknown: use one of {', '.join(options)}")
    sizes = {"num_layers": num_layers, "num_heads": num_heads, "d_model": d_model}
    sizes = {name: whole(name, size, least=1, most=MOST[name]) for name, size in sizes.items()}
    head_width(d_model, num_heads)
    sizes = Sizes(**sizes, seed=whole("seed", seed, least=0), spread=finite("spread", spread, least=0, most=2))
    family = members(words, at, known, _picture(picture), style, sizes)
    layer = min(whole("layer", layer, least=1), num_layers) - 1
    head = min(whole("head", head, least=1), num_heads) - 1

    logits = {}
    with trace() as seen:
        for name, member in family.items():
            with scope(name):
                logits[name] = np.atleast_2d(member.model.forward(*member.inputs))
    facts = {"words": words, "at": at, "style": style, "cell": cell, "picture": family["vit"].inputs[0][0]}
    facts |= {"layer": layer, "head": head, "num_layers": num_layers, "num_heads": num_heads, "d_model": d_model}
    facts |= {"d_k": d_model // num_heads}
    masked = {
        which: stacked(seen, num_layers, f"{kind}.masked", stack=stack, prefix=f"{model}.")
        for which, (model, stack, kind) in ATTENTIONS.items()
    }
    through = _through({which: np.isfinite(values).any(axis=1) for which, values in masked.items()})
    shown = facts | _attentions(seen, masked, layer, head)
    for name, member in family.items():
        shown |= _model(name, member, seen, logits[name], through[name])
    return shown | arrays_of(cell, family, seen, facts, through, logits, ATTENTIONS)


def _picture(rows):
    pixels = pixels_of("picture", rows)
    if len(pixels) % SIDE:
        raise ValueError(f"picture={len(pixels)} rows cannot be cut into {SIDE} x {SIDE} patches: use 8 or 16")
    return pixels


def _attentions(seen, masked, layer, head):
    """Of every attention the mask and one head's weights, with what its softmax was made of."""
    found = {}
    for which, (model, stack, kind) in ATTENTIONS.items():
        at = f"{model}.{stack}.{layer}.{kind}."
        seen.need(f"{at}weights")
        found[f"mask_{which}"] = np.where(np.isneginf(masked[which][layer, head]), -np.inf, 0.0)
        for name in ("masked", "peak", "exp", "total", "weights"):
            if at + name in seen:
                found[f"{name}_{which}"] = seen[at + name][head]
    return found


def _through(visible):
    """model -> [L + 1, outputs, inputs]: the inputs behind each position; of an encoder-decoder those of both texts."""
    (m, n), found = visible["cross"].shape[:0:-1], {model: reach(visible[model]) for model in ("bert", "gpt", "vit")}
    read = reach(visible["encoder"], np.eye(m, m + n, dtype=bool))
    begin = np.eye(n, m + n, k=m, dtype=bool)
    found["seq2seq"] = reach(visible["decoder"], begin, cross=visible["cross"], memory=read[-1])
    return found


def _model(name, member, seen, logits, through):
    """What goes in, which parts there are, what is predicted, and what of it depends on what."""
    inputs = [text for texts in member.tokens.values() for text in texts]
    arrives, moved = through[-1], _moved(member)
    if name == "vit":  # one output, the class token's; it is no patch itself
        arrives, inputs = arrives[:1, 1:], inputs[1:]
    told, one = moved[member.row], arrives[member.row].astype(float)
    if name == "vit":
        told = told.reshape(SIDE, SIDE)
    ids, shares, texts = candidates(logits[member.row], member.names, TOP)
    found = {
        "inputs": inputs,
        "outputs": member.tokens[member.stacks[-1]][: len(arrives)],
        "reach": arrives.astype(float),
        "moved": see(f"moved_{name}", moved),
        "told": told,
        "heat": told / (told.max() or 1),
        "arrives": one,
        "arriving": int(one.sum()),
        "row": member.row,
        "texts": texts,
        "shares": shares,
        "answer": member.answer,
        "vocab_size": len(member.names),
        "parts": _parts(name, seen),
        "parameters": member.model.parameter_count(),
    }
    for stack, texts in member.tokens.items():
        shape = "×".join(map(str, seen[f"{name}.{stack}.output"].shape))
        found |= {f"{stack}_tokens": texts, f"{stack}_shape": shape}
    return {f"{key}_{name}": value for key, value in found.items()}


def _moved(member):
    """[outputs, inputs]: how far each prediction moves if an input is exchanged, as total variation, 0 to 1."""
    with apart():
        logits = member.model.forward(*member.changed)
    shares = softmax(logits if logits.ndim == 3 else logits[:, None])
    return (abs(shares[:-1] - shares[-1]).sum(axis=-1) / 2).T


def _parts(name, seen):
    """The sublayers that ran, in order: "encoder.self", "decoder.cross", …"""
    places = [key.split(".") for key in seen if key.startswith(f"{name}.")]
    return list(dict.fromkeys(f"{at[1]}.{at[3]}" for at in places if len(at) > 4 and at[2].isdecimal()))
