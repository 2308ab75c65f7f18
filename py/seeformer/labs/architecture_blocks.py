"""What a forward pass was made of, read off its trace: the blocks in the order in which they ran, and what fed each.

Nothing here knows in which order a layer does things: a drawing made of these is a drawing of what was computed.
"""

from dataclasses import dataclass

import numpy as np

from ..attention import merge_heads


@dataclass(frozen=True)
class Block:
    """A piece of the computation: "encoder.0.self", its kind, and the names of the arrays that it made, in order."""

    name: str
    kind: str
    arrays: tuple

    @property
    def prefix(self):
        """What its arrays' names begin with."""
        return self.arrays[0].rpartition(".")[0] + "." if "." in self.arrays[0] else ""

    @property
    def output(self):
        return self.arrays[-1]

    @property
    def stack(self):
        """encoder or decoder; None behind both."""
        return self.name.partition(".")[0] if "." in self.name else None

    @property
    def layer(self):
        """The number of its layer, -1 outside of the layers."""
        part = self.name.split(".")[1:2]
        return int(part[0]) if part and part[0].isdigit() else -1


def blocks_of(seen):
    """The blocks of a Transformer's trace, in the order of their first array."""
    found = {}
    for name in seen:
        place = _place(name)
        if place:
            found.setdefault(place, []).append(name)
    return [Block(name, kind, tuple(arrays)) for (name, kind), arrays in found.items()]


def _place(name):
    """(block, kind) of a name in the trace; None if it is a second name of an array that a block has made."""
    *path, last = name.split(".")
    match path:
        case [stack, "embeddings"]:
            return (f"{stack}.token", "token") if last == "token" else (f"{stack}.position", "position")
        case [*_, "norm"]:
            return ".".join(path), "norm"
        case [_, _, sublayer]:
            return (f"{'.'.join(path)}.add", "add") if last == "sum" else (".".join(path), sublayer)
        case ["prediction"]:
            return "prediction", "prediction"
        case []:
            return last, last
    return None


def stations(blocks):
    """The blocks that leave their output on the residual stream: the embeddings, each sum, each norm behind a sum."""
    names = [block.name for block in blocks]
    return [
        block
        for at, block in enumerate(blocks)
        if block.kind in ("position", "add")
        or (block.kind == "norm" and (block.layer < 0 or block.name.replace(".norm", ".add") in names[:at]))
    ]


def wires(blocks, seen, weights):
    """(array, block that made it, block that reads it) for all that fits by its numbers, the latest that does.

    An array is taken for what a block read if the block's first step, done with it, gives what the block recorded. So
    a residual connection that an edit has cut leaves no wire.
    """
    made, found = {}, []
    for block in blocks:
        for reads in _readings(block, seen, weights):
            source = next((name for name in reversed(made) if reads(seen[name])), None)
            if source is not None:
                found.append((source, made[source], block.name))
        made[block.output] = block.name
    return found


def _readings(block, seen, weights):
    """For each array that a block reads, whether an array is the one."""

    def own(name):
        return seen.get(block.prefix + name)

    def projects(letter):
        return lambda x: _equal(lambda: x @ weights[f"{block.name}.W_{letter}"], lambda: merge_heads(own(letter)))

    match block.kind:
        case "position":
            return [lambda x: _equal(lambda: x + own("position"), lambda: own("output"))]
        case "norm":
            return [lambda x: x is own("before")]
        case "self":
            return [projects("Q")]
        case "cross":
            return [projects("Q"), projects("K")]
        case "ffn":
            W, b = (weights[f"{block.name}.{name}"] for name in ("W_1", "b_1"))
            return [lambda x: _equal(lambda: x @ W + b, lambda: own("pre_activation"))]
        case "add":
            change = own("output") if own("norm.output") is not own("output") else None
            return [lambda x: x is change, lambda x: _equal(lambda: x + change, lambda: own("sum"))]
        case "logits":
            return [lambda x: _equal(lambda: x @ weights["embedding"].T, lambda: own("logits"))]
        case "prediction":
            return [lambda x: x is seen["logits"]]
    return []


def _equal(first, second):
    """Whether both can be computed and are the same."""
    try:
        a, b = first(), second()
    except (ValueError, TypeError, AttributeError):  # shapes that do not fit, an array that an edit no longer names
        return False
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-9, atol=1e-12)
