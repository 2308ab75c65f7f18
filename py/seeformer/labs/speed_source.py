"""The C source of seeformer.fast, as it lies in the wheel, and the sizes that it fixes."""

import re
from pathlib import Path

from .. import fast

FOLDER = Path(fast.__file__).parent / "src"
SHOWN = ("tile.h", "blocks.h", "pack.h", "thin.h", "product.h", "doors.h", "limit.h", "type.h")  # what matters first
INNERMOST = "MULTIPLY_ADD("


def source(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def size(file: str, name: str, itemsize: int, *, relaxed: bool = True) -> int:
    """What `#define name` is for numbers of so many bytes; where the plain build has another, it comes second."""
    known = {"LANES": 16 // itemsize, "SIZE": itemsize}
    found = re.findall(rf"^#define {name} (.*?)\s*(?:/\*.*)?$", source(file), re.MULTILINE)
    written = found[0 if relaxed else -1]
    return int(eval(written.replace("/", "//"), {"__builtins__": {}}, known))  # our own file, a product or a quotient


def innermost(text: str) -> list[str]:
    """Line numbers of the multiply-adds."""
    return [str(number) for number, line in enumerate(text.splitlines(), 1) if INNERMOST in line]
