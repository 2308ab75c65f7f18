"""From numbers of tokens to vectors: the rows of a table."""

import numpy as np

from ..checks import shaped
from ..mask import causal, combine


def whole_numbers(name, ids):
    """``ids`` as an array of whole numbers."""
    try:
        ids = np.asarray(ids)
    except ValueError:
        raise ValueError(f"{name}={ids!r} is ragged: give rows of equal length, and a mask") from None
    if ids.dtype.kind not in "iu" or ids.ndim == 0:
        raise ValueError(f"{name}=array of dtype {ids.dtype} is not a row of whole numbers: give the tokens' numbers")
    if ids.shape[-1] == 0:
        raise ValueError(f"{name}={shaped(ids)} is empty: give it at least one token")
    return ids


def rows(name, table, ids):
    """One row of the table for each entry of ``ids``.

    Parameters
    ----------
    name : str
        What the message calls the ids.
    table : array [size, d_model]
    ids : integer array [..., n]

    Returns
    -------
    array [..., n, d_model]

    Raises
    ------
    ValueError
        If the table has no such row: NumPy would count a negative one from the end.
    """
    ids, size = whole_numbers(name, ids), table.shape[0]
    low, high = ids.min(), ids.max()
    if low < 0 or high >= size:
        raise ValueError(f"{name}={low if low < 0 else high} is no row of a table of {size}: use 0 to {size - 1}")
    return table[ids]


def visible(attention_mask, shape, name="attention_mask"):
    """Hugging Face's mask (1 = token, 0 = filling) as an additive one: [..., n] -> [..., 1, 1, n].

    None, if all is visible, stays None; any other has the ``shape`` of the tokens.
    """
    if attention_mask is None:
        return None
    given = np.asarray(attention_mask)
    if given.shape != tuple(shape) or not np.isin(given, (0, 1)).all():
        raise ValueError(f"{name}={shaped(given)} does not fit tokens of shape {tuple(shape)}: give each a 1 or a 0")
    return np.where(given != 0, 0.0, -np.inf)[..., None, None, :]


def self_mask(n, past, attention_mask, batch, name="attention_mask"):
    """A decoder's mask: n new positions behind ``past`` old ones, none of which looks at a later one or at filling.

    None if nothing is hidden: a single new position is the last, and sees everything.
    """
    ahead = causal(n, past + n) if n > 1 else None
    return combine(ahead, visible(attention_mask, (*batch, past + n), name))
