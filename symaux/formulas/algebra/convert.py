"""Convert what a user writes to a sympy formula: numbers, symbols and array elements, but not strings, NaN or booleans.

Decimal fractions are read exactly as printed, so 0.1 is one tenth and proofs stay exact.

>>> as_formula(0.1), as_formula(3)
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
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import plate

DEEPEST = 150  # levels: sympy fails at about 180, if it has not seen parts of the formula before
LARGE = 50  # the log-gamma of a larger number is not evaluated to the logarithm of a factorial


def as_formula(given: Any, *, infinite: bool = False) -> Formula:
    """Return ``given`` as a formula; raise LawError for text, booleans, NaN and, unless ``infinite``, infinity."""
    match given:
        case bool() | str() | bytes() | None:
            raise LawError(f"expected a formula or a number, not {given!r}")
        case sp.Float():
            return decimal_as_rational(given) if given.is_finite else _infinite(given, infinite)
        case IndexedBase():
            raise LawError(f"{given} is an array: index it, as in {given}[i]")
        case sp.Expr():
            check_depth(given)
            if any(hasattr(symbol, "pspace") for symbol in given.free_symbols):
                raise LawError(f"{given} holds a random variable of sympy.stats; give it to sa.law(z, ...) as it is")
            return _infinite(given, infinite) if _not_finite(given) else normalise_spelling(given)
        case numbers.Integral():
            return sp.Integer(int(given))
        case numbers.Real():
            return float_as_rational(float(given)) if math.isfinite(given) else _infinite(given, infinite)
    if hasattr(given, "item") and getattr(given, "ndim", 1) == 0:
        return as_formula(given.item(), infinite=infinite)
    raise LawError(f"expected a formula or a number, not {given!r} of type {type(given).__name__}")


def check_depth(formula: sp.Basic) -> None:
    """Raise LawError for a formula that is nested deeper than sympy, which calls itself at every level, can follow."""
    level: dict[int, sp.Basic] = {id(formula): formula}
    for _ in range(DEEPEST):
        level = {id(part): part for each in level.values() for part in each.args}
        if not level:
            return
    raise LawError(
        f"a formula is nested more than {DEEPEST} deep; give its parts names: sa.deterministic(u, ...), or u = ... in a text"
    )


def float_as_rational(given: float) -> Formula:
    """Return the shortest decimal that prints like the float, as an exact fraction.

    >>> float_as_rational(0.5), float_as_rational(2.0)
    (1/2, 2)
    """
    return sp.Rational(repr(given))


def decimal_as_rational(given: sp.Float) -> Formula:
    """Return the decimal fraction that a sympy Float prints as, with all its digits.

    >>> decimal_as_rational(sp.Float(0.1)), decimal_as_rational(sp.Float("1.00000000000000000001", 30)) == 1
    (1/10, False)
    """
    return float_as_rational(float(given)) if given._prec <= 53 else sp.Rational(str(given))


def _not_finite(given: Formula) -> bool:
    return given in (sp.oo, -sp.oo, sp.zoo) or given is sp.nan or given.has(sp.nan, sp.zoo)


def _infinite(given: Any, allowed: bool) -> Formula:
    if allowed and given in (sp.oo, -sp.oo, math.inf, -math.inf):
        return sp.oo if given > 0 else -sp.oo
    raise LawError(f"a parameter must be a finite number or a formula, not {given}")


def normalise_spelling(formula: Formula) -> Formula:
    """Rewrite a formula in the spelling that symaux uses: plates as the indices of sums, decimals as fractions.

    >>> k = sp.Symbol("k", integer=True)
    >>> normalise_spelling(sp.Sum(sp.IndexedBase("w")[k], (k, 0, 3))).variables[0].upper
    3
    """
    if formula.has(sp.Sum):
        formula = without_sums(formula)
    changed: dict[sp.Basic, sp.Basic] = {x: decimal_as_rational(x) for x in formula.atoms(sp.Float)}
    changed |= {i: plate(str(i.label)) for i in formula.atoms(Idx) if i.lower is None or i.upper is None}
    if formula.has(sp.Sum):
        formula = formula.replace(lambda e: isinstance(e, sp.Sum), _with_plates)
    return formula.xreplace(changed) if changed else formula


def _with_plates(total: sp.Sum) -> Formula:
    renamed, limits = {}, []
    for variable, lower, upper in total.limits:
        if not isinstance(variable, Idx):
            renamed[variable] = Idx(sp.Symbol(str(variable), integer=True), (lower, upper))
        limits.append((renamed.get(variable, variable), lower, upper))
    return sp.Sum(total.function.xreplace(renamed), *limits) if renamed else total


def substitute(formula: Formula, mapping: dict[Any, Any]) -> Formula:
    """Replace sub-expressions exactly, keeping ``loggamma`` of large numbers unevaluated.

    By itself sympy evaluates it to the logarithm of a factorial. For an integer k it writes log(gamma(k)), which
    overflows in generated code: where k is replaced by a variable not known to be an integer, ``loggamma`` is restored.

    >>> n, k, y = sp.Symbol("n", positive=True), sp.Symbol("k", positive=True, integer=True), sp.Symbol("y", real=True)
    >>> substitute(sp.loggamma(n), {n: sp.Integer(10**6)})
    loggamma(1000000)
    >>> sp.loggamma(k), substitute(sp.loggamma(k), {k: y})
    (log(gamma(k)), loggamma(y))
    """
    restored: dict[Any, Any] = {}
    for node in formula.atoms(sp.loggamma, sp.log):
        inner = node if isinstance(node, sp.loggamma) else node.args[0]
        if not isinstance(inner, sp.loggamma | sp.gamma):
            continue
        argument = inner.args[0].xreplace(mapping)
        if isinstance(argument, sp.Rational) and argument > LARGE:
            restored[node] = sp.loggamma(argument, evaluate=False)
        elif inner is not node and inner.args[0].is_positive and argument.free_symbols:
            restored[node] = sp.loggamma(argument)
    return formula.xreplace({**mapping, **restored})
