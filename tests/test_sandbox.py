"""Limits hold, nothing hangs, and the caller's ``__main__`` is never imported again."""

from __future__ import annotations

import operator
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import sympy as sp

from symaux.sandbox import Done, Stopped, _runnable, cpu_seconds, run_bounded, value_or


def nested(x: int) -> object:
    return run_bounded(operator.add, x, 1)


def spin() -> None:
    while True:
        pass


def work(seconds: float) -> str:
    """Use so much processor time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return "done"


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether the condition becomes true; a busy machine may take its time."""
    return any(condition() or time.sleep(0.02) for _ in range(1500))


def deaf() -> None:
    signal.signal(signal.SIGPROF, signal.SIG_IGN)
    spin()


def greedy(size: int) -> int:
    return len(bytearray(size))


def test_a_value_comes_back() -> None:
    x = sp.Symbol("x", positive=True)
    assert run_bounded(sp.integrate, sp.exp(-x), (x, 0, sp.oo)) == Done(1)


def test_time_is_limited_and_the_next_task_still_runs() -> None:
    started = cpu_seconds()
    assert run_bounded(spin, seconds=0.3) == Stopped("timeout", "0.3 s")
    assert run_bounded(operator.add, 1, 1) == Done(2)
    assert cpu_seconds() - started < 1


def test_the_limit_counts_processor_time_below_a_second_too() -> None:
    before = cpu_seconds()
    assert run_bounded(work, 0.8, seconds=0.4) == Stopped("timeout", "0.4 s")
    assert 0.3 < cpu_seconds() - before < 0.7  # RLIMIT_CPU alone would have let it end: it counts whole seconds
    assert run_bounded(spin, seconds=0) == Stopped("timeout", "0 s")


def test_a_task_that_ignores_the_alarm_is_stopped_all_the_same() -> None:
    assert run_bounded(deaf, seconds=0.1) == Stopped("timeout", "0.1 s")


def test_a_busy_machine_does_not_change_the_outcome() -> None:
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        assert run_bounded(work, 0.5, seconds=1) == Done("done")
        assert run_bounded(work, 0.8, seconds=0.4) == Stopped("timeout", "0.4 s")
    finally:
        for other in others:
            other.kill()
            other.wait()


def test_a_task_that_waits_for_a_processor_is_told_from_one_that_sleeps() -> None:
    spinning = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        assert eventually(lambda: _runnable(spinning.pid)) and not _runnable(10**9)
        os.kill(spinning.pid, signal.SIGSTOP)
        assert eventually(lambda: not _runnable(spinning.pid))
    finally:
        spinning.kill()
        spinning.wait()


def test_memory_is_limited() -> None:
    outcome = run_bounded(greedy, 8 << 30, memory=2 << 30)
    assert isinstance(outcome, Stopped) and outcome.why == "memory"


def test_an_exception_is_a_record() -> None:
    outcome = run_bounded(operator.truediv, 1, 0)
    assert outcome == Stopped("raised", "ZeroDivisionError: division by zero")
    assert value_or(outcome, "nothing") == "nothing"


def test_a_death_is_a_record() -> None:
    assert run_bounded(os._exit, 3) == Stopped("lost", "the worker died")


def test_what_cannot_be_sent_is_a_record() -> None:
    assert run_bounded(lambda: 1).why == "raised"  # type: ignore[union-attr]


def test_nested_tasks_run_inside_their_task() -> None:
    assert run_bounded(nested, 1) == Done(Done(2))


@pytest.mark.speed
def test_tasks_are_cheap() -> None:
    run_bounded(operator.add, 1, 1)
    started = time.monotonic()
    for _ in range(20):
        run_bounded(operator.add, 1, 1)
    assert (time.monotonic() - started) / 20 < 0.1


SCRIPT = """
    import operator
    print("main")
    import jax.numpy as jnp
    jnp.ones(3).sum().block_until_ready()
    from symaux.sandbox import run_bounded
    print(run_bounded(operator.add, 1, 2), run_bounded(operator.add, 3, 4))
"""


def test_a_script_without_a_guard_runs_once(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT))
    for command in ([str(script)], ["-W", "error", "-c", textwrap.dedent(SCRIPT)]):
        ran = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=120, check=True)
        assert ran.stdout.split("\n")[:2] == ["main", "Done(value=3) Done(value=7)"]
        assert ran.stderr == ""
