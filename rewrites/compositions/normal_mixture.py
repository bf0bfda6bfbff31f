r"""A normal whose mean and variance are one noise: $z = m + \beta t + \sqrt t\,\varepsilon$.

**Applies when** the density is $e^{\beta z}\,Q^{q/2}K_q(\alpha\sqrt Q)$ with $Q = \delta^2 + (z-m)^2$ on the line. The integral
over t that this undoes says that t has the density $t^{q-1/2}e^{-(\delta^2/t + (\alpha^2-\beta^2)t)/2}$: a gamma for
$\delta = 0$ (variance-gamma, the product of two normals), an inverse Gaussian for q = -1 (normal-inverse Gaussian).

>>> import sympy as sp
>>> from symaux.rules.toolkit import law
>>> z = sp.Symbol("z", real=True)
>>> (found,) = normal_mixture(law(z, sp.besselk(0, sp.Abs(z))/sp.pi))
>>> found.value
e*t

*Reference*: Barndorff-Nielsen, Kent and Sørensen, Normal variance-mean mixtures and z distributions (1982).
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from rewrites.compositions.noises import NORMAL, Noise, T, gamma_noise
from symaux.rules.toolkit import (
    REALS,
    Formula,
    Interval,
    Law,
    Rewrite,
    SpecialFactor,
    find_special_factor,
    inverse_gaussian,
    rule,
)


@rule
def normal_mixture(law: Law) -> Iterator[Rewrite]:
    r"""$z = m + \beta t + \sqrt t\,\varepsilon$ for a gamma or another t, from $e^{\beta z}\,Q^{q/2}K_q(\alpha\sqrt Q)$."""
    found = find_special_factor(law.log_density, law.value, sp.besselk) if law.support == REALS and law.proper else None
    if found is None or found.offset != 0:
        return
    z, square = law.value, sp.expand(found.argument**2)
    if not square.is_polynomial(z) or sp.degree(square, z) != 2:
        return
    quadratic = sp.Poly(square, z)
    alpha2 = quadratic.coeff_monomial(z**2)
    location = sp.cancel(-quadratic.coeff_monomial(z) / (2 * alpha2))
    chi = sp.factor(sp.cancel(quadratic.coeff_monomial(1) / alpha2 - location**2))
    tilt = _at_infinity(found.rest, z)
    if tilt is None:
        return
    order = sp.cancel(sp.together((found.rest - tilt) * ((z - location) ** 2 + chi) / (z - location)))
    if order.has(z) or not _same_order(order, found):
        return
    mixing = _mixing(sp.expand(order + sp.S.Half), chi, sp.factor(sp.expand(alpha2 - tilt**2)))
    if mixing is not None:
        t = mixing.formula
        yield Rewrite((NORMAL.law, mixing.law), location + tilt * t + sp.sqrt(t) * NORMAL.formula)


def _same_order(order: Formula, found: SpecialFactor) -> bool:
    """K is even in its order."""
    given = found.function.args[0]
    return sp.expand(order - given) == 0 or sp.expand(order + given) == 0


def _mixing(shape: Formula, chi: Formula, psi: Formula) -> Noise | None:
    r"""The noise with density $t^{\lambda-1}e^{-(\chi/t + \psi t)/2}$."""
    if not psi.is_positive:
        return None
    if chi == sp.S.Zero and shape.is_positive:
        gamma = gamma_noise(shape)
        return Noise(gamma.law, 2 * gamma.formula / psi)
    if not chi.is_positive:
        return None
    if shape == -sp.S.Half:
        return Noise(inverse_gaussian(T, sp.sqrt(chi / psi), chi), T)
    bessel = sp.besselk(shape, sp.sqrt(chi * psi))
    constant = shape * sp.log(psi / chi) / 2 - sp.log(2) - sp.log(bessel)
    density = (shape - 1) * sp.log(T) - (chi / T + psi * T) / 2 + constant
    return Noise(Law(T, density, Interval(sp.S.Zero, sp.oo)), T)


def _at_infinity(formula: Formula, z: sp.Symbol) -> Formula | None:
    """The limit of a rational function that has one."""
    above, below = sp.fraction(sp.cancel(sp.together(formula)))
    if not above.is_polynomial(z) or not below.is_polynomial(z):
        return None
    top, bottom = sp.Poly(above, z), sp.Poly(below, z)
    if top.degree() > bottom.degree():
        return None
    return sp.cancel(top.coeff_monomial(z ** bottom.degree()) / bottom.LC())
