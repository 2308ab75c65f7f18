"""Browser contexts that are lent to one test after another: to make one costs the browser a profile and a window."""

KEPT = 4  # at once: each holds a window


class Lender:
    """Lends by what a context was made with. A test gets a page of its own in it, and leaves nothing in the storage."""

    def __init__(self, browser):
        self.browser = browser
        self.contexts = {}

    def borrow(self, **options):
        key = repr(sorted(options.items()))
        context = self.contexts.pop(key, None)
        if context is None:
            if len(self.contexts) == KEPT:
                self.contexts.pop(next(iter(self.contexts))).close()
            context = self.browser.new_context(**options)
            context.new_page()  # stays, and the window with it
        self.contexts[key] = context  # the one used last is the last to go
        return context

    @staticmethod
    def give_back(page):
        """A page may write as it goes: the storage is cleared after it went."""
        context, origin = page.context, page.evaluate("origin")
        page.close()
        control = context.new_cdp_session(context.pages[0])
        control.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "local_storage"})
        control.detach()
