r"""Encode formulas as plain data and back: lists that begin with the name of a function in one table, never text that is run.

>>> x = sp.Symbol("x", positive=True)
>>> encode(x**2 + 1)
['Add', 1, ['Pow', ['Symbol', 'x', ['positive']], 2]]
>>> decode(encode(x**2 + 1)) == x**2 + 1
True
>>> decode(["os.system", "ls"])
Traceback (most recent call last):
    ...
symaux.formulas.algebra.encoding.ArchiveError: a stored formula names the unknown function 'os.system'
"""

from __future__ import annotations

import unicodedata
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed, IndexedBase

from symaux.errors import SymauxError
from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.functions.registry import RECORDS
from symaux.formulas.functions.series import Series
from symaux.formulas.symbols import indices
from symaux.formulas.symbols.assumptions import SIGNS
from symaux.formulas.symbols.formula import Formula

MAX_NODES, MAX_DEPTH, MAX_DIGITS, MAX_NAME = 20_000, 200, 2_000, 200
WORDS = ("integer", "real", *SIGNS)
STRUCTURE = (
    *(sp.Add, sp.Mul, sp.Pow, sp.Sum, sp.Tuple, sp.Piecewise, sp.And, sp.Or, sp.Not, sp.hyper),
    *(sp.StrictGreaterThan, sp.GreaterThan, sp.StrictLessThan, sp.LessThan, ImplicitQuantile, Series),
)
TABLE: dict[str, Any] = {c.__name__: c for c in (*STRUCTURE, *(record.function for record in RECORDS))}
CONSTANTS: dict[str, Any] = {
    "pi": sp.pi,
    "E": sp.E,
    "I": sp.I,
    "oo": sp.oo,
    "-oo": -sp.oo,
    "EulerGamma": sp.EulerGamma,
    "Catalan": sp.Catalan,
    "true": sp.true,
    "false": sp.false,
}


class ArchiveError(SymauxError):
    """A file is not a valid record of evidence, or evidence cannot be stored."""

    code = "archive"


def encode(formula: Any) -> Any:
    """Return a formula as lists, strings and integers; raise ArchiveError for a function that is not in the table."""
    match formula:
        case sp.Integer():
            return int(formula)
        case sp.Rational():
            return ["Rational", int(formula.p), int(formula.q)]
        case Idx():
            upper: Formula = formula.upper
            return ["Idx", str(formula.label), encode(upper + 1)]
        case Indexed():
            base: Formula = formula.base
            return ["Indexed", base.name, _words(base), *(encode(i) for i in formula.indices)]
        case sp.Symbol():
            kind = "Bound" if isinstance(formula, indices.Bound) else "Symbol"
            return [kind, formula.name, _words(formula)]
        case sp.Tuple():
            return ["Tuple", *(encode(arg) for arg in formula.args)]
    for name, constant in CONSTANTS.items():
        if formula == constant:
            return ["constant", name]
    if formula.func.__name__ not in TABLE or TABLE[formula.func.__name__] is not formula.func:
        raise ArchiveError(f"a formula with {formula.func.__name__} cannot be stored")
    return [formula.func.__name__, *(encode(arg) for arg in formula.args)]


def _words(symbol: Any) -> list[str]:
    """Return the strongest assumptions of a symbol; sympy derives those that they imply."""
    known = [word for word in WORDS if getattr(symbol, f"is_{word}")]
    implied = {"positive": {"real", "nonnegative"}, "negative": {"real", "nonpositive"}}
    implied |= {"nonnegative": {"real"}, "nonpositive": {"real"}, "integer": {"real"}}
    return [word for word in known if not any(word in implied.get(other, ()) for other in known)]


def decode(data: Any) -> Any:
    """Return the formula of plain data; raise ArchiveError for what is not in the table or exceeds the limits."""
    _check_size(data)
    try:
        return _build(data)
    except ArchiveError:
        raise
    except Exception as failure:
        raise ArchiveError(f"a stored formula cannot be built: {type(failure).__name__}: {failure}"[:300]) from failure


def _check_size(data: Any) -> None:
    count, level = 0, [data]
    for _ in range(MAX_DEPTH):
        count += len(level)
        if count > MAX_NODES:
            raise ArchiveError(f"a stored formula has more than {MAX_NODES} parts")
        level = [part for item in level if isinstance(item, list) for part in item]
        if not level:
            return
    raise ArchiveError(f"a stored formula is nested more than {MAX_DEPTH} deep")


def _build(data: Any) -> Any:
    if isinstance(data, int) and not isinstance(data, bool):
        return _integer(data)
    if not isinstance(data, list) or not data or not isinstance(data[0], str):
        raise ArchiveError(f"a stored formula has an invalid part: {str(data)[:80]!r}")
    head, *rest = data
    match head:
        case "Rational":
            return _rational(rest)
        case "constant":
            if len(rest) != 1 or rest[0] not in CONSTANTS:
                raise ArchiveError(f"a stored formula names an unknown constant: {str(rest)[:80]}")
            return CONSTANTS[rest[0]]
        case "Symbol" | "Bound":
            name, words = _named(rest)
            return (sp.Symbol if head == "Symbol" else indices.Bound)(name, **words)
        case "Idx":
            return Idx(_name(rest[0]), _build(rest[1]))
        case "Indexed":
            name, words = _named(rest[:2])
            base: Formula = IndexedBase(name, **words)
            return base[tuple(map(_build, rest[2:]))]
        case "Piecewise":
            return sp.Piecewise(*(tuple(_build(pair)) for pair in rest))
    if head not in TABLE:
        raise ArchiveError(f"a stored formula names the unknown function {head[:80]!r}")
    return TABLE[head](*map(_build, rest))


def _integer(number: int) -> sp.Integer:
    if number.bit_length() > 3.33 * MAX_DIGITS:
        raise ArchiveError(f"a stored number has more than {MAX_DIGITS} digits")
    return sp.Integer(number)


def _rational(parts: list[Any]) -> Formula:
    if len(parts) != 2 or not all(isinstance(p, int) and not isinstance(p, bool) for p in parts) or parts[1] < 1:
        raise ArchiveError(f"invalid stored fraction: {str(parts)[:80]}")
    return sp.Rational(_integer(parts[0]), _integer(parts[1]))


def _name(name: Any) -> str:
    plain = isinstance(name, str) and unicodedata.normalize("NFKC", name) == name
    if not plain or not name.isidentifier() or len(name) > MAX_NAME:
        raise ArchiveError(f"invalid symbol name {str(name)[:80]!r}")
    return name


def _named(parts: list[Any]) -> tuple[str, dict[str, Any]]:
    if len(parts) != 2 or not isinstance(parts[1], list) or not all(word in WORDS for word in parts[1]):
        raise ArchiveError(f"invalid stored symbol: {str(parts)[:80]}")
    return _name(parts[0]), dict.fromkeys(parts[1], True)
