"""What the architecture lab's note computes: the same numbers as ``architecture.run``, as one would write them down."""

import numpy as np

from ..attention import multi_head_attention, softmax
from ..feedforward import feed_forward
from ..mask import causal
from ..models.initial import initial_weights
from ..norm import layer_norm, residual
from ..notes.show import show
from ..notes.words import remark, words
from ..positional import sinusoidal

SECTION = "2"  # of the course
FORMULAS = (
    r"\text{post-LN: } x \leftarrow \operatorname{LayerNorm}(x + f(x)),\quad"
    r" \text{pre-LN: } x \leftarrow x + f(\operatorname{LayerNorm}(x))",
    r"f \in \{\text{self-attention},\ \text{cross-attention},\ \text{FFN}\}",
)
# Parameters worth a block of their own in the course.
PRESETS = {"default": {}, "gpt": {"parts": "decoder", "norm": "pre"}}


def note(*, source, target, parts, norm, num_layers, num_heads, d_model, d_ff, seed):
    """Names of ``architecture.run``, whose docstring says what they mean."""
    remark("vocabulary")
    if parts == "both":
        words_read = [*source, "<s>", *target, "</s>"]
        sublayers = {"encoder": ["self", "ffn"], "decoder": ["self", "cross", "ffn"]}
    elif parts == "encoder":
        words_read = source
        sublayers = {"encoder": ["self", "ffn"]}
    else:
        words_read = ["<s>", *target, "</s>"]
        sublayers = {"decoder": ["self", "ffn"]}
    vocabulary = list(dict.fromkeys(words_read))

    remark("weights")
    shapes = {"embedding": (len(vocabulary), d_model)}
    for stack in sublayers:
        for i in range(num_layers):
            for name in sublayers[stack]:
                at = f"{stack}.{i}.{name}"
                if name == "ffn":
                    shapes |= {f"{at}.W_1": (d_model, d_ff), f"{at}.b_1": (d_ff,)}
                    shapes |= {f"{at}.W_2": (d_ff, d_model), f"{at}.b_2": (d_model,)}
                else:
                    shapes |= {f"{at}.W_{letter}": (d_model, d_model) for letter in "QKVO"}
                shapes |= {f"{at}.gamma": (d_model,), f"{at}.beta": (d_model,)}
        if norm == "pre":
            shapes |= {f"{stack}.gamma": (d_model,), f"{stack}.beta": (d_model,)}
    weights = initial_weights(shapes, seed, d_model**-0.5)
    weights = {name: values.astype(float) for name, values in weights.items()}

    if parts != "decoder":
        remark("encode")
        x = embed(source, vocabulary, weights["embedding"])
        for i in range(num_layers):
            x = encoder_layer(x, weights, f"encoder.{i}", num_heads, norm=norm)
        if norm == "pre":
            x = layer_norm(x, weights["encoder.gamma"], weights["encoder.beta"])
        memory = x
        show(memory, source, title=words("memory"))
    if parts != "encoder":
        written = ["<s>", *target]
        mask = causal(len(written))
        x = embed(written, vocabulary, weights["embedding"])
        if parts == "both":
            remark("decode")
            for i in range(num_layers):
                x = decoder_layer(x, memory, weights, f"decoder.{i}", num_heads, norm=norm, mask=mask)
        else:
            remark("decodeAlone")
            for i in range(num_layers):
                x = encoder_layer(x, weights, f"decoder.{i}", num_heads, norm=norm, mask=mask)
        if norm == "pre":
            x = layer_norm(x, weights["decoder.gamma"], weights["decoder.beta"])
        show(x, written, title=words("stream"))

    logits = x @ weights["embedding"].T
    probabilities = softmax(logits)
    if parts == "encoder":
        show(probabilities, source, vocabulary, words("alone"))
    else:
        show(probabilities, written, vocabulary, words("probabilities"))
    print(words("count"), sum(values.size for values in weights.values()))


def embed(tokens, vocabulary, table):
    """The vectors of words with their places.

    Parameters
    ----------
    tokens, vocabulary : list of str
    table : array [vocab, d_model]

    Returns
    -------
    array [n, d_model]
    """
    ids = [vocabulary.index(token) for token in tokens]
    return table[ids] * np.sqrt(table.shape[1]) + sinusoidal(len(ids), table.shape[1])


def attend(x, weights, at, num_heads, *, context=None, mask=None):
    """[n, d_model] -> [n, d_model]"""
    W_Q, W_K, W_V, W_O = (weights[f"{at}.W_{letter}"] for letter in "QKVO")
    return multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, context=context, mask=mask)


def widen(x, weights, at):
    """[n, d_model] -> [n, d_model]"""
    W_1, b_1, W_2, b_2 = (weights[f"{at}.{name}"] for name in ("W_1", "b_1", "W_2", "b_2"))
    return feed_forward(x, W_1, b_1, W_2, b_2)


def around(x, sublayer, weights, at, *, norm):
    """[n, d_model] -> [n, d_model]"""
    return residual(x, sublayer, weights[f"{at}.gamma"], weights[f"{at}.beta"], norm=norm)


def encoder_layer(x, weights, at, num_heads, *, norm, mask=None):
    """[n, d_model] -> [n, d_model]"""
    x = around(x, lambda x: attend(x, weights, f"{at}.self", num_heads, mask=mask), weights, f"{at}.self", norm=norm)
    return around(x, lambda x: widen(x, weights, f"{at}.ffn"), weights, f"{at}.ffn", norm=norm)


def decoder_layer(x, memory, weights, at, num_heads, *, norm, mask=None):
    """One layer.

    Parameters
    ----------
    x : array [n, d_model]
    memory : array [m, d_model]

    Returns
    -------
    array [n, d_model]
    """
    x = around(x, lambda x: attend(x, weights, f"{at}.self", num_heads, mask=mask), weights, f"{at}.self", norm=norm)
    crossed = f"{at}.cross"
    x = around(x, lambda x: attend(x, weights, crossed, num_heads, context=memory), weights, crossed, norm=norm)
    return around(x, lambda x: widen(x, weights, f"{at}.ffn"), weights, f"{at}.ffn", norm=norm)
