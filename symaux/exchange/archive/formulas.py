r"""Formulas as plain data, and back: lists whose first word is the name of a function in one table, never text that is run.

>>> x = sp.Symbol("x", positive=True)
>>> encoded(x**2 + 1)
['Add', 1, ['Pow', ['Symbol', 'x', ['positive']], 2]]
>>> decoded(encoded(x**2 + 1)) == x**2 + 1
True
>>> decoded(["os.system", "ls"])
Traceback (most recent call last):
    ...
symaux.exchange.archive.formulas.ArchiveError: a stored formula names the unknown function 'os.system'
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed, IndexedBase

from symaux.errors import SymauxError
from symaux.formulas.functions import elementary as functions
from symaux.formulas.functions import registry as special
from symaux.formulas.functions import series as sums
from symaux.formulas.symbols import indices

MAX_NODES, MAX_DEPTH, MAX_DIGITS, MAX_NAME = 20_000, 200, 2_000, 200
WORDS = ("integer", "real", "positive", "negative", "nonnegative", "nonpositive")
PLAIN = (
    *(sp.Add, sp.Mul, sp.Pow, sp.Sum, sp.Tuple, sp.Piecewise, sp.And, sp.Or, sp.Not, sp.Abs, sp.Max, sp.Min),
    *(
        sp.StrictGreaterThan,
        sp.GreaterThan,
        sp.StrictLessThan,
        sp.LessThan,
        sp.sign,
        sp.Heaviside,
        sp.floor,
        sp.ceiling,
    ),
    *(sp.exp, sp.log, sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc, sp.asin, sp.acos, sp.atan, sp.atan2),
    *(sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch, sp.asinh, sp.acosh, sp.atanh),
    *(sp.erf, sp.erfc, sp.erfi, sp.erfinv, sp.erfcinv, sp.gamma, sp.loggamma, sp.beta, sp.binomial, sp.factorial),
    *(sp.polygamma, sp.lowergamma, sp.uppergamma, sp.betainc, sp.betainc_regularized, sp.zeta, sp.hyper),
    *(sp.besseli, sp.besselj, sp.besselk, sp.bessely, sp.LambertW, sp.expint),
    *(functions.ndtr, functions.ndtri, functions.log_ndtr, functions.softplus, functions.log1p, functions.expm1),
    *(functions.ImplicitQuantile, sums.Series),
    *special.FUNCTIONS,
)
TABLE: dict[str, Any] = {function.__name__: function for function in PLAIN}
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
    """A file is no record of evidence, or cannot be one."""

    code = "archive"


def encoded(formula: Any) -> Any:
    """Return a formula as lists, words and numbers; raises for what is not in the table."""
    match formula:
        case sp.Integer():
            return int(formula)
        case sp.Rational():
            return ["Rational", int(formula.p), int(formula.q)]
        case Idx():
            return ["Idx", str(formula.label), encoded(formula.upper + 1)]
        case Indexed():
            return ["Indexed", formula.base.name, _words(formula.base), *(encoded(i) for i in formula.indices)]
        case sp.Symbol():
            kind = "Bound" if isinstance(formula, indices.Bound) else "Symbol"
            return [kind, formula.name, _words(formula)]
        case sp.Tuple():
            return ["Tuple", *(encoded(arg) for arg in formula.args)]
    for name, constant in CONSTANTS.items():
        if formula == constant:
            return ["constant", name]
    if formula.func.__name__ not in TABLE or TABLE[formula.func.__name__] is not formula.func:
        raise ArchiveError(f"a formula with {formula.func.__name__} cannot be stored")
    return [formula.func.__name__, *(encoded(arg) for arg in formula.args)]


def _words(symbol: Any) -> list[str]:
    """Return the strongest assumptions only: what they imply comes back by itself."""
    known = [word for word in WORDS if getattr(symbol, f"is_{word}")]
    implied = {"positive": {"real", "nonnegative"}, "negative": {"real", "nonpositive"}}
    implied |= {"nonnegative": {"real"}, "nonpositive": {"real"}, "integer": {"real"}}
    return [word for word in known if not any(word in implied.get(other, ()) for other in known)]


def decoded(data: Any) -> Any:
    """Return the formula that plain data say; only what is in the table is built, and nothing larger than the
    limits."""
    _check_size(data)
    try:
        return _built(data)
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


def _built(data: Any) -> Any:
    if isinstance(data, int) and not isinstance(data, bool):
        return _integer(data)
    if not isinstance(data, list) or not data or not isinstance(data[0], str):
        raise ArchiveError(f"a stored formula has a part that is none: {str(data)[:80]!r}")
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
            return Idx(_name(rest[0]), _built(rest[1]))
        case "Indexed":
            name, words = _named(rest[:2])
            return IndexedBase(name, **words)[tuple(map(_built, rest[2:]))]
        case "Piecewise":
            return sp.Piecewise(*(tuple(_built(pair)) for pair in rest))
    if head not in TABLE:
        raise ArchiveError(f"a stored formula names the unknown function {head[:80]!r}")
    return TABLE[head](*map(_built, rest))


def _integer(number: int) -> sp.Integer:
    if number.bit_length() > 3.33 * MAX_DIGITS:
        raise ArchiveError(f"a stored number has more than {MAX_DIGITS} digits")
    return sp.Integer(number)


def _rational(parts: list[Any]) -> sp.Rational:
    if len(parts) != 2 or not all(isinstance(p, int) and not isinstance(p, bool) for p in parts) or parts[1] < 1:
        raise ArchiveError(f"a stored fraction is none: {str(parts)[:80]}")
    return sp.Rational(_integer(parts[0]), _integer(parts[1]))


def _name(name: Any) -> str:
    if not isinstance(name, str) or not name.isidentifier() or len(name) > MAX_NAME:
        raise ArchiveError(f"a stored name is none: {str(name)[:80]!r}")
    return name


def _named(parts: list[Any]) -> tuple[str, dict[str, bool]]:
    if len(parts) != 2 or not isinstance(parts[1], list) or not all(word in WORDS for word in parts[1]):
        raise ArchiveError(f"a stored symbol is none: {str(parts)[:80]}")
    return _name(parts[0]), dict.fromkeys(parts[1], True)
