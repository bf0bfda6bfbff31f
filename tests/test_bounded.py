"""Limits hold, nothing hangs, and the caller's ``__main__`` is never imported again."""

from __future__ import annotations

import operator
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import sympy as sp

from symaux.sandbox import Done, Stopped, _runnable, bounded, value_of


def nested(x: int) -> object:
    return bounded(operator.add, x, 1)


def spin() -> None:
    while True:
        pass


def greedy(size: int) -> int:
    return len(bytearray(size))


def test_a_value_comes_back() -> None:
    x = sp.Symbol("x", positive=True)
    assert bounded(sp.integrate, sp.exp(-x), (x, 0, sp.oo)) == Done(1)


def test_time_is_limited_and_the_next_task_still_runs() -> None:
    started = time.monotonic()
    assert bounded(spin, seconds=0.3) == Stopped("timeout", "0.3 s")
    assert bounded(operator.add, 1, 1) == Done(2)
    assert time.monotonic() - started < 5


def test_a_task_that_waits_for_a_processor_is_told_from_one_that_sleeps() -> None:
    import os

    spinning = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        assert _runnable(spinning.pid) and not _runnable(10**9)
        os.kill(spinning.pid, signal.SIGSTOP)
        time.sleep(0.2)
        assert not _runnable(spinning.pid)
    finally:
        spinning.kill()
        spinning.wait()


def test_memory_is_limited() -> None:
    outcome = bounded(greedy, 8 << 30, memory=2 << 30)
    assert isinstance(outcome, Stopped) and outcome.why == "memory"


def test_an_exception_is_a_record() -> None:
    outcome = bounded(operator.truediv, 1, 0)
    assert outcome == Stopped("raised", "ZeroDivisionError: division by zero")
    assert value_of(outcome, "nothing") == "nothing"


def test_a_death_is_a_record() -> None:
    import os

    assert bounded(os._exit, 3) == Stopped("lost", "the worker died")


def test_what_cannot_be_sent_is_a_record() -> None:
    assert bounded(lambda: 1).why == "raised"  # type: ignore[union-attr]


def test_nested_tasks_run_inside_their_task() -> None:
    assert bounded(nested, 1) == Done(Done(2))


def test_tasks_are_cheap() -> None:
    bounded(operator.add, 1, 1)
    started = time.monotonic()
    for _ in range(20):
        bounded(operator.add, 1, 1)
    assert (time.monotonic() - started) / 20 < 0.1


SCRIPT = """
    import operator
    print("main")
    import jax.numpy as jnp
    jnp.ones(3).sum().block_until_ready()
    from symaux.sandbox import bounded
    print(bounded(operator.add, 1, 2), bounded(operator.add, 3, 4))
"""


def test_a_script_without_a_guard_runs_once(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT))
    for command in ([str(script)], ["-W", "error", "-c", textwrap.dedent(SCRIPT)]):
        ran = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=120, check=True)
        assert ran.stdout.split("\n")[:2] == ["main", "Done(value=3) Done(value=7)"]
        assert ran.stderr == ""
