"""Which names a variable may have: none that is code, none that hides a function or a constant, none that misleads."""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Iterable

from symaux.errors import LanguageError
from symaux.language.input_checks import GREEK, TWINS

MAX_NAME = 40
CONSTANTS = ("pi", "e", "E", "oo", "inf")
PARAMETERS_TOO = frozenset({"beta", "gamma", "floor", "size"})  # functions when called; favourite names of variables
CODE = frozenset({"jnp", "jax", "lax", "nan", "I"})
_ASCII = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_GREEK = re.compile(rf"[{''.join(sorted(GREEK))}](\d+|_[A-Za-z0-9_]+)?")


def reason_against(name: str, functions: Iterable[str] = ()) -> str | None:
    """Why a variable cannot have this name; None if it can.

    >>> reason_against("sigma_1"), reason_against("lambda")
    (None, 'it is a word of Python; lam or rate would do')
    """
    if len(name) > MAX_NAME:
        return f"it is longer than {MAX_NAME} characters"
    if name.startswith("_") or "__" in name:
        return "no leading or double underscores"
    if keyword.iskeyword(name):
        return "it is a word of Python" + ("; lam or rate would do" if name == "lambda" else "")
    if name in CONSTANTS:
        return "it is a constant"
    if name in CODE or name.startswith("size_"):
        return "it is reserved for generated code"
    if name in functions and name not in PARAMETERS_TOO:
        return "it is the name of a function"
    if not (_ASCII.fullmatch(name) or _GREEK.fullmatch(name)):
        return "a name is made of Latin letters, digits and _, or is one Greek letter with an index such as σ1 or μ_x"
    return None


def check_name(name: str, functions: Iterable[str] = ()) -> str:
    """Return the name itself, or an error with the reason.

    >>> check_name("__class__")
    Traceback (most recent call last):
        ...
    symaux.errors.LanguageError: '__class__' cannot be a variable: no leading or double underscores
    """
    if reason := reason_against(name, functions):
        raise LanguageError(f"{name!r} cannot be a variable: {reason}")
    return name


def check_twins(names: Iterable[str]) -> None:
    """Refuses two names that a reader could take for one.

    >>> check_twins(["ν", "v"])
    Traceback (most recent call last):
        ...
    symaux.errors.LanguageError: the names 'v' and 'ν' look alike; rename one of them
    """
    seen: dict[str, str] = {}
    for name in sorted(set(names)):
        twin = seen.setdefault("".join(TWINS.get(c, c) for c in name), name)
        if twin != name:
            raise LanguageError(f"the names {twin!r} and {name!r} look alike; rename one of them")


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint with the nearest known name, or nothing.

    >>> nearest("gama", ["gamma", "exp"])
    '; did you mean gamma?'
    """
    found = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    return f"; did you mean {found[0]}?" if found else ""
