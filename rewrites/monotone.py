r"""A monotone change of variable: $z = h(y)$, $\log p_Y(y) = \log p_Z(h(y)) + \log|h'(y)|$.

**Applies when** the support fits the map: $e^y$ and $1/y$ on $(0, \infty)$, powers $y^{1/a}$ for the exponents a that
stand in the formula, $1/(1+e^{-y})$ on $(0, 1)$. The law of y still has the parameters: other rules take it from there.

>>> import sympy as sp
>>> from symaux.rules.toolkit import log_normal
>>> z, s = sp.symbols("z s", positive=True)
>>> first = next(monotone(log_normal(z, 0, s)))
>>> print(first.value, first.noise[0].log_density, first.noise[0].support)
exp(y) -log(s) - log(2*pi)/2 - y**2/(2*s**2) (-oo, oo)

*Reference*: Billingsley, Probability and Measure, section 20 (densities under monotone transformations).
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from symaux.rules.toolkit import REALS, Formula, Interval, Law, Rewrite, change_variable, rule, sigmoid

POSITIVE = Interval(sp.S.Zero, sp.oo)
UNIT = Interval(sp.S.Zero, sp.S.One)


@rule
def monotone(law: Law) -> Iterator[Rewrite]:
    r"""$z = h(y)$ for a logarithm, a reciprocal, a power or a logit h."""
    if not isinstance(law.support, Interval) or not law.proper:
        return
    y, positive = sp.Symbol("y", real=True), sp.Symbol("y", positive=True)
    for variable, formula, support in _maps(law, y, positive):
        yield Rewrite((change_variable(law, variable, formula, support),), formula)


def _maps(law: Law, y: sp.Symbol, positive: sp.Symbol) -> Iterator[tuple[sp.Symbol, Formula, Interval]]:
    support = law.interval
    if support == POSITIVE and law.log_density.has(sp.log(law.value)):
        yield y, sp.exp(y), REALS
    if support.upper == sp.oo and support.lower.is_positive:
        yield positive, support.lower * sp.exp(positive), POSITIVE
    if support in (POSITIVE, UNIT):
        for exponent in _exponents(law):
            where = Interval(sp.S.Zero, support.upper) if exponent.is_positive else Interval(1 / support.upper, sp.oo)
            yield positive, positive ** (1 / exponent), where
    if support == UNIT:
        yield y, sigmoid(y), REALS


def _exponents(law: Law) -> list[Formula]:
    """The exponents of the value in the formula, of known sign, the variable's own parameters first."""
    powers = [p.exp for p in law.log_density.atoms(sp.Pow) if p.base == law.value and not p.exp.has(law.value)]
    known = {e for e in powers if (e.is_positive or e.is_negative) and e != 1}
    return sorted(known, key=lambda e: (e.is_number, str(e)))
