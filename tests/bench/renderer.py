"""How much memory a page's process holds and held at most, as its operating system counts it."""

import re
from pathlib import Path


class Renderers:
    """Tells the processes of pages apart: a page's is the largest that came with it."""

    def __init__(self, browser):
        self.session, self.known = browser.new_browser_cdp_session(), set()

    def newest(self) -> int | None:
        """The process of a page that is up and holds its data, and has not been asked for; None except on Linux."""
        found = self.session.send("SystemInfo.getProcessInfo")["processInfo"]
        pids = {one["id"] for one in found if one["type"] == "renderer"} - self.known
        sizes = {pid: memory(pid) for pid in pids}
        if not sizes or None in sizes.values():
            return None
        largest = max(sizes, key=lambda pid: sizes[pid]["now"])
        self.known.add(largest)
        return largest


def memory(pid: int | None) -> dict | None:
    """{now, most} in bytes; None where there is no /proc."""
    told = Path(f"/proc/{pid}/status")
    if not told.exists():
        return None
    text = told.read_text(encoding="utf-8")
    return {
        name: 1024 * int(re.search(rf"^{line}:\s+(\d+) kB", text, re.MULTILINE)[1])
        for name, line in (("now", "VmRSS"), ("most", "VmHWM"))
    }
