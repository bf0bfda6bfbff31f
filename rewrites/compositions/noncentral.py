r"""The length of a normal vector with a mean: $x = (\sqrt\lambda + \varepsilon)^2 + 2t$, $t \sim \Gamma(q + \tfrac12)$.

**Applies when** the density is $z^{s(q+2)-1}e^{-h z^{2s}}I_q(k z^s)$ on $(0, \infty)$: Rice, non-central chi and chi-square.
Undoes $\int_{-c}^{c} e^{\sqrt\lambda u}(c^2 - u^2)^{q - 1/2}\,du$, Poisson's integral.

>>> import sympy as sp
>>> from symaux.rules.toolkit import law
>>> z, v = sp.symbols("z v", positive=True)
>>> (found,) = noncentral(law(z, z*sp.exp(-(z**2 + v**2)/2)*sp.besseli(0, v*z)))
>>> found.value
sqrt(t**2 + (e + v)**2)

*Reference*: Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 2, chapter 29.
"""

from __future__ import annotations

import sympy as sp

from rewrites.compositions.noises import NORMAL, gamma_noise
from symaux.rules.toolkit import Interval, Law, Rewrite, as_power, find_special_factor, rule


@rule
def noncentral(law: Law) -> Rewrite | None:
    r"""$z = (((\sqrt\lambda + \varepsilon)^2 + 2t)/\kappa)^{1/2s}$ for a gamma t, from $e^{-hz^{2s}}I_q(kz^s)$ and a power."""
    if law.support != Interval(sp.S.Zero, sp.oo) or not law.proper:
        return None
    z, found = law.value, find_special_factor(law.log_density, law.value, sp.besseli)
    argument = None if found is None or found.offset != 0 else as_power(found.argument, z)
    if found is None or argument is None:
        return None
    (k, s), order = argument, found.function.args[0]
    tail = sp.simplify(s * (order + 2) - 1 - z * found.rest)  # 2 s h z^(2s)
    made = as_power(tail, z)
    shape = sp.expand(order + sp.S.Half)
    if made is None or sp.simplify(made[1] - 2 * s) != 0 or not (s.is_positive and shape.is_positive):
        return None
    twice = sp.simplify(made[0] / s)  # kappa = 2 h
    if not twice.is_positive:
        return None
    rest = gamma_noise(shape)
    squared = (sp.simplify(k / sp.sqrt(twice)) + NORMAL.formula) ** 2 + 2 * rest.formula
    return Rewrite((NORMAL.law, rest.law), sp.powdenest((squared / twice) ** (1 / (2 * s))))
