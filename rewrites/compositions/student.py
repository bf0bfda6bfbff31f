r"""A normal over the root of a gamma: $z = m + \sqrt{d/2}\;\varepsilon/\sqrt{t}$ with $t \sim \Gamma(c - \tfrac12)$.

**Applies when** the density is a power $(d + (z-m)^2)^{-c}$ on the line: Student t with any degrees of freedom, Cauchy,
Pearson VII. Undoes $\int t^{c-1}e^{-t(d + z^2)}\,dt$.

>>> import sympy as sp
>>> from symaux.rules.toolkit import cauchy
>>> z = sp.Symbol("z", real=True)
>>> (found,) = student(cauchy(z, 0, 1))
>>> found.value
e/t

*Reference*: Andrews and Mallows, Scale mixtures of normal distributions (1974).
"""

from __future__ import annotations

import sympy as sp

from rewrites.compositions.noises import NORMAL, gamma_noise
from symaux.rules.toolkit import REALS, Formula, Law, Rewrite, rational_log_derivative, rule


@rule
def student(law: Law) -> Rewrite | None:
    r"""$z = m + \sqrt{d/2}\;\varepsilon/\sqrt t$ for a gamma t, from a power of a quadratic."""
    slope = rational_log_derivative(law) if law.support == REALS and law.proper else None
    if slope is None:
        return None
    above, below = sp.fraction(slope)
    if not below.is_polynomial(law.value) or sp.degree(below, law.value) != 2:
        return None
    quadratic = sp.Poly(below, law.value)
    leading = quadratic.coeff_monomial(law.value**2)
    location = sp.cancel(-quadratic.coeff_monomial(law.value) / (2 * leading))
    spread: Formula = sp.factor(sp.cancel(quadratic.coeff_monomial(1) / leading - location**2))
    shape = sp.expand(sp.cancel(-above.diff(law.value) / (2 * leading)) - sp.S.Half)
    if not spread.is_positive or not shape.is_positive:
        return None
    mixing = gamma_noise(shape)
    value = location + sp.sqrt(spread / 2) * NORMAL.formula / sp.sqrt(mixing.formula)
    return Rewrite((NORMAL.law, mixing.law), value)
