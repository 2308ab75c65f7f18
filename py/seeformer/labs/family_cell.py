"""The arrays of the cell that is open in the family's table, under short names."""

import numpy as np

from ..attention import softmax
from ..model_view import hidden_states, one_head, stacked

TERMS = ("word", "token", "segment", "position")  # what is added up before the first layer


def arrays_of(cell, family, seen, facts, through, logits, attentions):
    """name -> array, with the lists that label them: ``queries`` and ``keys``, or those of each stack."""
    row, which = cell.split(".")
    if row == "weights":
        return _attention(family, seen, facts, which, *attentions[which])
    member = family[which]
    if row == "mask":
        columns = [text for texts in member.tokens.values() for text in texts]
        return {"through": through[which][1:].astype(float), "columns": columns}
    if row == "input":
        return _input(which, member, seen)
    if row == "flow":
        return _flow(which, member, seen, facts)
    scores = logits[which][member.row]
    peak = scores.max()
    shares = {"peak": peak, "total": np.exp(scores - peak).sum(), "probabilities": softmax(scores)}
    return {"logits": scores, "names": list(member.names), **shares}


def _attention(family, seen, facts, which, model, stack, kind):
    """One head step by step, with what was added to its scores; and all heads."""
    prefix, tokens = f"{model}.", family[model].tokens
    layer, head = facts["layer"], facts["head"]
    scale = getattr(family[model].model.layers[stack][layer], f"{kind}_attention").scale
    bias = seen.get(f"{prefix}{stack}.relative_bias") if kind == "self" else None  # T5's
    hidden = np.isneginf(seen[f"{prefix}{stack}.{layer}.{kind}.masked"][head])
    return {
        "scale": facts["d_k"] ** -0.5 if scale is None else scale,
        "added": np.where(hidden, -np.inf, 0 if bias is None else bias[head]),
        **one_head(seen, layer, head, stack=stack, kind=kind, prefix=prefix),
        "weights": stacked(seen, facts["num_layers"], f"{kind}.weights", stack=stack, prefix=prefix),
        "queries": tokens[stack],
        "keys": tokens["encoder" if kind == "cross" else stack],
    }


def _input(name, member, seen):
    """What the vectors before the first layer are made of: ``terms`` lists the arrays in order."""
    found, terms = {}, []
    for stack in member.stacks:
        at = f"{name}.{stack}.embeddings."
        at = at if f"{at}output" in seen else f"{name}.embeddings."
        parts = {part: seen[at + part] for part in (*TERMS, "sum", "output") if at + part in seen}
        if name == "vit":
            found["patches"], found["projected"] = seen[f"{at}patches"], seen[f"{at}projected"]
            parts = {"token": np.concatenate([seen[f"{at}class"], seen[f"{at}projected"]]), **parts}
        found |= {f"{stack}_{part}": values for part, values in parts.items()}
        terms += [f"{stack}_{part}" for part in parts]
    return found | {"terms": terms}


def _flow(name, member, seen, facts):
    """The residual stream of each stack: how long each token's vector is, and one token's vectors."""
    found = {"depths": [str(at) for at in range(facts["num_layers"] + 1)]}
    for stack in member.stacks:
        stream = hidden_states(seen, facts["num_layers"], stack=stack, prefix=f"{name}.")
        found[f"{stack}_norms"] = np.linalg.norm(stream, axis=-1)
    return found | {"stream": stream[:, member.row]}
