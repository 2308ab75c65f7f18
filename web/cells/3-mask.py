# {{cells.opening.mask.title}}
import micropip
await micropip.install("numpy")
import numpy as np
from seeformer.attention import softmax
from seeformer.mask import causal

scores = np.random.default_rng(2).standard_normal((5, 5))
masked = scores + causal(5)  # {{cells.opening.mask.add}}

print("{{cells.opening.mask.scores}}", np.round(masked, 2), sep="\n")
print("{{cells.opening.mask.weights}}", np.round(softmax(masked), 2), sep="\n")
masked  # {{cells.opening.mask.picture}}
