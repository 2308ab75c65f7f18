# {{cells.opening.attention.title}}
import micropip
await micropip.install("numpy")
import numpy as np
from seeformer.attention import init_attention, merge_heads, multi_head_attention, softmax, split_heads

rng = np.random.default_rng(0)
n, d_model, num_heads = 10, 64, 4
X = rng.standard_normal((n, d_model))  # {{cells.opening.attention.X}}
W = init_attention(rng, d_model)

# {{cells.opening.attention.project}}
Q, K, V = (split_heads(X @ W[name], num_heads) for name in ("W_Q", "W_K", "W_V"))  # [h, n, d_k]
weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(d_model // num_heads))  # [h, n, n]
output = merge_heads(weights @ V) @ W["W_O"]  # {{cells.opening.attention.merge}}

print("{{cells.opening.attention.shape}}", output.shape)
print("{{cells.opening.attention.sums}}", np.allclose(weights.sum(axis=-1), 1))
print("{{cells.opening.attention.same}}", np.allclose(output, multi_head_attention(X, **W, num_heads=num_heads)))
weights[0]  # {{cells.opening.attention.picture}}
