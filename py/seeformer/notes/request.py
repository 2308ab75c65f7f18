"""What the page asks for at a Note face, in one call: a block of a lab or of a kernel, or a lab's section."""

from collections.abc import Callable

from .block import kernel_block, lab_block
from .example import kernels
from .section import section


def written(
    lab: str,
    params: dict,
    *,
    accept: Callable[[str, dict], dict],
    what: str = "lab",
    words: dict,
    form: str = "note",
    wheel: str,
) -> str:
    """The text that a reader takes along.

    Parameters
    ----------
    params : dict
        Of the lab's ``run``; what is left out has its default.
    accept : callable
        Gives all parameters of a lab, or raises what the lab's code raises for these: a block that cannot run is not
        written.
    what : str
        "lab", "section", or "<module>.<name>" of a kernel behind the lab.
    words, form, wheel
        As for ``lab_block``; of the words, "notes" and "labs.<lab>" are enough.
    """
    options = {"words": words, "form": form, "wheel": wheel}
    if what in ("lab", "section"):
        write = lab_block if what == "lab" else section
        return write(lab, accept(lab, params), **options)
    module, _, name = what.rpartition(".")
    if (module, name) not in kernels(lab):
        raise ValueError(
            f'what={what!r} is no kernel behind the lab {lab!r}: use "lab", "section" or one that it lists'
        )
    return kernel_block(module, name, **options)
