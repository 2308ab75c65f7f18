"""What the recurrence lab's note computes: the same networks as ``recurrence.run``, as one would write them down.

The dependence is measured here by moving each number of the input a little, for a note has no autograd.
"""

import numpy as np

from ..attention import init_attention, scaled_dot_product_attention, softmax
from ..mask import causal as causal_mask
from ..notes.show import show
from ..notes.words import remark, words
from ..recurrence import lstm, rnn
from ..recurrence_weights import init_lstm, init_rnn
from ..token_vectors import token_vectors

SECTION = "1.1"  # of the course
FORMULAS = (
    r"\text{RNN:}\quad h_t = \tanh(x_t W_x + h_{t-1} W_h + b)",
    r"\text{LSTM:}\quad c_t = f_t \odot c_{t-1} + i_t \odot g_t,\quad h_t = o_t \odot \tanh(c_t)",
    r"\left\lVert \frac{\partial h_t}{\partial x_s} \right\rVert \le \lVert W_h \rVert^{t-s}\,\lVert W_x \rVert",
)
# Parameters worth a block of their own in the course.
PRESETS = {"default": {}, "lstm": {"network": "lstm"}, "attention": {"network": "attention"}}


def note(*, tokens, network, n, hidden, recurrent_scale, forget_bias, causal, seed):
    """Names of ``recurrence.run``, whose docstring says what they mean."""
    tokens = [tokens[t % len(tokens)] for t in range(n)]
    X = token_vectors(tokens, hidden, seed=seed)
    remark("step")
    step = 1e-5 * np.eye(n * hidden).reshape(n * hidden, n, hidden)
    if network == "rnn":
        rng = np.random.default_rng([seed, 0])
        W_x, W_h, _ = init_rnn(rng, hidden, hidden, scale=recurrent_scale).values()
        rnn_states = rnn(X, W_x, W_h)
        moved = rnn(X + step, W_x, W_h) - rnn(X - step, W_x, W_h)
        show(rnn_states, tokens, title=words("states"))
    elif network == "lstm":
        rng = np.random.default_rng([seed, 1])
        W_x, W_h, b = init_lstm(rng, hidden, hidden, scale=recurrent_scale, forget_bias=forget_bias).values()
        lstm_states, cell = lstm(X, W_x, W_h, b)
        moved = lstm(X + step, W_x, W_h, b)[0] - lstm(X - step, W_x, W_h, b)[0]
        show(cell, tokens, title=words("cells"))
        show(lstm_states, tokens, title=words("states"))
    else:
        rng = np.random.default_rng([seed, 2])
        W_Q, W_K, W_V, W_O = init_attention(rng, hidden).values()
        mask = causal_mask(n) if causal else np.zeros((n, n))
        weights = softmax(X @ W_Q @ (X @ W_K).T / np.sqrt(hidden) + mask)
        after, before = X + step, X - step
        moved = scaled_dot_product_attention(after @ W_Q, after @ W_K, after @ W_V, mask=mask) @ W_O
        moved = moved - scaled_dot_product_attention(before @ W_Q, before @ W_K, before @ W_V, mask=mask) @ W_O
        show(weights, tokens, tokens, words("weights"))

    remark("moved")
    slopes = (moved / 2e-5).reshape(n, hidden, n, hidden)
    depends = np.sqrt((slopes**2).sum(axis=(1, 3))).T
    share = depends / depends.sum(axis=-1, keepdims=True)
    show(share, tokens, tokens, words("depends"))
    print(words("last"), share[-1].round(5))
