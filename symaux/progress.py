"""Notify a listener of every rule that a search tries, and of the law that it is tried on.

>>> heard = []
>>> with listen(lambda rule, law: heard.append(rule)):
...     notify("monotone", None)
>>> notify("nobody hears this", None)
>>> heard
['monotone']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Listener = Callable[[str, Any], None]  # the name of a rule, and the law that it is tried on
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listen(listener: Listener) -> Iterator[None]:
    """Call a function for every attempt of the searches in this context."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def notify(rule: str, law: Any) -> None:
    """Notify the listener of an attempt; without a listener this costs nothing."""
    listener = _listener.get()
    if listener is not None:
        listener(rule, law)
