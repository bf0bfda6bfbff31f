r"""Two gammas multiplied: $z = (4 t_1 t_2/k^2)^{1/2s}$.

**Applies when** the density is $z^c K_q(k z^s)$ on $(0, \infty)$: the K distribution, the product of two exponentials.
Undoes $\int t^{a-b-1}e^{-t-x/t}\,dt = 2x^{(a-b)/2}K_{a-b}(2\sqrt x)$.

>>> import sympy as sp
>>> from symaux.rules.toolkit import law
>>> z = sp.Symbol("z", positive=True)
>>> (found,) = gamma_product(law(z, 2*sp.besselk(0, 2*sp.sqrt(z))))
>>> found.value, [str(noise.spelling) for noise in found.noise]
(t*t2, ['exponential(1)', 'exponential(1)'])

*Reference*: Jakeman and Pusey, A model for non-Rayleigh sea echo (1976).
"""

from __future__ import annotations

import sympy as sp

from rewrites.compositions.noises import T2, gamma_noise
from symaux.rules.toolkit import Interval, Law, Rewrite, as_power, find_special_factor, rule


@rule
def gamma_product(law: Law) -> Rewrite | None:
    r"""$z = (4 t_1 t_2/k^2)^{1/2s}$ for gammas, from $z^c\,K_q(k z^s)$."""
    if law.support != Interval(sp.S.Zero, sp.oo) or not law.proper:
        return None
    z, found = law.value, find_special_factor(law.log_density, law.value, sp.besselk)
    if found is None or found.offset != 0:
        return None
    argument, exponent = as_power(found.argument, z), sp.simplify(z * found.rest)
    if argument is None or exponent.has(z):
        return None
    (k, s), order = argument, found.function.args[0]
    total = (exponent + 1) / s
    a, b = sp.simplify((total + order) / 2), sp.simplify((total - order) / 2)
    if not (k.is_positive and s.is_positive and a.is_positive and b.is_positive):
        return None
    one, other = gamma_noise(a), gamma_noise(b, T2)
    return Rewrite((one.law, other.law), sp.powdenest((4 * one.formula * other.formula / k**2) ** (1 / (2 * s))))
