"""The source that runs when a lab runs: its own file and the seeformer modules it imports, directly or not."""

import ast
from importlib.util import find_spec, resolve_name

PACKAGE = __package__


def lab_module(lab: str) -> str:
    return f"{PACKAGE}.labs.{lab}"


def sources(lab: str) -> list[dict[str, str]]:
    """List what the Code face of a lab shows.

    Returns
    -------
    list of {"module", "source"}
        The lab first, then what it imports from seeformer in the order of its import lines, then what those import.
        Packages themselves (`__init__`) are left out: they hold no maths.
    """
    found: dict[str, str] = {}
    waiting = [lab_module(lab)]
    for module in waiting:  # grows while it is walked: breadth first
        source = source_of(module)
        if module in found or source is None:
            continue
        found[module] = source
        waiting += _imports(module, source)
    return [{"module": module, "source": source} for module, source in found.items()]


def source_of(module: str) -> str | None:
    """A seeformer module's text, from a folder or a zip; None if there is no such module, or it is a package."""
    if not module.startswith(f"{PACKAGE}."):
        return None
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:  # a parent is missing, or is no package
        return None
    if spec is None or spec.submodule_search_locations is not None:
        return None
    return spec.loader.get_source(module)


def _imports(module: str, source: str) -> list[str]:
    """Names that may be modules, in order. `from a import b` may mean either, so both are listed."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), module.rpartition(".")[0])
            names.append(base)
            names += [f"{base}.{alias.name}" for alias in node.names]
    return names
