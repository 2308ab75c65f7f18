# {{cells.opening.positional.title}}
import micropip
await micropip.install("numpy")
import numpy as np
from seeformer.positional import sinusoidal

seq_len, d_model = 50, 64
pos = np.arange(seq_len)[:, None]
i = np.arange(d_model // 2)
angles = pos / 10000.0 ** (2 * i / d_model)  # {{cells.opening.positional.angles}}
PE = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(seq_len, d_model)

print("{{cells.opening.positional.shape}}", PE.shape)
print("{{cells.opening.positional.same}}", np.allclose(PE, sinusoidal(seq_len, d_model)))
PE  # {{cells.opening.positional.picture}}
