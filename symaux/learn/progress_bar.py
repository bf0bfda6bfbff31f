"""Show a progress bar with the current estimate on a terminal; listeners of ``symaux.progress`` are notified of the same."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from symaux.progress import notify

Advance = Callable[[int, str], None]  # how far, and what to show


@contextmanager
def show_progress(title: str, total: int, wanted: bool | None = None) -> Iterator[Advance]:
    """Show the progress of a run where it is wanted, by default on a terminal."""
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield lambda done, estimate: notify(title, f"{done} of {total}: {estimate}")
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as shown:
        task = shown.add_task(title, total=total)

        def advance(done: int, estimate: str) -> None:
            notify(title, f"{done} of {total}: {estimate}")
            shown.update(task, completed=done, description=f"{title} {estimate}")

        yield advance
