r"""Propose antiderivatives: $p(x)\,dx = r(u)\,du$ with an integrand r that has a simple antiderivative; not trusted.

The chart that is proposed is $(F(u) - F_0)/(F_1 - F_0)$, of which the rules check that it maps the region onto (0, 1) and that
its derivative is the density up to a constant.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker.continuity import derivative
from symaux.trusted.checker.facts import Unproved
from symaux.trusted.checker.limits import INFINITE, Limits
from symaux.trusted.checker.normal_form import NormalForm
from symaux.trusted.checker.signs import Signs

MOST_OPERATIONS, MOST_INNER = 120, 6
Y = sp.Symbol("y_inner", real=True)


def unit_charts(log_density: Formula, signs: Signs) -> Iterator[Formula]:
    """Yield maps of the region onto (0, 1) whose derivative may be a multiple of the density."""
    if sp.count_ops(log_density) > MOST_OPERATIONS:
        return
    for inner in _inner_formulas(log_density, signs):
        try:
            slope = derivative(signs, inner)
        except Unproved:
            continue
        spelled = None if slope == 0 else NormalForm(signs).formula(sp.exp(log_density) / slope)
        for density in (sp.exp(log_density) / slope if slope == 1 else None, spelled):
            integrand = None if density is None else _in_terms_of(density, inner, signs)
            whole = None if integrand is None else _antiderivative(integrand)
            if whole is not None:
                yield from _between(whole.xreplace({Y: inner}), signs)


def _inner_formulas(log_density: Formula, signs: Signs) -> list[Formula]:
    """Return the variable, and exponentials, powers and logarithms of it that occur."""
    x = signs.region.variable
    parts = [e for e in sp.postorder_traversal(log_density) if x in e.free_symbols]
    kinds = [e for e in parts if isinstance(e, sp.exp | sp.log | sp.Pow)]
    waves = [sp.exp(e.args[0]) for e in parts if isinstance(e, sp.sinh | sp.cosh | sp.tanh | sp.sech)]
    return list(dict.fromkeys([x, *kinds[-MOST_INNER:], *waves]))


def _in_terms_of(integrand: Formula, inner: Formula, signs: Signs) -> Formula | None:
    x = signs.region.variable
    spelled = integrand if inner == x else NormalForm(signs).formula(inner)
    if spelled is None:
        return None
    replaced = sp.factor(integrand.subs(spelled, Y)) if inner != x else integrand.xreplace({x: Y})
    return None if x in replaced.free_symbols else replaced


def _antiderivative(integrand: Formula) -> Formula | None:
    """Return the antiderivative in Y of a sum of powers, exponentials and sines of affine formulas, or of 1/(1 + c*Y**2)."""
    total = sp.S.Zero
    for term in sp.Add.make_args(sp.expand(integrand) if integrand.is_polynomial(Y) else integrand):
        whole = _of_term(term)
        if whole is None:
            return None
        total += whole
    return total


def _of_term(term: Formula) -> Formula | None:
    constant, moving = term.as_independent(Y, as_Add=False)
    if moving == 1:
        return constant * Y
    inner = moving.base if isinstance(moving, sp.Pow) else moving.args[0] if moving.args else moving
    inner = sp.expand(inner)
    slope: Formula = inner.coeff(Y, 1)
    affine = slope != 0 and Y not in slope.free_symbols and Y not in sp.expand(inner - slope * Y).free_symbols
    if moving == Y:
        return constant * Y**2 / 2
    if (
        isinstance(moving, sp.Pow)
        and moving.exp == -1
        and inner.is_polynomial(Y)
        and sp.Poly(inner, Y).degree() == 2
        and slope == 0
    ):
        rest, _, square = (sp.Poly(inner, Y).coeff_monomial(Y**n) for n in range(3))
        return constant * sp.atan(sp.sqrt(square / rest) * Y) / sp.sqrt(square * rest)
    if not affine:
        return None
    match moving:
        case sp.Pow() if moving.exp == -1:
            return constant * sp.log(sp.Abs(inner)) / slope
        case sp.Pow() if Y not in moving.exp.free_symbols:
            return constant * moving.base ** (moving.exp + 1) / (slope * (moving.exp + 1))
        case sp.exp():
            return constant * moving / slope
        case sp.cos():
            return constant * sp.sin(inner) / slope
        case sp.sin():
            return -constant * sp.cos(inner) / slope
    return None


def _between(whole: Formula, signs: Signs) -> Iterator[Formula]:
    """Yield the map onto (0, 1) by the limits of the antiderivative at both ends."""
    try:
        low, high = (Limits(signs, end).of(whole) for end in (signs.region.lower, signs.region.upper))
    except Unproved:
        return
    if low in INFINITE or high in INFINITE or low == high:
        return
    width = sp.factor_terms(sp.expand(high - low))
    yield (whole - low) / width
