"""Looking inside a kernel without changing it.

A kernel passes each intermediate value through ``see``, which hands the value back untouched. While a
``trace`` is open the value is also recorded, with the line of source that made it, and that record is all
that a lab ever shows: a picture cannot differ from what ran.

>>> with trace() as seen:
...     weights = see("weights", 0.5)
>>> seen["weights"], sorted(seen.lines)
(0.5, ['weights'])

A model calls the same kernels in many places: ``scope`` says which.

>>> with trace() as seen, scope("encoder.0"), scope("self"):
...     weights = see("weights", 0.5)
>>> seen
{'encoder.0.self.weights': 0.5}
"""

import sys
from contextlib import contextmanager
from contextvars import ContextVar

# Outermost first. A ContextVar, so that each thread and each asyncio task sees only the traces it opened.
_open = ContextVar("open_traces", default=())
_place = ContextVar("place", default="")


class Trace(dict):
    """What was seen: name -> value, in the order of first sight; ``lines``: name -> (module, line number)."""

    def __init__(self):
        super().__init__()
        self.lines = {}

    def need(self, *names):
        """ValueError unless each of the names was seen: an edited kernel may have lost its see()."""
        for name in names:
            if name not in self:
                raise ValueError(f"see={name!r} is named nowhere: put see({name!r}, …) back around the value it is")


def see(name, value):
    """Return ``value``; record it under ``name`` in every open trace (a repeated name: the last one wins).

    The value itself is kept, not a copy. Kernels never write into an array they have shown, so it stays true.
    """
    traces = _open.get()
    if traces:
        caller = sys._getframe(1)
        line = caller.f_globals.get("__name__", "?"), caller.f_lineno
        name = _place.get() + name
        for seen in traces:
            seen[name] = value
            seen.lines[name] = line
    return value


@contextmanager
def trace():
    """Record what ``see`` is given inside the ``with`` block; traces may be nested, and then all record."""
    seen = Trace()
    _open.set((*_open.get(), seen))
    try:
        yield seen
    finally:
        # By identity, not by position: a generator lab may be closed while a later trace is still open.
        _open.set(tuple(other for other in _open.get() if other is not seen))


@contextmanager
def apart():
    """Inside the ``with`` block no trace that is open records; one opened there does, and names begin anew.

    For what is computed beside the pass that a reader sees: a comparison, or steps that are shown one by one.
    """
    traces, place = _open.get(), _place.get()
    _open.set(())
    _place.set("")
    try:
        yield
    finally:
        _place.set(place)
        _open.set(traces)


class scope:
    """Inside the ``with`` block the names that ``see`` is given begin with ``name`` and a dot; scopes may be nested.

    A generator leaves its scopes before it yields, or what runs meanwhile would be named as if it were inside.
    """

    __slots__ = "name", "outside"  # a class, for a generator's context manager takes ten times as long to enter

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.outside = _place.get()
        _place.set(f"{self.outside}{self.name}.")

    def __exit__(self, *error):
        _place.set(self.outside)
