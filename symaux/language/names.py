"""Check names of variables: not code, not those of functions or constants, and not misleading ones."""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Iterable

from symaux.errors import LanguageError
from symaux.formulas.symbols.names import skeleton
from symaux.language.input_checks import GREEK

MAX_NAME = 40
CONSTANTS = ("pi", "e", "E", "oo", "inf")
PARAMETERS_TOO = frozenset({"beta", "gamma", "floor", "size"})  # functions when called; favourite names of variables
CODE = frozenset({"jnp", "jax", "lax", "nan", "I"})
_ASCII = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_GREEK = re.compile(rf"[{''.join(sorted(GREEK))}](\d+|_[A-Za-z0-9_]+)?")


def why_invalid(name: str, functions: Iterable[str] = ()) -> str | None:
    """Return why a variable cannot have this name, or None if it can.

    >>> why_invalid("sigma_1"), why_invalid("lambda")
    (None, 'it is a keyword of Python; lam or rate would do')
    """
    if len(name) > MAX_NAME:
        return f"it is longer than {MAX_NAME} characters"
    if name.startswith("_") or "__" in name:
        return "no leading or double underscores"
    if keyword.iskeyword(name):
        return "it is a keyword of Python" + ("; lam or rate would do" if name == "lambda" else "")
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
    """Return the name itself; raise LanguageError with the reason if it is invalid.

    >>> check_name("__class__")
    Traceback (most recent call last):
        ...
    symaux.errors.LanguageError: '__class__' cannot be a variable: no leading or double underscores
    """
    if reason := why_invalid(name, functions):
        raise LanguageError(f"{name!r} cannot be a variable: {reason}")
    return name


def check_twins(names: Iterable[str]) -> None:
    """Raise LanguageError for two names that look alike.

    >>> check_twins(["ν", "v"])
    Traceback (most recent call last):
        ...
    symaux.errors.LanguageError: the names 'v' and 'ν' look alike; rename one of them
    """
    seen: dict[str, str] = {}
    for name in sorted(set(names)):
        twin = seen.setdefault(skeleton(name), name)
        if twin != name:
            raise LanguageError(f"the names {twin!r} and {name!r} look alike; rename one of them")


def suggest(name: str, known: Iterable[str]) -> str:
    """Return a hint with the nearest known name, or an empty text.

    >>> suggest("gama", ["gamma", "exp"])
    '; did you mean gamma?'
    """
    found = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    return f"; did you mean {found[0]}?" if found else ""
