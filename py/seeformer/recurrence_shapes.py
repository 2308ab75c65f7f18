"""Which shapes fit together in recurrence, and what to say when they do not."""

import numpy as np

from .checks import floats, shaped


def check_sequence(X):
    if X.shape[-2] == 0:
        raise ValueError(f"X={shaped(X)} has no steps: give it at least one")


def check_weights(name, x, W_x, W_h, b, gates):
    W_x, W_h = floats("W_x", W_x, "rows", "columns"), floats("W_h", W_h, "rows", "columns")
    width = W_h.shape[1]
    if W_h.ndim != 2 or width != gates * W_h.shape[0] or width == 0:
        times = "as many columns as rows" if gates == 1 else f"{gates} times as many columns as rows"
        raise ValueError(f"W_h={shaped(W_h)} is no recurrent matrix: give it two axes and {times}")
    if W_x.shape != (x.shape[-1], width):
        raise ValueError(f"W_x={shaped(W_x)} does not fit {name} of shape {x.shape}: use {(x.shape[-1], width)}")
    if b is not None and floats("b", b, "columns").shape != (width,):
        raise ValueError(f"b={shaped(b)} does not fit W_h of shape {W_h.shape}: use {(width,)}")


def check_state(name, state, batch, W_h):
    if state is None:
        return
    state = floats(name, state, "d_hidden")
    if state.shape[-1] != W_h.shape[0]:
        raise ValueError(
            f"{name}={shaped(state)} does not fit W_h of shape {W_h.shape}: give it {W_h.shape[0]} columns"
        )
    try:
        np.broadcast_shapes(state.shape[:-1], batch)
    except ValueError:
        raise ValueError(
            f"{name}={shaped(state)} does not fit the batch {batch}: make the leading axes equal or 1"
        ) from None
