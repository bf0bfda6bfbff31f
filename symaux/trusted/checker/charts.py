"""Propose charts: maps of a density's variable to that of an axiom, with the parameters of the axiom; not trusted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker.antiderivatives import unit_charts
from symaux.trusted.checker.continuity import derivative
from symaux.trusted.checker.facts import Unproved
from symaux.trusted.checker.normal_form import NormalForm
from symaux.trusted.checker.signs import Signs


@dataclass(frozen=True)
class Chart:
    """A formula of the variable that takes a density to the axiom of this name at these values of its parameters."""

    axiom: str
    formula: Formula
    values: tuple[Formula, ...] = ()


def charts(log_density: Formula, signs: Signs) -> Iterator[Chart]:
    """Yield charts for a log-density, the cheapest first."""
    x, low, high = signs.region.variable, signs.region.lower, signs.region.upper
    bounded = low != -sp.oo and high != sp.oo
    if bounded:
        unit = x if (low, high) == (0, 1) else (x - low) / (high - low)
        if x not in log_density.free_symbols:
            yield Chart("length", unit)
            return
        yield from _beta(log_density, unit, signs)
    yield from _gauss(log_density, signs)
    yield from _gamma(log_density, signs)
    yield from _ratios(log_density, signs)
    yield from _special(log_density, signs)
    yield from (Chart("length", chart) for chart in unit_charts(log_density, signs))


def _terms(log_density: Formula) -> list[Formula]:
    return list(sp.Add.make_args(sp.expand(log_density)))


def _slope(f: Formula, signs: Signs) -> Formula | None:
    try:
        return derivative(signs, f)
    except Unproved:
        return None


def _gauss(log_density: Formula, signs: Signs) -> Iterator[Chart]:
    """Yield the affine chart in which the log-density has the slope -t, and the bases of squares among its terms."""
    x = signs.region.variable
    slope = _slope(log_density, signs) if (signs.region.lower, signs.region.upper) == (-sp.oo, sp.oo) else None
    slope = None if slope is None else sp.expand(slope)
    if slope is not None and x not in sp.diff(slope, x).free_symbols:
        precision = -sp.diff(slope, x)
        if precision != 0 and signs.is_positive(precision):
            yield Chart("gauss", sp.sqrt(precision) * (x - slope.xreplace({x: sp.S.Zero}) / precision))
    for term in sp.Add.make_args(log_density):
        for square in (
            f for f in sp.Mul.make_args(term) if isinstance(f, sp.Pow) and f.exp == 2 and x in f.free_symbols
        ):
            scale = -2 * term / square
            if x not in scale.free_symbols and signs.is_positive(scale):
                yield Chart("gauss", sp.sqrt(scale) * square.base)


def _gamma(log_density: Formula, signs: Signs) -> Iterator[Chart]:
    """Yield minus the terms of a log-density that are not logarithms: the rest must be a power of it."""
    x = signs.region.variable
    found = [t for f in (log_density, sp.expand(log_density)) for t in sp.Add.make_args(f)]
    for term in dict.fromkeys(found):
        if x not in term.free_symbols or any(isinstance(f, sp.log) for f in sp.Mul.make_args(term)):
            continue
        if not signs.is_positive(-term):
            continue
        shape = _constant_ratio(log_density - term, sp.log(-term), -term, signs)
        if shape is not None:
            yield Chart("gamma", -term, (shape + 1,))


def _constant_ratio(f: Formula, by: Formula, chart: Formula, signs: Signs) -> Formula | None:
    """Return the k with f - log|chart'| = k*by + constant, if their slopes are proportional."""
    inner = _slope(chart, signs)
    if inner is None or inner == 0:
        return None
    second, top, bottom = _slope(inner, signs), _slope(f, signs), _slope(by, signs)
    if second is None or top is None or bottom is None:
        return None
    ratio = NormalForm(signs).formula((top - second / inner) / bottom)
    return None if ratio is None or signs.region.variable in ratio.free_symbols else ratio


def _beta(log_density: Formula, unit: Formula, signs: Signs) -> Iterator[Chart]:
    """Yield the parameters of a beta law in a chart of (0, 1), from the slope at two points."""
    pair = _two_exponents(log_density, unit, 1 - unit, signs)
    if pair is not None:
        yield Chart("beta", unit, (pair[0] + 1, pair[1] + 1))


def _two_exponents(log_density: Formula, one: Formula, two: Formula, signs: Signs) -> tuple[Formula, Formula] | None:
    """Return j and k with log p - log|chart'| = j*log(one) + k*log(two) + constant, by normal form as a polynomial."""
    x = signs.region.variable
    inner, top = _slope(one, signs), _slope(log_density, signs)
    if inner is None or top is None or inner == 0:
        return None
    second = _slope(inner, signs)
    j, k = sp.symbols("j_exponent k_exponent", real=True)
    claim = top - second / inner - inner * (j / one + sp.diff(two, x) / inner * k / two)
    form = NormalForm(signs)
    spelled = form.formula(claim)
    if spelled is None:
        return None
    numerator = sp.expand(sp.fraction(sp.together(spelled))[0])
    parts = sp.Poly(numerator, *(a for a in _atoms(numerator, x))).coeffs() if _atoms(numerator, x) else [numerator]
    solution = sp.linsolve(parts, [j, k]) if all(p.is_polynomial(j, k) for p in parts) else []
    values: Formula = next(iter(solution), None)
    return None if values is None or values.has(j, k) else (values[0], values[1])


def _atoms(f: Formula, x: sp.Symbol) -> list[Formula]:
    """Return the parts of a sum of products that contain the variable: generators of a polynomial."""
    parts = {b for t in sp.Add.make_args(f) for b in sp.Mul.make_args(t) if x in b.free_symbols}
    return sorted({b.base if isinstance(b, sp.Pow) and isinstance(b.exp, sp.Integer) else b for b in parts}, key=str)


def _ratios(log_density: Formula, signs: Signs) -> Iterator[Chart]:
    """Yield charts t of densities with a multiple of log(1 + t): the beta integral over the half-line, Student's t."""
    x = signs.region.variable
    logs = {
        e.args[0] for e in sp.preorder_traversal(log_density) if isinstance(e, sp.log) and x in e.args[0].free_symbols
    }
    for inner in sorted(logs, key=str):
        spelled = sp.expand(inner)
        constant = sp.Add(*(t for t in sp.Add.make_args(spelled) if x not in t.free_symbols))
        if constant == 0:
            continue
        chart = sp.factor_terms(sp.expand((spelled - constant) / constant))
        if signs.is_positive(chart):
            pair = _two_exponents(log_density, chart, 1 + chart, signs)
            if pair is not None:
                yield Chart("beta_line", chart, (pair[0] + 1, -pair[1] - pair[0] - 1))
        yield from _student(log_density, spelled, signs)


def _student(log_density: Formula, inner: Formula, signs: Signs) -> Iterator[Chart]:
    """Yield the chart t = sqrt(a)*w of a power of a quadratic 1 + w**2, completed to a square."""
    x = signs.region.variable
    if not inner.is_polynomial(x) or sp.Poly(inner, x).degree() != 2:
        return
    c2, c1, c0 = sp.Poly(inner, x).all_coeffs()
    center, least = -c1 / (2 * c2), sp.factor(c0 - c1**2 / (4 * c2))
    slope = _slope(log_density, signs)
    power = None if slope is None else NormalForm(signs).formula(slope * inner / sp.diff(inner, x))
    if power is None or x in power.free_symbols or not signs.is_positive(least / c2):
        return
    df = -2 * power - 1
    yield Chart("student", sp.sqrt(df) * sp.sqrt(sp.factor(c2 / least)) * (x - center), (df,))


def _special(log_density: Formula, signs: Signs) -> Iterator[Chart]:
    """Yield charts for integrals that one function in the density points to."""
    x, low, high = signs.region.variable, signs.region.lower, signs.region.upper
    expanded = sp.expand(log_density)
    every = [e for f in (expanded, log_density) for e in sp.preorder_traversal(f) if x in e.free_symbols]
    for part in dict.fromkeys(every):
        match part:
            case sp.cos() if low != -sp.oo and high != sp.oo:
                argument: Formula = part.args[0]
                angle: Formula = -argument if argument.could_extract_minus_sign() else argument
                for turned in (angle, -angle):
                    start = sp.expand(turned.xreplace({x: low}))
                    yield Chart("von_mises", turned, (expanded.coeff(part, 1), sp.S.Zero, start))
            case sp.besseli():
                scale = sp.sqrt(-2 * _coefficient(expanded, x, 2))
                yield Chart("rice", scale * x, (part.args[0], part.args[1] / (scale * x)))
            case sp.hyper():
                yield Chart("kummer", x, (*part.bq, _difference(part.ap, part.bq), part.argument / x))
            case sp.log() if part.args[0].has(sp.exp) and part.args[0].is_Add:
                yield from _bose(log_density, part, signs)
    if low != -sp.oo and high == sp.oo:
        yield from _inverse_gauss(log_density, signs)


def _coefficient(formula: Formula, x: Formula, power: int) -> Formula:
    return formula.coeff(x, power) or sp.S.Zero


def _difference(top: Formula, bottom: Formula) -> Formula:
    return sp.expand(top[0] - bottom[0])


def _bose(log_density: Formula, part: Formula, signs: Signs) -> Iterator[Chart]:
    for power in part.args[0].atoms(sp.exp):
        chart = power.args[0]
        shape = _constant_ratio(log_density + part, sp.log(chart), chart, signs) if signs.is_positive(chart) else None
        if shape is not None:
            yield Chart("bose", chart, (shape + 1,))


def _inverse_gauss(log_density: Formula, signs: Signs) -> Iterator[Chart]:
    """Yield x above its bound with the coefficients of x and 1/x of the log-density."""
    x, low = signs.region.variable, signs.region.lower
    moved = sp.expand(sp.expand(log_density.xreplace({x: x + low})))
    up, down = -_coefficient(moved, x, 1), -_coefficient(moved, x, -1)
    if signs.is_positive(up) and signs.is_positive(down):
        yield Chart("inverse_gauss", x - low, (sp.sqrt(down / up), 2 * down))
        chart = (x - low) * sp.sqrt(up / down)
        order = _constant_ratio(log_density + up * (x - low) + down / (x - low), sp.log(x - low), chart, signs)
        if order is not None:
            yield Chart("bessel_k", chart, (order + 1, 2 * sp.sqrt(up * down)))
