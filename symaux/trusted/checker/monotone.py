r"""Check that a formula is strictly monotone on a region, by its layers or by the sign of its derivative.

*Statement.* A strictly monotone function of its record, applied to a strictly monotone formula, is strictly monotone; so are
sums of formulas that all rise, products of positive ones that all rise, multiples by constants of known sign and powers of
positive formulas; constants change nothing. Where layers do not tell, a continuous formula whose derivative is positive on the
whole region rises (the mean value theorem). *Stops.* Folds such as |u - 1/2| and eps**2, steps, and poles: continuity is a
premise of the rule that uses this (``rules.bijective``).
"""

from __future__ import annotations

import sympy as sp

from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker.continuity import derivative
from symaux.trusted.checker.facts import Unproved
from symaux.trusted.checker.levels import shape_of
from symaux.trusted.checker.signs import Signs


def direction(signs: Signs, f: Formula) -> int:
    """Return 1 for a formula that strictly rises on the region, -1 if it falls, 0 if it is constant; else raise Unproved."""
    by_layers = _layers(signs, f)
    if by_layers is not None:
        return by_layers
    slope = signs.of(derivative(signs, f))
    if len(slope) != 1:
        raise Unproved(f"{f} is not known to be strictly monotone: nothing is known of the sign of its derivative")
    return next(iter(slope))


def _layers(signs: Signs, f: Formula) -> int | None:
    x = signs.region.variable
    if x not in f.free_symbols:
        return 0
    match f:
        case sp.Symbol():
            return 1
        case sp.Add():
            return _common([_layers(signs, arg) for arg in f.args])
        case sp.Mul():
            return _product(signs, f)
        case sp.Pow():
            return _power(signs, f)
    found = shape_of(signs, f)
    inner = _layers(signs, found[1]) if found is not None else None
    return inner * (1 if found[0].rises else -1) if found is not None and inner is not None else None


def _common(directions: list[int | None]) -> int | None:
    """Return the direction that all parts share, constants aside."""
    moving = {d for d in directions if d != 0}
    return moving.pop() if len(moving) == 1 else None


def _product(signs: Signs, f: sp.Mul) -> int | None:
    x = signs.region.variable
    constant = signs.of(sp.Mul(*(arg for arg in f.args if x not in arg.free_symbols)))
    factors = [arg for arg in f.args if x in arg.free_symbols]
    if len(constant) != 1 or 0 in constant:
        return None
    inner = _layers(signs, factors[0]) if len(factors) == 1 else None
    if len(factors) > 1 and all(map(signs.is_positive, factors)):
        inner = _common([_layers(signs, arg) for arg in factors])
    return None if inner is None else inner * next(iter(constant))


def _power(signs: Signs, f: sp.Pow) -> int | None:
    x = signs.region.variable
    layer, sign = (f.base, f.exp) if x not in f.exp.free_symbols else (f.exp, sp.log(f.base))
    if not signs.is_positive(f.base) or (x in f.exp.free_symbols and x in f.base.free_symbols):
        return _odd_power(signs, f)
    inner, outer = _layers(signs, layer), signs.of(sign)
    return inner * next(iter(outer)) if inner is not None and len(outer) == 1 and 0 not in outer else None


def _odd_power(signs: Signs, f: sp.Pow) -> int | None:
    """Return the direction of an odd power, or of one over an odd power of what does not vanish."""
    if not isinstance(f.exp, sp.Integer) or f.exp % 2 == 0:
        return None
    inner = _layers(signs, f.base)
    if inner is None or (f.exp < 0 and not signs.is_nonzero(f.base)):
        return None
    return inner if f.exp > 0 else -inner
