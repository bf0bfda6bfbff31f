r"""Distribution functions by structure: a part h of the formula after which the density is one of four shapes.

If y = h(z) has the density $C y^p$, $C e^{ky}$, $C e^{-a(y-b)^2}$ or $C/(ay^2+by+c)$, its antiderivative A is
elementary, and so is that of z, $A(h(z))$. Kumaraswamy: $h = 1 - z^a$; Weibull: $(z/s)^k$; Gumbel: $e^{-(z-m)/s}$;
and so on.

>>> z, a, b = sp.symbols("z a b", positive=True)
>>> from symaux.families import kumaraswamy
>>> found = next(substitutions(kumaraswamy(z, a, b), Interval(sp.S(0), sp.S(1))))
>>> found.chain.layers[-1].image, found.antiderivative
(Interval(lower=0, upper=1), y**b)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import sympy as sp

from symaux.functions import ndtr
from symaux.kernel import value_symbol
from symaux.laws import Law
from symaux.layers import Chain
from symaux.points import evaluate, inside, points
from symaux.pushforward import pulled_back
from symaux.support import Interval


@dataclass(frozen=True)
class Substitution:
    """y = h(z) as a formula and as a chain of layers, and an antiderivative of y's density on its interval."""

    formula: sp.Expr
    chain: Chain
    variable: sp.Symbol
    antiderivative: sp.Expr


def substitutions(law: Law, where: Interval) -> Iterator[Substitution]:
    """Every part of the formula that makes the density elementary on an interval."""
    for inner in _parts(law):
        chain = Chain.of(inner, law.value, where)
        if chain is None:
            continue
        y = sp.Symbol("y", **value_symbol(Law(law.value, sp.S.Zero, chain.image)).assumptions0)
        inverse = chain.inverse(y)
        # the part itself is y: putting the inverse in there would have to be simplified back
        written = replace(law, log_density=law.log_density.xreplace({inner: y} if inner != law.value else {}))
        pushed = pulled_back(written, y, inverse, chain.image)
        found = elementary(pushed.log_density, y, chain.image)
        if found is not None:
            yield Substitution(inner, chain, y, found)


def _parts(law: Law) -> list[sp.Expr]:
    parts = {e for e in sp.preorder_traversal(law.log_density) if isinstance(e, sp.Expr) and e.has(law.value)}
    parts = {e for e in parts if not isinstance(e, sp.Piecewise)} - {law.log_density}
    return sorted(parts | {law.value}, key=lambda e: (sp.count_ops(e), str(e)))


def elementary(log_density: sp.Expr, y: sp.Symbol, where: Interval) -> sp.Expr | None:
    """An antiderivative of exp(log_density) if it is a power, an exponential, a Gaussian or one over a quadratic."""
    slope = log_density.diff(y)
    if _settled(y * slope, y, where):
        return _power(log_density, sp.simplify(y * slope), y)
    if _settled(slope, y, where):
        return _exponential(log_density, sp.simplify(slope), y)
    curvature = slope.diff(y)
    if _settled(curvature, y, where):
        return _gaussian(log_density, y, sp.simplify(curvature), sp.simplify(slope))
    reciprocal = sp.exp(-log_density)
    return _one_over_quadratic(reciprocal, y) if _settled(reciprocal.diff(y, 2), y, where) else None


def _settled(formula: sp.Expr, y: sp.Symbol, where: Interval) -> bool:
    """Whether a formula takes the same value wherever it was looked at: a reason to simplify it, not a proof."""
    if not formula.has(y):
        return True
    for point in points((formula.free_symbols | where.lower.free_symbols | where.upper.free_symbols) - {y}, count=2):
        spots = [inside(where, point, sp.Rational(n, 11)) for n in (3, 5, 8)]
        seen = [None if spot is None else evaluate(formula, point | {y: spot}, 20) for spot in spots]
        numbers = [number for number in seen if number is not None]
        if any(abs(number - numbers[0]) > 1e-12 * (1 + abs(number)) for number in numbers):
            return False
    return True


def _constant(formula: sp.Expr, y: sp.Symbol) -> sp.Expr | None:
    """exp of a formula that does not depend on y."""
    settled = sp.simplify(sp.expand(sp.expand_log(formula)))
    return None if settled.has(y) else sp.simplify(sp.exp(settled))


def _power(log_density: sp.Expr, power: sp.Expr, y: sp.Symbol) -> sp.Expr | None:
    constant = None if power.has(y) else _constant(log_density - power * sp.log(y), y)
    if constant is None:
        return None
    return constant * sp.log(y) if power == -1 else sp.simplify(constant / (power + 1)) * y ** (power + 1)


def _exponential(log_density: sp.Expr, rate: sp.Expr, y: sp.Symbol) -> sp.Expr | None:
    constant = None if rate.has(y) else _constant(log_density - rate * y, y)
    return None if constant is None else constant * sp.exp(rate * y) / rate


def _gaussian(log_density: sp.Expr, y: sp.Symbol, curvature: sp.Expr, slope: sp.Expr) -> sp.Expr | None:
    if curvature.has(y) or not curvature.is_negative:
        return None
    width = sp.sqrt(1 / -curvature)
    centre = sp.simplify(slope.subs(y, 0) / -curvature)
    constant = _constant(log_density + (y - centre) ** 2 * -curvature / 2, y)
    if constant is None:
        return None
    return sp.simplify(constant * sp.sqrt(2 * sp.pi) * width) * ndtr((y - centre) / width)


def _one_over_quadratic(reciprocal: sp.Expr, y: sp.Symbol) -> sp.Expr | None:
    reciprocal = sp.expand(sp.simplify(reciprocal))
    if not reciprocal.is_polynomial(y) or sp.degree(reciprocal, y) != 2:
        return None
    a, b, c = sp.Poly(reciprocal, y).all_coeffs()
    root = sp.sqrt(sp.factor(4 * a * c - b**2))
    if not root.is_positive:
        return None
    return sp.simplify(2 / root) * sp.atan(sp.factor((2 * a * y + b) / root))
