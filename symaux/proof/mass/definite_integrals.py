r"""Recognise the integrals of the handbooks, $\log\int_a^b e^{\ell(t)}\,dt$, by $\ell'$ and never by a name.

An interval is first brought to $(0, \infty)$ or to the line, where further changes of variable (powers, the exponential)
may help; an integrand counts as a classical one if its logarithmic derivative is that of the pattern identically in t
and every exponent is known to lie where the integral holds. What is left is a constant, read off at one point.

>>> t, a, b = sp.symbols("t a b", positive=True)
>>> log_integral(a*sp.log(t) - b*t - 7, t, Interval(sp.S(0), sp.oo))
-a*log(b) - log(b) + loggamma(a + 1) - 7
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from symaux.formulas.algebra.factor import factor_formula
from symaux.formulas.algebra.signs import is_always_positive, sign_of
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws.densities.change_of_variables import expand_logarithms
from symaux.proof.mass.integral_table import FINITE, HALF_LINE, LINE, Pattern

POSITIVE = Interval(sp.S.Zero, sp.oo)
U, V = sp.Symbol("u_", positive=True), sp.Symbol("v_", real=True)


@dataclass(frozen=True)
class Change:
    """A change of variables: t as a formula in a new variable, which runs through ``where``."""

    variable: sp.Symbol
    formula: Formula
    where: Interval

    def pulled_back(self, log_integrand: Formula, t: sp.Symbol) -> Formula:
        """Return the log-integrand in the new variable, with the logarithm of the Jacobian."""
        slope = factor_formula(self.formula.diff(self.variable))
        return expand_logarithms(with_squared_moduli(log_integrand.xreplace({t: self.formula}) + log_modulus(slope)))


def log_integral(log_integrand: Formula, t: sp.Symbol, where: Interval) -> Formula | None:
    r"""Return $\log\int e^{\ell(t)}\,dt$ over an interval whose ends are in order; None if the integral is not recognised."""
    for change in _changes(log_integrand, t, where):
        found = _recognised(change.pulled_back(log_integrand, t), change)
        if found is not None:
            return sp.expand(found)
    return None


def with_squared_moduli(formula: Formula) -> Formula:
    r"""Return the formula with $\log|x|$ as $\tfrac12\log x^2$, which has a derivative without corners."""
    return formula.replace(
        lambda e: isinstance(e, sp.log) and isinstance(e.args[0], sp.Abs), lambda e: sp.log(e.args[0].args[0] ** 2) / 2
    )


def _recognised(log_integrand: Formula, change: Change) -> Formula | None:
    u = change.variable
    slope = sp.cancel(sp.together(log_integrand.diff(u)))
    if not slope.is_rational_function(u):
        return None
    table = HALF_LINE if change.where == POSITIVE else LINE if change.where == REALS else FINITE
    for recognise in table:
        for pattern in recognise(slope, u, change.where):
            if _matches(slope, pattern, u):
                return _constant(log_integrand - pattern.shape, u, pattern.point) + pattern.log_integral
    return None


def _matches(slope: Formula, pattern: Pattern, u: sp.Symbol) -> bool:
    if not all(map(is_always_positive, pattern.positive)):
        return False
    return sp.cancel(sp.together(slope - pattern.shape.diff(u))) == 0


def _constant(formula: Formula, u: sp.Symbol, point: Formula) -> Formula:
    """Return a formula that does not depend on u: as it stands if that is visible, otherwise its value at a point."""
    plain = sp.expand(formula)
    return plain if not plain.has(u) else formula.xreplace({u: point})


def _changes(log_integrand: Formula, t: sp.Symbol, where: Interval) -> Iterator[Change]:
    """Yield changes of variables: to the interval itself, a half line or the line, and then by powers and the exponential."""
    lower, upper = where.lower, where.upper
    if where == REALS:
        yield Change(V, V, REALS)
        for rate in _rates(log_integrand, t):
            yield Change(U, sp.log(U) / rate, POSITIVE)
        return
    if lower == -sp.oo:
        start, formula = U, upper - U
    elif upper == sp.oo:
        start, formula = U, lower + U
    else:
        yield Change(V, V, where)
        start, formula = U, lower + (upper - lower) * U / (1 + U)
    yield Change(start, formula, POSITIVE)
    for exponent in _exponents(log_integrand.xreplace({t: formula}), U):
        yield Change(U, formula.xreplace({U: U ** (1 / exponent)}), POSITIVE)


def _rates(formula: Formula, t: sp.Symbol) -> list[Formula]:
    """Return the c of $e^{ct}$ in a formula, of known sign."""
    expanded: Formula = sp.expand(formula)
    rates = {e.args[0].coeff(t) for e in expanded.atoms(sp.exp) if e.has(t)}
    return sorted((r for r in rates if sign_of(r)), key=str)


def _exponents(formula: Formula, u: sp.Symbol) -> list[Formula]:
    """Return the p of $u^p$ in a formula, of known sign, symbols first."""
    denested: Formula = sp.powdenest(sp.expand(formula))
    powers: set[Formula] = {p.exp for p in denested.atoms(sp.Pow) if p.base == u and not p.exp.has(u)}
    powers |= {2 * p for p in powers if p.is_number} | {sp.S(2), sp.S.Half}
    known = {p for p in powers if p != 1 and sign_of(p)}
    return sorted(known, key=lambda p: (p.is_number, sp.count_ops(p), str(p)))
