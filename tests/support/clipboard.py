"""A real paste: the text goes through the system's clipboard and the browser's own paste event."""

CLIPBOARD = ["clipboard-read", "clipboard-write"]  # permissions that the page's context needs


def paste(page, text: str) -> None:
    """Into what has the focus."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")
