"""Listens to a page: console errors, uncaught errors, requests to anyone but our own server."""

from urllib.parse import urlsplit

OWN_SCHEMES = ("data", "blob", "about")


class Watch:
    def __init__(self, page, base: str):
        self.origin = urlsplit(base)[:2]
        self.clear()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(f"uncaught: {error}"))
        self.context = page.context
        self.context.on("request", self._request)  # the context's, so that workers are heard too

    def stop(self):
        self.context.remove_listener("request", self._request)

    def clear(self):
        self.errors, self.foreign = [], []

    def complaints(self, *, lenient: bool) -> list[str]:
        """`lenient` forgives errors; a request to a foreign origin is never forgiven."""
        return self.foreign + ([] if lenient else self.errors)

    def _console(self, message):
        if message.type == "error":
            place = message.location
            self.errors.append(f"console: {message.text} ({place.get('url')}:{place.get('lineNumber')})")

    def _request(self, request):
        target = urlsplit(request.url)
        if target.scheme not in OWN_SCHEMES and target[:2] != self.origin:
            self.foreign.append(f"foreign request: {request.url}")
