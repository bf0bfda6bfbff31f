r"""Integrate densities with one function of a power, by the Mellin transform $\int_0^\infty x^{\mu-1}f(x)\,dx$.

With $x = kz^s$, $\int_0^\infty z^c f(kz^s)\,dz = \frac{1}{s\,k^\mu}\int_0^\infty x^{\mu-1}f(x)\,dx$ for $\mu = (c+1)/s$:
$2^{\mu-2}\Gamma(\tfrac{\mu-q}2)\Gamma(\tfrac{\mu+q}2)$ of Bessel's $K_q$ for $\mu > |q|$, and for $\mu > 0$
$\Gamma(a+\mu)/(\mu\Gamma(a))$ of the regularised upper gamma function and $\Gamma(\tfrac{\mu+1}2)/(\mu\sqrt\pi)$ of
erfc; on the line, both sides of an even density count.

>>> z = sp.Symbol("z", real=True)
>>> integrates_by_mellin(Law(z, sp.log(sp.besselk(0, sp.Abs(z))) - sp.log(sp.pi), REALS))
True
>>> w = sp.Symbol("w", positive=True)
>>> [integrates_by_mellin(Law(w, sp.log(c*sp.erfc(w)), HALF_LINE)) for c in (sp.sqrt(sp.pi), 1)]
[True, False]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from symaux.formulas.algebra.signs import is_always_positive
from symaux.formulas.functions.registry import gammaincc
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws.densities.special_factor import SpecialFactor, as_power, find_special_factor
from symaux.laws.law import Law
from symaux.proof.equality.special_functions import with_fewer_functions
from symaux.proof.scalar.residual import is_zero

HALF_LINE = Interval(sp.S.Zero, sp.oo)
Transform = tuple[Any, list[Any]]  # the logarithm of Mellin's integral, and what must be positive


def integrates_by_mellin(law: Law) -> bool:
    """Return whether a density is a power times such a function and integrates to one; False says nothing."""
    if law.support not in (HALF_LINE, REALS) or not law.log_density.has(*TRANSFORMS, sp.erfc):
        return False
    z, sides = sp.Symbol("z_", positive=True), 1
    log_density: Formula = law.log_density
    density = log_density.xreplace({law.value: z})
    if law.support == REALS:
        sides, mirrored = 2, log_density.xreplace({law.value: -z})
        if density != mirrored and not is_zero(density - mirrored):
            return False
    kinds = [kind for kind in TRANSFORMS if density.has(kind) or (kind is sp.erf and density.has(sp.erfc))]
    found = [total for kind in kinds if (total := _log_integral(density, z, kind)) is not None]
    return any(is_zero(with_fewer_functions(total + sp.log(sides))) for total in found)


def _log_integral(log_density: Formula, z: sp.Symbol, kind: type) -> Formula | None:
    offset, function, transform = TRANSFORMS[kind]
    found = find_special_factor(log_density, z, kind)
    argument = None if found is None or found.offset != offset else as_power(found.argument, z)
    if found is None or argument is None:
        return None
    (k, s), exponent = argument, sp.simplify(z * found.rest)
    mu = sp.simplify((exponent + 1) / s)
    if exponent.has(z):
        return None
    total, above = transform(found, mu)
    if not all(map(is_always_positive, (k, s, *above))):
        return None
    shape = exponent * sp.log(z) + sp.log(function(found.function))
    constant = (log_density - shape).xreplace({z: sp.S.One})
    return constant - sp.log(s) - mu * sp.log(k) + total


def _of_bessel(found: SpecialFactor, mu: Any) -> Transform:
    order = found.function.args[0]
    ends = [sp.expand((mu - order) / 2), sp.expand((mu + order) / 2)]
    return (mu - 2) * sp.log(2) + sum(map(sp.loggamma, ends)), ends


def _of_gamma(found: SpecialFactor, mu: Any) -> Transform:
    a = found.function.args[0]
    return sp.loggamma(sp.expand(a + mu)) - sp.log(mu) - sp.loggamma(a), [mu, a]


def _of_error(found: SpecialFactor, mu: Any) -> Transform:
    return sp.loggamma(sp.expand((mu + 1) / 2)) - sp.log(mu) - sp.log(sp.pi) / 2, [mu]


TRANSFORMS: dict[Any, tuple[int, Callable[[Any], Any], Callable[[SpecialFactor, Any], Transform]]] = {
    sp.besselk: (0, lambda f: f, _of_bessel),
    gammaincc: (0, lambda f: f, _of_gamma),
    sp.erf: (-1, lambda f: sp.erfc(f.args[0]), _of_error),
}
