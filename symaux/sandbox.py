r"""Calls that may hang, in a process that can be killed: a time limit, a memory limit, and a record of what went wrong.

A small server is started once with sympy loaded and forks a child for every task; it has no threads, so forking it is
safe whatever the caller has loaded, and it never imports the caller's ``__main__``. A call made inside a task runs
right there, under the limits of the task.

>>> import math, operator, time
>>> bounded(operator.add, 1, 2)
Done(value=3)
>>> bounded(time.sleep, 60, seconds=0.2)
Stopped(why='timeout', detail='0.2 s')
>>> bounded(math.sqrt, -1).why
'raised'
>>> before = spent()
>>> _ = bounded(sum, range(10**7))
>>> spent() - before > 0.01
True
"""

from __future__ import annotations

import atexit
import contextlib
import math
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SECONDS = 10.0
MEMORY = 4 << 30
PATIENCE = 20.0  # what the server may need beyond the task itself: to start, to fork, to answer
BUSY = 6  # the limit is on the time of the processor; on a busy machine the clock may show this many times as much
STARVED = 60  # and this many times as much for a task that could run all the while and is not given a processor


@dataclass(frozen=True)
class Done:
    """The task ended in time."""

    value: Any


@dataclass(frozen=True)
class Stopped:
    """The task gave no value: ``why`` is 'timeout', 'memory', 'raised' or 'lost'."""

    why: str
    detail: str


Outcome = Done | Stopped


def bounded(function: Callable[..., Any], *args: Any, seconds: float = SECONDS, memory: int = MEMORY) -> Outcome:
    """``function(*args)`` within limits; the function and its arguments must be importable and picklable."""
    if _Server.inside:
        return _called(function, args)
    try:
        task = pickle.dumps((function, args, seconds, memory))
    except Exception as failure:
        return Stopped("raised", f"cannot be sent to a worker: {failure}")
    with _lock:
        try:
            return _server().ask(task, STARVED * seconds + PATIENCE)
        except BaseException as failure:
            _discard()
            if isinstance(failure, OSError | EOFError):
                return Stopped("lost", str(failure) or "the worker died")
            raise


def spent() -> float:
    """Seconds of processor time used so far by this process and its tasks: a clock that a busy machine does not hurry."""
    return time.process_time() + _Server.used


def value_of(outcome: Outcome, otherwise: Any = None) -> Any:
    """Return the value of a task that ended, or ``otherwise``."""
    return outcome.value if isinstance(outcome, Done) else otherwise


def _called(function: Callable[..., Any], args: tuple[Any, ...]) -> Outcome:
    try:
        return Done(function(*args))
    except MemoryError:
        return Stopped("memory", "out of memory")
    except Exception as failure:
        return Stopped("raised", f"{type(failure).__name__}: {failure}"[:500])


class _Server:
    """The caller's end of the server process."""

    inside = False  # true in the process of a task
    used = 0.0  # processor time of the tasks so far

    def __init__(self) -> None:
        self.owner = os.getpid()
        asks, self.write = os.pipe()
        self.read, answers = os.pipe()
        command = f"import sys; sys.path[:] = {sys.path!r}; from symaux.sandbox import serve; serve({asks}, {answers})"
        self.process = subprocess.Popen(
            [sys.executable, "-c", command],
            pass_fds=(asks, answers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(asks)
        os.close(answers)

    def ask(self, task: bytes, seconds: float) -> Outcome:
        _send(self.write, task)
        if not select.select([self.read], [], [], seconds)[0]:
            raise EOFError("the worker does not answer")
        answer = _receive(self.read)
        _Server.used += struct.unpack("<d", _receive(self.read))[0]
        return pickle.loads(answer)

    def close(self) -> None:
        for end in (self.write, self.read):
            with contextlib.suppress(OSError):
                os.close(end)
        if self.owner == os.getpid():
            self.process.kill()
            self.process.wait()


_lock = threading.RLock()
_running: list[_Server] = []


def _server() -> _Server:
    if _running and (_running[0].owner != os.getpid() or _running[0].process.poll() is not None):
        _discard()
    if not _running:
        _running.append(_Server())
    return _running[0]


def _discard() -> None:
    while _running:
        _running.pop().close()


atexit.register(_discard)


def serve(asks: int, answers: int) -> None:
    """The server's loop: one forked child a task, killed at its time limit."""
    import sympy  # noqa: F401  (loaded here once, for every child)

    while True:
        try:
            task = _receive(asks)
        except EOFError:
            return
        began = _of_children()
        _send(answers, _in_child(task))
        _send(answers, struct.pack("<d", _of_children() - began))


def _of_children() -> float:
    """Processor time of the children that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _in_child(task: bytes) -> bytes:
    try:
        function, args, seconds, memory = pickle.loads(task)
    except Exception as failure:
        return pickle.dumps(Stopped("raised", f"cannot be received by a worker: {failure}"))
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        _run_and_exit(write, function, args, seconds, memory)
    os.close(write)
    try:
        if not _ready(read, child, seconds):
            return pickle.dumps(Stopped("timeout", f"{seconds:g} s"))
        return _receive(read)
    except EOFError:
        late = os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGXCPU
        child = 0
        return pickle.dumps(Stopped("timeout", f"{seconds:g} s") if late else Stopped("lost", "the worker died"))
    finally:
        os.close(read)
        if child:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _ready(read: int, child: int, seconds: float) -> bool:
    """Return whether a child answers in time; one that waits for a processor is waited for, so that others change no
    answer."""
    if select.select([read], [], [], BUSY * seconds)[0]:
        return True
    end = time.monotonic() + (STARVED - BUSY) * seconds
    while time.monotonic() < end and _runnable(child):
        if select.select([read], [], [], min(1.0, seconds))[0]:
            return True
    return False


def _runnable(child: int) -> bool:
    """Return whether a process is running or could be; where there is no /proc to ask, it is taken to hang."""
    try:
        with open(f"/proc/{child}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] in "RD"
    except (OSError, IndexError):
        return False


def _run_and_exit(write: int, function: Callable[..., Any], args: tuple[Any, ...], seconds: float, memory: int) -> None:
    _Server.inside = True
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))
    outcome = _called(function, args)
    try:
        answer = pickle.dumps(outcome)
    except Exception as failure:
        answer = pickle.dumps(Stopped("raised", f"the value cannot be sent back: {failure}"))
    try:
        _send(write, answer)
    finally:
        os._exit(0)


def _send(end: int, message: bytes) -> None:
    data = struct.pack("<Q", len(message)) + message
    while data:
        data = data[os.write(end, data) :]


def _receive(end: int) -> bytes:
    (size,) = struct.unpack("<Q", _exactly(end, 8))
    return _exactly(end, size)


def _exactly(end: int, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = os.read(end, min(size, 1 << 20))
        if not part:
            raise EOFError("the other end closed")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
