"""What the family lab's note computes: masks, and what they let through, as ``family.run`` has them, with a check."""

import numpy as np

from ..attention import scaled_dot_product_attention
from ..mask import causal
from ..notes.show import show
from ..notes.words import remark, words

SECTION = "7"  # of the course
FORMULAS = (
    r"R_{0} = I,\quad R_{l} = R_{l-1} \lor V\,R_{l-1},\quad V_{ij} = [\text{mask}_{ij} \ne -\infty]",
    r"\text{decoder: } R_{l} = R_{l-1} \lor V\,R_{l-1} \lor V_\text{cross}\,R^\text{encoder}",
)
# Parameters worth a block of their own in the course.
PRESETS = {"default": {}, "t5": {"style": "t5"}}


def _stack(x, mask, layers):
    for W_Q, W_K, W_V in layers:
        x = x + scaled_dot_product_attention(x @ W_Q, x @ W_K, x @ W_V, mask=mask)
    return x


def note(*, tokens, position, style, num_layers, d_model, seed):
    """Names of ``family.run``, whose docstring says what they mean."""
    at = min(position, len(tokens)) - 1
    before, after = list(tokens[:at]), list(tokens[at + 1 :])
    bert, gpt = ["[CLS]", *before, "[MASK]", *after, "[SEP]"], ["<s>", *tokens]
    if style == "bart":
        source, target = ["<s>", *before, "<mask>", *after, "</s>"], ["</s>", "<s>", *tokens]
    else:
        source, target = [*before, "<X>", *after, "</s>"], ["<pad>", "<X>", tokens[at], "<Y>"]
    m, n = len(source), len(target)

    remark("masks")
    mask_bert, mask_gpt = np.zeros((len(bert), len(bert))), causal(len(gpt))
    mask_encoder, mask_cross, mask_decoder = np.zeros((m, m)), np.zeros((n, m)), causal(n)

    remark("reach")
    reach_bert, reach_gpt = np.eye(len(bert)) > 0, np.eye(len(gpt)) > 0
    for _ in range(num_layers):
        reach_bert = reach_bert | (mask_bert == 0) @ reach_bert
        reach_gpt = reach_gpt | (mask_gpt == 0) @ reach_gpt
    remark("both")
    read, reach_seq2seq = np.eye(m, m + n) > 0, np.eye(n, m + n, k=m) > 0
    for _ in range(num_layers):
        read = read | (mask_encoder == 0) @ read
    for _ in range(num_layers):
        reach_seq2seq = reach_seq2seq | (mask_decoder == 0) @ reach_seq2seq
        reach_seq2seq = reach_seq2seq | (mask_cross == 0) @ read
    show(reach_seq2seq, target, source + target, words("through_seq2seq"))

    remark("check")
    rng = np.random.default_rng(seed)
    layers = rng.standard_normal((num_layers, 3, d_model, d_model)) * d_model**-0.5
    for name, inputs, mask, arrives in (("BERT", bert, mask_bert, reach_bert), ("GPT", gpt, mask_gpt, reach_gpt)):
        x = rng.standard_normal((len(mask), d_model))
        moved = np.zeros(mask.shape)
        for j in range(len(x)):
            other = x.copy()
            other[j] = rng.standard_normal(d_model)
            moved[:, j] = abs(_stack(other, mask, layers) - _stack(x, mask, layers)).max(axis=1)
        show(moved, inputs, inputs, name + words("moved"))
        print(name, words("agree"), bool(((moved > 0) == arrives).all()))
