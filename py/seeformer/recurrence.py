"""Recurrent networks: what a Transformer replaced. One vector of memory walks along the sequence.

    RNN    h_t = tanh(x_t W_x + h_{t-1} W_h + b)                        (Elman 1990)
    LSTM   i, f, o = sigmoid(x_t W_x + h_{t-1} W_h + b), g = tanh(...)  (Hochreiter & Schmidhuber 1997, without f;
           c_t = f c_{t-1} + i g                                         Gers, Schmidhuber & Cummins 2000 added it)
           h_t = o tanh(c_t)

Matrices are [in, out], as everywhere here. The four gates of an LSTM lie side by side in the columns of W_x
[d_in, 4 d_hidden] and W_h [d_hidden, 4 d_hidden], in PyTorch's order: input i, forget f, candidate g, output o. So
W_x is ``weight_ih.T`` of torch.nn.RNN or LSTM, W_h ``weight_hh.T``, and the one bias b is ``bias_ih + bias_hh``.

What x_t has to say is one matrix product for all steps; h_{t-1} W_h is what must wait for the step before. Leading
axes ``...`` are batch axes. The dtype of the arrays is kept; integers are taken as float64.
"""

import numpy as np

from .activation import sigmoid
from .checks import floats
from .recurrence_shapes import check_sequence, check_state, check_weights
from .trace import see


def rnn(X, W_x, W_h, b=None, *, h=None):
    """The whole sequence through an RNN, one step after another.

    Parameters
    ----------
    X : array [..., n, d_in]
    W_x : array [d_in, d_hidden]
    W_h : array [d_hidden, d_hidden]
    b : array [d_hidden], optional
    h : array [..., d_hidden], optional
        The state before the first step; zeros if None.

    Returns
    -------
    array [..., n, d_hidden]
        The state after each step.

    Raises
    ------
    ValueError
        Naming the argument whose shape or dtype does not fit, and the remedy.

    Examples
    --------
    >>> X = np.array([[1.0], [0.0], [0.0]])
    >>> rnn(X, np.array([[1.0]]), np.array([[0.5]])).round(4)
    array([[0.7616],
           [0.3634],
           [0.1797]])
    """
    X = floats("X", X, "n", "d_in")
    check_sequence(X)
    check_weights("X", X, W_x, W_h, b, 1)
    check_state("h", h, X.shape[:-2], W_h)
    from_input = see("from_input", _from_input(X, W_x, b))  # [..., n, d_hidden]
    h = _zeros(X, W_h) if h is None else h
    states = []
    for t in range(X.shape[-2]):
        h = _rnn_step(from_input[..., t, :], h, W_h)
        states.append(h)
    return see("rnn_states", np.stack(states, axis=-2))


def lstm(X, W_x, W_h, b=None, *, h=None, c=None):
    """The whole sequence through an LSTM, one step after another.

    Parameters
    ----------
    X : array [..., n, d_in]
    W_x : array [d_in, 4 * d_hidden]
    W_h : array [d_hidden, 4 * d_hidden]
    b : array [4 * d_hidden], optional
    h, c : array [..., d_hidden], optional
        State and cell before the first step; zeros if None.

    Returns
    -------
    states, cells : array [..., n, d_hidden]
        h and c after each step.

    Raises
    ------
    ValueError
        Naming the argument whose shape or dtype does not fit, and the remedy.

    Examples
    --------
    >>> X = np.array([[1.0], [0.0], [0.0]])
    >>> open_gates = np.array([0.0, 9.0, 0.0, 9.0])
    >>> states, cells = lstm(X, np.ones((1, 4)), np.zeros((1, 4)), open_gates)
    >>> cells.round(4)
    array([[0.5568],
           [0.5567],
           [0.5566]])
    """
    X = floats("X", X, "n", "d_in")
    check_sequence(X)
    check_weights("X", X, W_x, W_h, b, 4)
    check_state("h", h, X.shape[:-2], W_h)
    check_state("c", c, X.shape[:-2], W_h)
    from_input = see("gates_from_input", _from_input(X, W_x, b))  # [..., n, 4 * d_hidden]
    h = _zeros(X, W_h) if h is None else h
    c = _zeros(X, W_h) if c is None else c
    states, cells = [], []
    for t in range(X.shape[-2]):
        h, c = _lstm_step(from_input[..., t, :], h, c, W_h)
        states.append(h)
        cells.append(c)
    return see("lstm_states", np.stack(states, axis=-2)), np.stack(cells, axis=-2)


def rnn_cell(x, h, W_x, W_h, b=None):
    """One step of an RNN.

    Parameters
    ----------
    x : array [..., d_in]
    h : array [..., d_hidden]
        The state before.
    W_x, W_h, b
        As for ``rnn``.

    Returns
    -------
    array [..., d_hidden]
        The state after.

    Examples
    --------
    >>> rnn_cell(np.array([1.0]), np.array([0.5]), np.array([[1.0]]), np.array([[-2.0]]))
    array([0.])
    """
    x, h = floats("x", x, "d_in"), floats("h", h, "d_hidden")
    check_weights("x", x, W_x, W_h, b, 1)
    check_state("h", h, x.shape[:-1], W_h)
    return _rnn_step(_from_input(x, W_x, b), h, W_h)


def lstm_cell(x, h, c, W_x, W_h, b=None):
    """One step of an LSTM.

    Parameters
    ----------
    x : array [..., d_in]
    h, c : array [..., d_hidden]
        State and cell before.
    W_x, W_h, b
        As for ``lstm``.

    Returns
    -------
    h, c : array [..., d_hidden]
        After the step.

    Examples
    --------
    >>> h, c = lstm_cell(np.array([0.0]), np.array([0.0]), np.array([2.0]), np.ones((1, 4)), np.ones((1, 4)))
    >>> h.round(4), c
    (array([0.3808]), array([1.]))
    """
    x, h, c = floats("x", x, "d_in"), floats("h", h, "d_hidden"), floats("c", c, "d_hidden")
    check_weights("x", x, W_x, W_h, b, 4)
    check_state("h", h, x.shape[:-1], W_h)
    check_state("c", c, x.shape[:-1], W_h)
    return _lstm_step(_from_input(x, W_x, b), h, c, W_h)


def _rnn_step(from_input, h, W_h):
    return see("rnn_state", np.tanh(from_input + h @ W_h))


def _lstm_step(from_input, h, c, W_h):
    gates = from_input + h @ W_h
    d_hidden = gates.shape[-1] // 4
    i = see("input_gate", sigmoid(gates[..., :d_hidden]))
    f = see("forget_gate", sigmoid(gates[..., d_hidden : 2 * d_hidden]))
    g = see("candidate", np.tanh(gates[..., 2 * d_hidden : 3 * d_hidden]))
    o = see("output_gate", sigmoid(gates[..., 3 * d_hidden :]))
    c = see("cell", f * c + i * g)
    return see("lstm_state", o * np.tanh(c)), c


def _from_input(x, W, b):
    return x @ W if b is None else x @ W + b


def _zeros(X, W_h):
    """The state before the first step: nothing remembered."""
    return np.zeros((*X.shape[:-2], W_h.shape[0]), X.dtype)
