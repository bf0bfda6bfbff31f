"""Read the argument of a command: a path is a model, a known family is a law, anything else is a formula."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from symaux.files.script import TargetError, failure_text, read_text, run_script

SUFFIXES = (".py", ".symaux")
MAX_TEXT = 1_000_000


def is_path(text: str) -> bool:
    """Return whether an argument is a file: it exists, or is spelled like one.

    >>> is_path("model.py"), is_path("a*exp(-a*z)")
    (True, False)
    """
    try:
        return bool(text) and (text.endswith(SUFFIXES) or Path(text).exists())
    except (OSError, ValueError):  # too long for a path, or contains a NUL
        return False


def read_model(text: str) -> Any:
    """Return the model that a file holds: a model text, or a Python file that defines it as ``model``."""
    return read_model_and_data(text)[0]


def read_model_and_data(text: str) -> tuple[Any, dict[str, Any]]:
    """Return the model that a file holds, and its ``data``: a dict, or a function without arguments that gives one."""
    path = Path(text)
    try:
        if path.is_dir():
            raise TargetError(f"{text} is a directory; give a .symaux file, or a .py file that defines model")
        if not path.is_file():
            raise TargetError(f"there is no file {text!r}"[:200])
    except (OSError, ValueError) as failure:
        raise TargetError(f"{text[:60]!r} is not a path: {failure}"[:200]) from None
    if path.suffix == ".symaux":
        return _from_text(path), {}
    if path.suffix != ".py":
        raise TargetError(f"{text} is not a model: a model is a .symaux file, or a .py file that defines model")
    return _from_python(path)


def _from_text(path: Path) -> Any:
    from symaux.language.parse import parse

    return parse(read_text(path, MAX_TEXT))


def _from_python(path: Path) -> tuple[Any, dict[str, Any]]:
    from symaux.model.model import Model

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
        raise TargetError(f"{path}: data() failed: {failure_text(failure, path)}") from failure
    return dict(made) if isinstance(made, dict) else {}


def read_records(text: str) -> list[Any]:
    """Return the records of evidence that a JSON file holds: one, or a list of them."""
    from symaux.exchange.archive.records import from_data, parse_json

    path = Path(text)
    if not path.is_file():
        raise TargetError(f"there is no file {text}")
    data = parse_json(read_text(path))
    return [from_data(each) for each in (data if isinstance(data, list) and data else [data])]


def read_law(text: str, **declared: Any) -> Any:
    """Return the law that a family's name or a formula describes."""
    from symaux.language import family_law, law_from_text

    family = family_law(text)
    if family is None:
        return law_from_text(text, **declared)
    if any(declared.values()):
        raise TargetError(
            f"{text} is a family; --value, --positive, --real, --support, --given and --log are for formulas"
        )
    return family
