"""What the positional encoding lab's note computes: the same numbers as ``positional.run``, as one would write them."""

import numpy as np

from ..notes.show import show, table
from ..notes.words import remark, words
from ..positional import rotary, rotation, sinusoidal

SECTION = "4"  # of the course
FORMULAS = (
    r"PE_{pos,\,2i} = \sin\frac{pos}{base^{2i/d_{model}}},\quad PE_{pos,\,2i+1} = \cos\frac{pos}{base^{2i/d_{model}}}",
    r"PE_{pos}\,R_k = PE_{pos+k}",
)
# Parameters worth a block of their own in the course.
PRESETS = {"default": {}}


def note(*, seq_len, d_model, base, offset, pos, steps, layout, seed):
    """Names of ``positional.run``, whose docstring says what they mean."""
    PE = sinusoidal(seq_len, d_model, base=base, offset=offset)
    positions = range(offset, offset + seq_len)
    show(PE, positions, range(d_model), words("PE"))

    if d_model % 2 == 0:
        remark("similarity")
    similarity = PE @ PE.T
    show(similarity, positions, positions, words("similarity"))

    if d_model % 2 == 0:
        remark("rotation")
        R = rotation(d_model, steps, base=base)
        later = sinusoidal(seq_len, d_model, base=base, offset=offset + steps)
        print(words("error"), abs(PE @ R - later).max())
        hands = sinusoidal(1, d_model, base=base, offset=pos)
        table(np.stack([hands[0, :8], (hands @ R)[0, :8]]), words("hand"))

        remark("rope")
        q, k = np.random.default_rng(seed).standard_normal((2, d_model))
        queries, keys = (np.tile(vector, (seq_len, 1)) for vector in (q, k))
        if layout == "interleaved":
            rotated_queries, rotated_keys = (
                rotary(queries, base=base, offset=offset),
                rotary(keys, base=base, offset=offset),
            )
        else:
            rotated_queries = rotary(queries, base=base, offset=offset, layout="half")
            rotated_keys = rotary(keys, base=base, offset=offset, layout="half")
        rope_scores = rotated_queries @ rotated_keys.T
        show(rope_scores, positions, positions, words("rope_scores"))
