"""What an argument of the command line means: a path is a model, a known family a name, anything else a formula."""

from __future__ import annotations

import json
import runpy
import traceback
from pathlib import Path
from typing import Any

from symaux.errors import SymauxError

SUFFIXES = (".py", ".symaux")
MAX_FILE = 10_000_000
MAX_TEXT = 1_000_000


class TargetError(SymauxError):
    """An argument names no model, family or formula."""

    code = "target"


def is_path(text: str) -> bool:
    """Whether an argument is meant as a file: it exists, or is spelled like one.

    >>> is_path("model.py"), is_path("a*exp(-a*z)")
    (True, False)
    """
    try:
        return bool(text) and (text.endswith(SUFFIXES) or Path(text).exists())
    except (OSError, ValueError):  # too long for a path, or holds a NUL: then it is none
        return False


def read_model(text: str) -> Any:
    """The model that a file holds: a model text, or a Python file that defines it as ``model``."""
    return read_model_and_data(text)[0]


def read_model_and_data(text: str) -> tuple[Any, dict[str, Any]]:
    """The model that a file holds, and its ``data``: a dict, or a function without arguments that gives one."""
    path = Path(text)
    try:
        if path.is_dir():
            raise TargetError(f"{text} is a directory; give a .symaux file, or a .py file that defines model")
        if not path.is_file():
            raise TargetError(f"there is no file {text!r}"[:200])
    except (OSError, ValueError) as failure:
        raise TargetError(f"{text[:60]!r} is no path: {failure}"[:200]) from None
    if path.suffix == ".symaux":
        return _from_text(path), {}
    if path.suffix != ".py":
        raise TargetError(f"{text} is no model: a model is a .symaux file, or a .py file that defines model")
    return _from_python(path)


def _from_text(path: Path) -> Any:
    from symaux.language.reading import parse

    return parse(text_file(path, MAX_TEXT))


def text_file(path: Path, largest: int = MAX_FILE) -> str:
    """The text of a file in UTF-8 of a bounded size; a mark of its byte order at the start is no part of it."""
    try:
        with open(path, "rb") as file:
            data = file.read(largest + 1)
        if len(data) > largest:
            raise TargetError(f"{path} has more than {largest} bytes; no more are read")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        raise TargetError(f"{path} is no text in UTF-8: byte {failure.start} is {data[failure.start]:#04x}") from None
    except OSError as failure:
        raise TargetError(f"{path} cannot be read: {failure.strerror or failure}") from None


def run_script(path: Path) -> dict[str, Any]:
    """The names that a user's own Python file defines."""
    if path.stat().st_size > MAX_FILE:
        raise TargetError(f"{path} has {path.stat().st_size} bytes; a model of at most {MAX_FILE} is read")
    try:
        return runpy.run_path(str(path), run_name="symaux_model")
    except SymauxError:
        raise
    except (Exception, SystemExit) as failure:
        raise TargetError(f"{path} cannot be run: {_told(failure, path)}") from failure


def _from_python(path: Path) -> tuple[Any, dict[str, Any]]:
    from symaux.model import Model

    namespace = run_script(path)
    if "model" not in namespace:
        raise TargetError(f"{path} does not define model = sa.Model.of(...)")
    if not isinstance(namespace["model"], Model):
        raise TargetError(f"{path}: model must be a symaux Model, not {type(namespace['model']).__name__}")
    return namespace["model"], _data(namespace.get("data"), path)


def _data(found: Any, path: Path) -> dict[str, Any]:
    try:
        made = found() if callable(found) else found
    except Exception as failure:
        raise TargetError(f"{path}: data() failed: {_told(failure, path)}") from failure
    return dict(made) if isinstance(made, dict) else {}


def _told(failure: BaseException, path: Path) -> str:
    lines = [frame.lineno for frame in traceback.extract_tb(failure.__traceback__) if frame.filename == str(path)]
    place = f" (line {lines[-1]})" if lines else ""
    return f"{type(failure).__name__}: {failure}{place}"


def read_records(text: str) -> list[Any]:
    """The records of evidence that a JSON file holds: one, or a list of them."""
    from symaux.archive.records import ArchiveError, from_data

    path = Path(text)
    if not path.is_file():
        raise TargetError(f"there is no file {text}")
    try:
        data = json.loads(text_file(path))
    except (ValueError, RecursionError) as failure:
        raise ArchiveError(f"{text} is no JSON: {failure}") from failure
    return [from_data(each) for each in (data if isinstance(data, list) and data else [data])]


def read_law(text: str, **declared: Any) -> Any:
    """The law that a family's name or a formula says."""
    from symaux.language import family_law, law_from_text

    family = family_law(text)
    if family is None:
        return law_from_text(text, **declared)
    if any(declared.values()):
        raise TargetError(
            f"{text} is a family; --value, --positive, --real, --support, --given and --log are for formulas"
        )
    return family
