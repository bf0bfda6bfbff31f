r"""A uniform on (-1, 1) times a power of a gamma: $z = m + u\,(t/c)^{1/\beta}$, $t \sim \Gamma(1 + 1/\beta)$.

**Applies when** the density is $e^{-c|z - m|^\beta}$ on the line. Every density that falls away from its mode is a mixture
of uniform ones (Khinchine); here the mixing law is a power of a gamma.

>>> import sympy as sp
>>> from symaux.rules.toolkit import law
>>> z, b = sp.Symbol("z", real=True), sp.Symbol("b", positive=True)
>>> (found,) = generalised_normal(law(z, b*sp.exp(-sp.Abs(z)**b)/(2*sp.gamma(1/b))))
>>> found.value
e*t**(1/b)

*Reference*: Walker and Gutiérrez-Peña, Robustifying Bayesian procedures (1999).
"""

from __future__ import annotations

import sympy as sp

from rewrites.compositions.noises import BOTH_SIDES, gamma_noise
from symaux.rules.toolkit import REALS, Formula, Law, Rewrite, as_power, rule, split_at_corner


@rule
def generalised_normal(law: Law) -> Rewrite | None:
    r"""$z = m + u\,(t/c)^{1/\beta}$ for a uniform u on (-1, 1) and a gamma t, from $e^{-c\,\lvert z-m\rvert^\beta}$."""
    sides = _above(law) if law.support == REALS and law.proper else None
    if sides is None:
        return None
    above, middle = sides
    distance = sp.Symbol("y", positive=True)
    slope: Formula = sp.simplify(above.xreplace({law.value: middle + distance}).diff(distance))
    found = as_power(-slope * distance, distance) if slope.has(distance) else None
    if found is None or not found[1].is_positive or not found[0].is_positive:
        return None
    exponent, weight = found[1], sp.simplify(found[0] / found[1])
    size = gamma_noise(sp.expand(1 + 1 / exponent))
    value = middle + BOTH_SIDES.formula * (size.formula / weight) ** (1 / exponent)
    return Rewrite((BOTH_SIDES.law, size.law), value)


def _above(law: Law) -> tuple[Formula, Formula] | None:
    """The log-density above its middle, and the middle: its one corner, or the centre of an even power."""
    sides = split_at_corner(law)
    if sides is not None:
        return sides[1:]
    slope = law.log_density.diff(law.value)
    if not slope.is_polynomial(law.value) or sp.degree(slope, law.value) < 3:
        return None
    line = sp.Poly(slope, law.value)
    first, second = line.all_coeffs()[:2]
    return law.log_density, sp.cancel(-second / (line.degree() * first))
