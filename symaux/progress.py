"""Who wants to know what a search is doing: a listener hears every rule that is tried, and on what.

>>> heard = []
>>> with listening(lambda rule, law: heard.append(rule)):
...     tell("monotone", None)
>>> tell("nobody hears this", None)
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
def listening(listener: Listener) -> Iterator[None]:
    """Lets a function hear what searches in this context try."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(rule: str, law: Any) -> None:
    """Says what is about to be tried; costs nothing where nobody listens."""
    listener = _listener.get()
    if listener is not None:
        listener(rule, law)
