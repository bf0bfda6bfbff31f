r"""Show that a density is not negative, as it was given: by the signs of its factors, or by balls at points of its region.

A law keeps $\log|p|$, which is the same for a formula and its negative, so the sign is judged before it is lost.

>>> z = sp.Symbol("z", positive=True)
>>> unit = Interval(sp.S.Zero, sp.S.One)
>>> is_evidently_nonnegative(6*z*(1 - z), z, unit), is_evidently_nonnegative(z - sp.Rational(1, 10), z, unit)
(True, False)
>>> examine_density(12*(z - sp.Rational(1, 2))**3 + 1, z, unit).contradiction[1][:30]
'the density is at most -0.0015'
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import sympy as sp

from symaux.errors import LawError
from symaux.formulas.algebra.signs import is_nonnegative, sign_of
from symaux.formulas.functions.elementary import defined
from symaux.formulas.numeric.points import with_sums_as_symbols
from symaux.formulas.symbols.assumptions import assumptions_of
from symaux.formulas.symbols.atoms import atoms
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import Interval, order_condition, point_inside
from symaux.sandbox import run_bounded, value_or
from symaux.trusted.region import region_points
from symaux.trusted.shadow import Shadow, examine_sign

SECONDS = 5.0
LARGE = 400  # operations: the signs of longer formulas are not worked out symbolically


def is_evidently_nonnegative(density: Formula, value: Any, support: Interval) -> bool:
    """Return whether the signs of its factors, for a value inside of the support, show that a density is not negative."""
    return sp.count_ops(density) < LARGE and _is_nonnegative(density.xreplace({value: point_inside(support)}))


def _is_nonnegative(formula: Any) -> bool:
    match formula:
        case sp.Mul():
            doubtful = [f for f in formula.args if not _is_nonnegative(f)]
            signs = [sign_of(f) for f in doubtful]
            return None not in signs and sp.prod(signs) == 1
        case sp.Pow() if formula.exp.is_even or _is_nonnegative(formula.base):
            return True
        case sp.Add() if all(map(_is_nonnegative, formula.args)):
            return True
        case sp.Piecewise():
            return all(_is_nonnegative(pair.args[0]) for pair in formula.args)
    return is_nonnegative(formula)


def shows_sign(density: Formula, value: Any, support: Interval, conditions: tuple[Any, ...]) -> bool:
    """Return whether a density is shown not to be negative; raise LawError where it is negative and has no parameters.

    One that is negative for some parameters may have parents that never take these values: its model decides.
    """
    if is_evidently_nonnegative(density, value, support):
        return True
    shadow = examine_density(density, value, support, conditions)
    if shadow.contradiction is None:
        return bool(shadow)
    point, reason = shadow.contradiction
    if point:
        return False
    raise LawError(
        f"this is not a density of {value}, because it is negative: {density}\n  {reason}\n"
        f"  try:  a formula that is never negative on its support {support}"
    )


def log_of_unknown_sign(density: Formula) -> Formula:
    """Return the logarithm of a density that may be negative, with those factors apart whose sign is known.

    The others stay inside of one logarithm, which is not a real number where they are negative: a modulus would hide it.

    >>> z = sp.Symbol("z", real=True)
    >>> log_of_unknown_sign(2*z*(z - 1)*sp.exp(-z))
    -z + log(z*(z - 1)) + log(2)
    """
    apart: list[
        Any
    ] = []  # logarithms of factors of known sign, and of powers that are not real where their base is negative
    rest: list[Any] = []
    for factor in sp.Mul.make_args(density):
        if factor.is_positive or sign_of(factor) == 1 or factor.rewrite(sp.gamma).is_positive:
            apart.append(log_modulus(factor))
        elif isinstance(factor, sp.Pow) and not factor.exp.is_integer and not isinstance(factor, sp.exp):
            apart.append(factor.exp * sp.log(factor.base))
        else:
            rest.append(factor)
    return sp.Add(*apart, sp.log(sp.Mul(*rest)))


@functools.lru_cache(maxsize=256)
def examine_density(density: Formula, value: Any, support: Interval, conditions: Sequence[Any] = ()) -> Shadow:
    """Return what balls say of the sign of a density."""
    read = defined(with_sums_as_symbols(density, value))
    bounds = (support.lower, support.upper)
    found = {a for f in (read, *bounds, *conditions) for a in atoms(f)} - {value}
    plain: dict[Any, Any] = {a: sp.Dummy(str(a), **assumptions_of(a)) for a in sorted(found, key=str)}
    z = sp.Dummy("z", **assumptions_of(value))
    moved: Formula = read.xreplace({**plain, value: z})
    where = Interval(*(bound.xreplace(plain) for bound in bounds))
    needed = tuple(c.xreplace(plain) for c in (*conditions, *order_condition(support)))
    symbols = {s for f in (moved, where.lower, where.upper) for s in f.free_symbols} - {z}
    region = region_points(symbols, needed, (moved,))
    nothing = Shadow(open="ball arithmetic ran out of time")
    return value_or(run_bounded(examine_sign, moved, z, where, region, seconds=SECONDS), nothing)
