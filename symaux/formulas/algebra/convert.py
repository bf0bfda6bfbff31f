"""From what a user writes to a sympy formula: numbers, symbols and elements in; no strings, no NaN, no booleans.

Decimal fractions are read as what they say, so 0.1 is one tenth and proofs stay exact.

>>> expression(0.1), expression(3)
(1/10, 3)
"""

from __future__ import annotations

import math
import numbers
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, IndexedBase

from symaux.errors import LawError
from symaux.formulas.algebra.hypergeometric_sums import without_sums
from symaux.formulas.symbols.indices import plate

LARGE = 50  # beyond this, a factorial is no longer written out


def expression(given: Any, *, infinite: bool = False) -> sp.Expr:
    """Return the formula that ``given`` stands for; refuses text, truth values, NaN and, unless asked, infinity."""
    match given:
        case bool() | str() | bytes() | None:
            raise LawError(f"expected a formula or a number, not {given!r}")
        case sp.Float():
            return decimal(given) if given.is_finite else _infinite(given, infinite)
        case IndexedBase():
            raise LawError(f"{given} is an array: index it, as in {given}[i]")
        case sp.Expr():
            if any(hasattr(symbol, "pspace") for symbol in given.free_symbols):
                raise LawError(f"{given} holds a random variable of sympy.stats; give it to sa.law(z, ...) as it is")
            return _infinite(given, infinite) if _not_finite(given) else canonical(given)
        case numbers.Integral():
            return sp.Integer(int(given))
        case numbers.Real():
            return number(float(given)) if math.isfinite(given) else _infinite(given, infinite)
    if hasattr(given, "item") and getattr(given, "ndim", 1) == 0:
        return expression(given.item(), infinite=infinite)
    raise LawError(f"expected a formula or a number, not {given!r} of type {type(given).__name__}")


def number(given: float) -> sp.Expr:
    """Return the shortest decimal that prints like the number, as an exact fraction.

    >>> number(0.5), number(2.0)
    (1/2, 2)
    """
    return sp.Rational(repr(given))


def decimal(given: sp.Float) -> sp.Expr:
    """Return the decimal fraction that a number of sympy's prints as, all of its digits.

    >>> decimal(sp.Float(0.1)), decimal(sp.Float("1.00000000000000000001", 30)) == 1
    (1/10, False)
    """
    return number(float(given)) if given._prec <= 53 else sp.Rational(str(given))


def _not_finite(given: sp.Expr) -> bool:
    return given in (sp.oo, -sp.oo, sp.zoo) or given is sp.nan or given.has(sp.nan, sp.zoo)


def _infinite(given: Any, allowed: bool) -> sp.Expr:
    if allowed and given in (sp.oo, -sp.oo, math.inf, -math.inf):
        return sp.oo if given > 0 else -sp.oo
    raise LawError(f"a parameter must be a finite number or a formula, not {given}")


def canonical(formula: sp.Expr) -> sp.Expr:
    """Return one spelling for what may be written in several: plates as indices of sums, decimals as fractions.

    >>> k = sp.Symbol("k", integer=True)
    >>> canonical(sp.Sum(sp.IndexedBase("w")[k], (k, 0, 3))).variables[0].upper
    3
    """
    if formula.has(sp.Sum):
        formula = without_sums(formula)
    changed: dict[sp.Basic, sp.Basic] = {x: decimal(x) for x in formula.atoms(sp.Float)}
    changed |= {i: plate(str(i.label)) for i in formula.atoms(Idx) if i.lower is None or i.upper is None}
    if formula.has(sp.Sum):
        formula = formula.replace(lambda e: isinstance(e, sp.Sum), _with_plates)
    return formula.xreplace(changed) if changed else formula


def _with_plates(total: sp.Sum) -> sp.Sum:
    renamed, limits = {}, []
    for variable, lower, upper in total.limits:
        if not isinstance(variable, Idx):
            renamed[variable] = Idx(sp.Symbol(str(variable), integer=True), (lower, upper))
        limits.append((renamed.get(variable, variable), lower, upper))
    return sp.Sum(total.function.xreplace(renamed), *limits) if renamed else total


def substitute(formula: sp.Expr, mapping: dict[Any, Any]) -> sp.Expr:
    """Exact replacement of sub-expressions, in which a log-gamma of a large number stays one.

    Left alone, sympy makes the logarithm of a whole factorial of it. Of a whole number it makes log(gamma(k)), which
    overflows in code: where a variable takes its place that is not known to be whole, it is a log-gamma again.

    >>> n, k, y = sp.Symbol("n", positive=True), sp.Symbol("k", positive=True, integer=True), sp.Symbol("y", real=True)
    >>> substitute(sp.loggamma(n), {n: sp.Integer(10**6)})
    loggamma(1000000)
    >>> sp.loggamma(k), substitute(sp.loggamma(k), {k: y})
    (log(gamma(k)), loggamma(y))
    """
    kept: dict[Any, Any] = {}
    for node in formula.atoms(sp.loggamma, sp.log):
        inner = node if isinstance(node, sp.loggamma) else node.args[0]
        if not isinstance(inner, sp.loggamma | sp.gamma):
            continue
        argument = inner.args[0].xreplace(mapping)
        if argument.is_Rational and argument > LARGE:
            kept[node] = sp.loggamma(argument, evaluate=False)
        elif inner is not node and inner.args[0].is_positive and argument.free_symbols:
            kept[node] = sp.loggamma(argument)
    return formula.xreplace({**mapping, **kept})
