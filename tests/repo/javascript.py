"""The string literals of a script, each with the code before it: enough of JavaScript's grammar to skip comments."""

import re

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)
      |(?P<regex>(?<=[=(,:?&|!\[;{}\n])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*)""",
    re.VERBOSE | re.DOTALL,
)


def literals(source: str):
    """Yield (the 80 characters of code before it, the literal without its quotes)."""
    code = []
    end = 0
    for match in TOKEN.finditer(source):
        code.append(source[end : match.start()])
        if match["string"]:
            yield "".join(code)[-80:], match["string"][1:-1]
        if not match["comment"]:
            code.append(match[0])
        end = match.end()
