"""Limits of time, for tests with the marker ``speed`` only: the others must not depend on a clock."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

from symaux.sandbox import cpu_seconds


@contextmanager
def within(seconds: float, what: object = "it", *, tasks: bool = False) -> Iterator[None]:
    """Fail if the block takes more processor time in this process, or with ``tasks`` in it and its sandbox.

    What other tests left behind is not collected meanwhile.
    """
    clock = cpu_seconds if tasks else time.process_time
    gc.collect()
    gc.disable()
    began = clock()
    try:
        yield
    finally:
        gc.enable()
    spent = clock() - began
    assert spent < seconds, f"{what} took {spent:.2f} s of the processor, and {seconds:g} s are allowed"
