"""A process that measures entries one after the other and is killed when one takes too long.

It reads one line ``corpus name`` at a time and answers with three lines of JSON: that the law is there, what was derived, and
what was measured.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from support.paths import IMPORTS

CORPORA = {"sympy": "sympy_stats", "scipy": "scipy_catalogue", "rearranged": "scipy_catalogue", "unnamed": "unnamed"}
Record = dict[str, Any]


def names(which: str) -> list[str]:
    """The names of a corpus."""
    if which == "unnamed":
        from corpus.unnamed import COUNT, SEED

        return [f"u{1000 * SEED + number}" for number in range(COUNT)]
    return [entry.name for entry in _module(which).entries()]


def entry(which: str, name: str) -> Any:
    """One entry of a corpus; only this one is made, where making it takes time."""
    if which == "unnamed":
        return _module(which).made(int(name[1:]))
    found = {e.name: (number, e) for number, e in enumerate(_module(which).entries())}
    number, plain = found[name]
    if which == "rearranged":
        from corpus.rearrange import rearranged

        return rearranged(plain, number)
    return plain


def _module(which: str) -> Any:
    return import_module(f"corpus.{CORPORA[which]}")


def main(cache: str) -> None:
    """The worker's loop."""
    import jax

    from corpus.measure import derived, measured

    jax.config.update("jax_enable_x64", True)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever prints goes elsewhere
    _say(out, {"ready": True})
    for line in sys.stdin:
        given = entry(*line.split())
        _say(out, {"made": True})  # making a law is not the engine's time
        try:
            record, form = derived(given)
        except Exception as failure:
            record, form = (
                {"class": "none", "verdict": "NONE", "why": f"{type(failure).__name__}: {failure}"[:400]},
                None,
            )
        _say(out, record | ({"about": given.about} if given.about else {}))
        _say(out, {} if form is None or not cache else measured(given, form, Path(cache)))


def _say(out: Any, record: Record) -> None:
    out.write(json.dumps(record) + "\n")
    out.flush()


class Worker:
    """The caller's end: asks within time limits, and starts a new process after one that was killed."""

    def __init__(self, cache: Path | None) -> None:
        self.cache, self.process, self.rest = cache or "", None, b""

    def ask(self, which: str, name: str, seconds: float, patience: float) -> Record:
        """Everything about one entry; a time limit that was reached is part of the answer."""
        if self.process is None:
            self._start()
        self._write(f"{which} {name}\n")
        made, start = self._line(patience), time.perf_counter()
        record = made and self._line(seconds)
        if record is None:
            self.close()
            spent = time.perf_counter() - start
            return {"class": "none", "verdict": "NONE", "why": f"stopped after {spent:.0f} s", "seconds": spent}
        more = self._line(patience)
        if more is None:
            self.close()
            more = {"trouble": f"measuring was stopped after {patience:.0f} s"}
        return record | {"errors": more}

    def _start(self) -> None:
        command = f"import sys; sys.path[:0] = {IMPORTS!r}; from corpus.worker import main; main({str(self.cache)!r})"
        self.process = subprocess.Popen(
            [sys.executable, "-c", command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=os.environ | {"JAX_PLATFORMS": "cpu"},
        )
        self.rest = b""
        self._line(120)

    def _write(self, text: str) -> None:
        assert self.process is not None and self.process.stdin is not None
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def _line(self, seconds: float) -> Record | None:
        assert self.process is not None and self.process.stdout is not None
        deadline, end = time.monotonic() + seconds, self.process.stdout.fileno()
        while b"\n" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([end], [], [], left)[0]:
                return None
            part = os.read(end, 1 << 16)
            if not part:
                return None
            self.rest += part
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)

    def close(self) -> None:
        """Ends the process together with those that it started."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            for end in (self.process.stdin, self.process.stdout):
                if end is not None:
                    end.close()
            self.process = None


def run(
    which: str, names: list[str], cache: Path | None, seconds: float, patience: float
) -> Iterator[tuple[str, Record]]:
    """One entry after the other; without a cache for references, nothing is measured."""
    worker = Worker(cache)
    try:
        for name in names:
            yield name, worker.ask(which, name, seconds, patience)
    finally:
        worker.close()
