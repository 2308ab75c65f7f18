"""What transformers 5.24 makes of ten sentences with the real all-MiniLM-L6-v2, for test_minilm_reference.py.

    python tests/reference/make_minilm.py MODEL_FOLDER FILE

Not committed: the model has 91 MB, and without it nobody could compare. Keys: ``ids``, ``attention_mask``,
``hidden.i``, ``attention.i``, ``pooled``.
"""

import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
import torch
import transformers

SENTENCES = [
    "The cat sat on the mat.",
    "Attention is all you need, and then some more data.",
    "今天天气很好，我们去公园散步。",
    "注意力机制让每个词都能看见别的词。",
    "Ünïcödé naïveté: déjà vu — ‘quoted’ “twice”…",
    "🙂🙃 emoji and\ttabs\nand   spaces",
    "x = softmax(Q @ K.T / sqrt(d_k)) @ V",
    "antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
    "a",
    "",
]


def make(folder, file):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.BertModel.from_pretrained(folder, attn_implementation="eager").eval()
    given = tokenizer(SENTENCES, padding=True, return_tensors="pt")
    with torch.no_grad():
        said = model(**given, output_hidden_states=True, output_attentions=True)
    arrays = {"ids": given["input_ids"], "attention_mask": given["attention_mask"], "pooled": said.pooler_output}
    for name, group in {"hidden": said.hidden_states, "attention": said.attentions}.items():
        arrays |= {f"{name}.{i}": values for i, values in enumerate(group)}
    np.savez(file, **{name: values.numpy() for name, values in arrays.items()})


if __name__ == "__main__":
    make(*sys.argv[1:])
