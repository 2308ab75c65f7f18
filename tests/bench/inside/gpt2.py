# Runs inside Pyodide after bench/writing.py, with CONFIG, WEIGHTS (url) and SIZE (bytes) given.
import js
import numpy as np
import pyodide_js

import seeformer.fast
from seeformer.io.safetensors import read_safetensors
from seeformer.models.gpt import GPT2, GPT2Config


async def downloaded(url, size):
    """The file's bytes, written where they stay."""
    memory, at = bytearray(size), 0
    reader = (await js.fetch(url)).body.getReader()
    while not (part := await reader.read()).done:
        part.value.assign_to(memoryview(memory)[at : at + part.value.length])
        at += part.value.length
    return memory


def turn_on(prompt, steps, stride, fast):
    (seeformer.fast.enable if fast else seeformer.fast.disable)()
    return turn(model, np.array(prompt), steps, stride)  # noqa: F821


def heap():
    return pyodide_js._module.HEAPU8.length


weights = read_safetensors(await downloaded(WEIGHTS, SIZE))  # noqa: F704, F821
model = GPT2(GPT2Config(**CONFIG), dict(weights))  # noqa: F821
assert np.shares_memory(model.weights["transformer.wte.weight"], weights["transformer.wte.weight"])
assert seeformer.fast.enable()["enabled"]
