# {{cells.opening.attention.title}}
import micropip
await micropip.install("numpy")
import numpy as np
from seeformer.attention import init_attention, merge_heads, softmax, split_heads

rng = np.random.default_rng(0)
n, d_model, num_heads = 10, 64, 4
X = rng.standard_normal((n, d_model))  # {{cells.opening.attention.X}}
W_Q, W_K, W_V, W_O = init_attention(rng, d_model)

# {{cells.opening.attention.project}}
Q, K, V = (split_heads(X @ W, num_heads) for W in (W_Q, W_K, W_V))  # [h, n, d_k]
scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_model // num_heads)  # [h, n, n]
weights = softmax(scores)
output = merge_heads(weights @ V) @ W_O  # {{cells.opening.attention.merge}}

print("{{cells.opening.attention.shape}}", output.shape)
print("{{cells.opening.attention.sums}}", weights.sum(axis=-1).round(6).min(), weights.sum(axis=-1).round(6).max())
weights[0]  # {{cells.opening.attention.picture}}
