r"""Two gammas against each other: $z = d\,t_1/t_2$, and $z = t_1/(t_1 + t_2)$.

**Applies when** the density is $z^{a-1}(z+d)^{-a-b}$ on $(0,\infty)$ (beta prime, F, Lomax) or $z^{a-1}(1-z)^{b-1}$ on (0, 1).

>>> import sympy as sp
>>> from symaux.rules.toolkit import beta
>>> z, a, b = sp.symbols("z a b", positive=True)
>>> (found,) = gamma_ratio(beta(z, a, b))
>>> found.value, [str(noise.spelling) for noise in found.noise]
(1/(1 + t2/t), ['gamma(a, 1)', 'gamma(b, 1)'])

*Reference*: Devroye, Non-Uniform Random Variate Generation, section IX.4.
"""

from __future__ import annotations

import sympy as sp

from rewrites.compositions.noises import T2, gamma_noise
from symaux.rules.toolkit import Formula, Interval, Law, Rewrite, rational_log_derivative, rule

POSITIVE, UNIT = Interval(sp.S.Zero, sp.oo), Interval(sp.S.Zero, sp.S.One)


@rule
def gamma_ratio(law: Law) -> Rewrite | None:
    r"""$z = d\,t_1/t_2$ or $t_1/(t_1 + t_2)$ for gammas, from $z^{a-1}(z + d)^{-a-b}$ or $z^{a-1}(1 - z)^{b-1}$."""
    slope = rational_log_derivative(law) if law.support in (POSITIVE, UNIT) and law.proper else None
    if slope is None:
        return None
    z = law.value
    first = _residue(slope, z, sp.S.Zero)
    pole = _pole(sp.cancel(sp.together(slope - first / z)), z)
    if pole is None or (law.support == UNIT and pole != sp.S.One):
        return None
    a, power = sp.expand(first + 1), _residue(slope, z, pole)
    b = sp.expand(power + 1 if law.support == UNIT else -power - a)
    if not (a.is_positive and b.is_positive) or (law.support == POSITIVE and not pole.is_negative):
        return None
    above, below = gamma_noise(a), gamma_noise(b, T2)
    if law.support == UNIT:
        return Rewrite((above.law, below.law), 1 / (1 + below.formula / above.formula))
    return Rewrite((above.law, below.law), -pole * above.formula / below.formula)


def _residue(slope: Formula, z: Formula, pole: Formula) -> Formula:
    return sp.cancel((z - pole) * slope).subs(z, pole)


def _pole(rest: Formula, z: Formula) -> Formula | None:
    """The one simple pole of a rational function that has no other part."""
    above, below = sp.fraction(rest)
    if above.has(z) or not below.is_polynomial(z) or sp.degree(below, z) != 1:
        return None
    return sp.cancel(-sp.Poly(below, z).coeff_monomial(1) / sp.Poly(below, z).coeff_monomial(z))
