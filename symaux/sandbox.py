r"""Run a call that may hang in a process that can be killed, with a limit of processor time, a limit of memory and a record
of what went wrong.

A small server is started once with sympy loaded and forks a child for every task; it has no threads, so forking it is
safe whatever the caller has loaded, and it never imports the caller's ``__main__``. A call made inside a task runs
right there, under the limits of the task. The limit counts the processor time of the child alone, so other processes on a
busy machine do not change the outcome; wall time ends only a task that sleeps or is starved for very long.

>>> import math, operator, time
>>> run_bounded(operator.add, 1, 2)
Done(value=3)
>>> run_bounded(time.sleep, 60, seconds=0.2)
Stopped(why='timeout', detail='0.2 s')
>>> run_bounded(math.sqrt, -1).why
'raised'
>>> before = cpu_seconds()
>>> _ = run_bounded(sum, range(10**7))
>>> cpu_seconds() - before > 0.01
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

SECONDS = 10.0  # of processor time
MEMORY = 4 << 30
PATIENCE = 20.0  # seconds of wall time that the server may need beyond the task itself: to start, to fork, to answer
BUSY = 6  # wall time, in units of the limit, after which a task that sleeps is taken to hang
STARVED = 60  # the same for a task that is ready to run but gets no processor; limits below 1 s count as 1 s


@dataclass(frozen=True)
class Done:
    """The value of a task that ended in time."""

    value: Any


@dataclass(frozen=True)
class Stopped:
    """Why a task gave no value: ``why`` is 'timeout', 'memory', 'raised' or 'lost'."""

    why: str
    detail: str


Outcome = Done | Stopped


def run_bounded(function: Callable[..., Any], *args: Any, seconds: float = SECONDS, memory: int = MEMORY) -> Outcome:
    """Return the outcome of ``function(*args)`` within limits of processor time and memory.

    The function must be importable, and its arguments and its value picklable.
    """
    if _Server.inside:
        return _call(function, args)
    try:
        task = pickle.dumps((function, args, seconds, memory))
    except Exception as failure:
        return Stopped("raised", f"cannot be sent to a worker: {failure}")
    with _lock:
        try:
            return _server().ask(task, _longest(seconds) + PATIENCE)
        except BaseException as failure:
            _discard()
            if isinstance(failure, OSError | EOFError):
                return Stopped("lost", str(failure) or "the worker died")
            raise


def cpu_seconds() -> float:
    """Return the processor time used so far by this process and its tasks, in seconds: a busy machine does not hurry it."""
    return time.process_time() + _Server.used


def value_or(outcome: Outcome, otherwise: Any = None) -> Any:
    """Return the value of a task that ended, or ``otherwise``."""
    return outcome.value if isinstance(outcome, Done) else otherwise


def _longest(seconds: float) -> float:
    """Return the wall time after which a task with this limit is killed, whatever it does."""
    return STARVED * max(1.0, seconds)


def _call(function: Callable[..., Any], args: tuple[Any, ...]) -> Outcome:
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
    """Run the server's loop: fork one child for each task, and kill it at its limit."""
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
    """Return the processor time of the children that have ended."""
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
        late = os.WTERMSIG(os.waitpid(child, 0)[1]) in (signal.SIGPROF, signal.SIGXCPU)
        child = 0
        return pickle.dumps(Stopped("timeout", f"{seconds:g} s") if late else Stopped("lost", "the worker died"))
    finally:
        os.close(read)
        if child:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _ready(read: int, child: int, seconds: float) -> bool:
    """Return whether a child answers or ends before it is taken to hang.

    Its limit of processor time is its own alarm (``_limit``). Here only a child that sleeps, or that gets no processor for
    very long, is given up: the load of other processes must not change an outcome.
    """
    if select.select([read], [], [], BUSY * seconds)[0]:
        return True
    end = time.monotonic() + _longest(seconds) - BUSY * seconds
    while time.monotonic() < end and _runnable(child):
        if select.select([read], [], [], min(1.0, seconds))[0]:
            return True
    return False


def _runnable(child: int) -> bool:
    """Return whether a process is running or ready to run; False where there is no /proc to ask."""
    try:
        with open(f"/proc/{child}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] in "RD"
    except (OSError, IndexError):
        return False


def _run_and_exit(write: int, function: Callable[..., Any], args: tuple[Any, ...], seconds: float, memory: int) -> None:
    _Server.inside = True
    _limit(seconds, memory)
    outcome = _call(function, args)
    try:
        answer = pickle.dumps(outcome)
    except Exception as failure:
        answer = pickle.dumps(Stopped("raised", f"the value cannot be sent back: {failure}"))
    try:
        _send(write, answer)
    finally:
        os._exit(0)


def _limit(seconds: float, memory: int) -> None:
    """Limit the processor time and the memory of this process, which SIGPROF ends at its limit.

    RLIMIT_CPU counts whole seconds: it is a backstop, for a task that ignores SIGPROF.
    """
    alarms = (signal.SIGPROF, signal.SIGXCPU)
    for alarm in alarms:
        signal.signal(alarm, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, alarms)
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 1e-6))  # zero would switch it off
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds) + 1, math.ceil(seconds) + 2))


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
