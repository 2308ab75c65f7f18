"""How a model's writing is measured: for this Python and for Pyodide alike."""

from time import perf_counter


def turn(model, prompt, steps, stride) -> dict:
    """{times: ms of each step, tokens, logits: of each step, each `stride`-th}; the first step reads the prompt."""
    told, begun = {"times": [], "tokens": [], "logits": []}, perf_counter()
    for chosen in model.generate(prompt, steps, eos=None):
        told["times"].append(1000 * (perf_counter() - begun))
        told["tokens"].append(chosen.token)
        told["logits"].append(chosen.logits[::stride].tolist())
        begun = perf_counter()
    return told
