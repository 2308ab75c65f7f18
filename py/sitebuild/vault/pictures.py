"""What a lab's block would draw, drawn beforehand: the block itself runs here, with ``show`` taking the pictures."""

from importlib import import_module

from seeformer.notes.definitions import EVERYWHERE, free_names
from seeformer.notes.demo import MODULE, demo
from seeformer.notes.module import Module
from sitebuild.vault.picture import picture


def pictures(lab: str, params: dict, words: dict) -> dict[str, tuple[str, bytes]]:
    """{number: (caption, PNG)} for each call of show, in order."""
    taken = {}

    def show(array, rows=(), cols=(), title=""):
        taken[str(len(taken) + 1)] = title, picture(array, rows, cols, title)

    module = MODULE.format(lab)
    code = demo(lab, params, words["labs"][lab]["note"])
    names = {name: _value(name, module) for name in free_names(code)}
    exec(compile(code, module, "exec"), {**names, "show": show, "table": _nothing, "print": _nothing})
    return taken


def _nothing(*args):
    """Text is the block's own business."""


def _value(name, module):
    origin = Module.of(module).origin(name) or EVERYWHERE.get(name)
    if origin is None:
        return getattr(import_module(module), name)
    return getattr(import_module(origin[0]), origin[1])
