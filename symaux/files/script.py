"""Read text files of a bounded size, and run a user's own Python file that defines a model."""

from __future__ import annotations

import runpy
import traceback
from pathlib import Path
from typing import Any

from symaux.errors import SymauxError

MAX_FILE = 10_000_000


class TargetError(SymauxError):
    """An argument does not name a model, a family or a formula."""

    code = "target"


def read_text(path: Path, largest: int = MAX_FILE) -> str:
    """Return the text of a UTF-8 file of a bounded size, without a byte order mark."""
    try:
        with open(path, "rb") as file:
            data = file.read(largest + 1)
        if len(data) > largest:
            raise TargetError(f"{path} has more than {largest} bytes, the largest size that is read")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        raise TargetError(f"{path} is not UTF-8 text: byte {failure.start} is {data[failure.start]:#04x}") from None
    except OSError as failure:
        raise TargetError(f"{path} cannot be read: {failure.strerror or failure}") from None


def run_script(path: Path) -> dict[str, Any]:
    """Return the names that a user's own Python file defines."""
    if path.stat().st_size > MAX_FILE:
        raise TargetError(f"{path} has {path.stat().st_size} bytes; a model of at most {MAX_FILE} is read")
    try:
        return runpy.run_path(str(path), run_name="symaux_model")
    except SymauxError:
        raise
    except (Exception, SystemExit) as failure:
        raise TargetError(f"{path} cannot be run: {failure_text(failure, path)}") from failure


def failure_text(failure: BaseException, path: Path) -> str:
    """Return the error of a script as text, with the line of the script."""
    lines = [frame.lineno for frame in traceback.extract_tb(failure.__traceback__) if frame.filename == str(path)]
    place = f" (line {lines[-1]})" if lines else ""
    return f"{type(failure).__name__}: {failure}{place}"
