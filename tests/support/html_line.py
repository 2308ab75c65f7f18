"""Whether a printed HTML line is what it says: one element, everything closed in the order it was opened."""

from html.parser import HTMLParser

VOID = {"img", "br", "hr", "input", "col", "wbr"}


class _Nesting(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.roots, self.wrong = [], 0, []

    def handle_starttag(self, tag, attributes):
        self.roots += not self.open
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.roots += not self.open

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        if not self.open and data.strip():
            self.wrong.append(f"text outside: {data[:20]}")


def mistakes(line: str) -> list[str]:
    nesting = _Nesting()
    nesting.feed(line)
    nesting.close()
    left = [f"<{tag}> is not closed" for tag in nesting.open]
    return nesting.wrong + left + ([] if nesting.roots == 1 else [f"{nesting.roots} elements instead of one"])
