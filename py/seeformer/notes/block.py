"""A block for a note: what it needs, then what it does, in the form that the place where it goes can run."""

from ..sources import PACKAGE
from .definitions import Needed, needed
from .demo import MODULE, demo
from .docs import documented
from .edits import Source
from .example import example
from .fold import renaming
from .inline import inlined
from .module import Definition, Module
from .options import without_options, without_tables

FORMS = ("note", "matplotlib", "short", "plain")
_SHOW = f"{PACKAGE}.notes.show"
_SHOWS = {"matplotlib": f"{_SHOW}_matplotlib", "plain": f"{_SHOW}_plain"}


def lab_block(lab: str, params: dict, *, words: dict, form: str = "note", wheel: str = "seeformer") -> str:
    """A lab, with these parameters.

    Parameters
    ----------
    params : dict
        All parameters of the lab's ``run``.
    words : dict
        The texts of one language, as in web/text.
    form : {"note", "matplotlib", "short", "plain"}
        For Obsidian's Code Emitter with all code inside, the same with matplotlib, the same with the package
        installed from ``wheel``, and without micropip for Jupyter, marimo or Python itself.
    wheel : str
        Address of the package's wheel.

    Raises
    ------
    ValueError
        Naming the argument and the remedy.
    """
    return block(demo(lab, params, words["labs"][lab]["note"]), MODULE.format(lab), words=words, form=form, wheel=wheel)


def kernel_block(module: str, name: str, *, words: dict, form: str = "note", wheel: str = "seeformer") -> str:
    """A function of the package with the examples of its docstring; arguments as for ``lab_block``."""
    return block(example(module, name), module, words=words, form=form, wheel=wheel)


def block(code: str, module: str, *, words: dict, form: str = "note", wheel: str = "seeformer") -> str:
    """Code that stands in ``module``, with everything it needs from the package."""
    if form not in FORMS:
        raise ValueError(f"form={form!r} is unknown: use one of {', '.join(FORMS)}")
    packages = ["numpy", *(["matplotlib"] if form == "matplotlib" else []), *([wheel] if form == "short" else [])]
    header = "" if form == "plain" else _installing(packages)
    if form == "short":
        return f"{header}{_importing(code, module)}\n{code}".lstrip("\n")
    parts, code = _own(code, module, form)
    texts = [documented(part.text, words["notes"]) for part in parts.definitions]
    return f"{header}{_imports(parts.imports)}{_laid_out(parts.definitions, texts)}{code}".lstrip("\n")


def _installing(packages) -> str:
    lines = [f'await micropip.install("{package}")\n' for package in packages]
    return "import micropip\n\n" + "".join(lines)


def _imports(lines) -> str:
    """Standard library first, as isort has it."""
    lines = _merged(lines)
    third = {line for line in lines if line.split()[1].partition(".")[0] in ("numpy", "matplotlib")}
    groups = [sorted(lines - third, key=_isort), sorted(third, key=_isort)]
    return "".join("\n" + "".join(f"{line}\n" for line in group) for group in groups if group)


def _merged(lines) -> set[str]:
    """One line for all that comes from one module."""
    taken = {}
    for line in lines:
        start, _, name = line.partition(" import ")
        taken.setdefault(start, []).append(name)
    return {f"{start} import {', '.join(sorted(names))}" if names[0] else start for start, names in taken.items()}


def _isort(line):
    return line.startswith("from"), line.split()[1]


def _own(code, module, form) -> tuple[Needed, str]:
    """Everything that the code needs, cut down to what it uses."""
    known = _shows(form)
    parts = needed(code, module, known).definitions
    for cut in (without_options, without_tables, inlined):
        parts, code = cut(parts, code)
    known |= {(part.module, part.name): part for part in parts}
    known |= {(_SHOW, part.name): part for part in parts if part.module == _SHOWS.get(form)}
    return needed(code, module, known), code


def _shows(form) -> dict[tuple[str, str], Definition]:
    """The pictures of another form in the place of a note's own."""
    if form not in _SHOWS:
        return {}
    module = Module.of(_SHOWS[form])
    return {(_SHOW, name): module.definition(name) for name in module.functions()}


def _laid_out(definitions, texts) -> str:
    """Constants first, then functions in their order, with the gaps that the formatter wants."""
    pairs = list(zip(definitions, texts, strict=True))
    constants = "".join(text for part, text in pairs if not part.is_function)
    functions = [text for part, text in pairs if part.is_function]
    head = f"\n{constants}" if constants else ""
    return head + "".join(f"\n\n{text}" for text in functions) + ("\n\n" if functions else "\n")


def _importing(code, module) -> str:
    """from seeformer.x import y, for what the code names itself."""
    parts = needed(code, module)
    direct = [part for part in parts.definitions if _named(code, part.name)]
    lines = {}
    for part in direct:
        lines.setdefault(part.module, []).append(part.name)
    ours = "".join(f"from {name} import {', '.join(sorted(names))}\n" for name, names in sorted(lines.items()))
    return f"{_imports({line for line in parts.imports if _named(code, line.split()[-1])})}\n{ours}"


def _named(code, name) -> bool:
    return Source(code).rewritten(renaming(name, "")) != code
