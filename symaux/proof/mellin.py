r"""Densities with a Bessel function K, by Mellin's integral.

$\int_0^\infty z^c K_q(kz^s)\,dz = \frac{2^{\mu-2}}{s\,k^\mu}\Gamma(\tfrac{\mu-q}2)\Gamma(\tfrac{\mu+q}2)$
with $\mu = (c+1)/s > |q|$; on the line, both sides of an even density count.

>>> z = sp.Symbol("z", real=True)
>>> by_mellin(Law(z, sp.log(sp.besselk(0, sp.Abs(z))) - sp.log(sp.pi), REALS))
True
"""

from __future__ import annotations

import sympy as sp

from symaux.calculus.signs import positive
from symaux.calculus.special_factor import factor, power
from symaux.laws import Law
from symaux.proof.residual import is_zero
from symaux.proof.same import plain
from symaux.support import REALS, Interval

HALF_LINE = Interval(sp.S.Zero, sp.oo)


def by_mellin(law: Law) -> bool:
    """Whether a density is a power times a Bessel function K, and integrates to one; False says nothing."""
    if law.support not in (HALF_LINE, REALS) or not law.log_density.has(sp.besselk):
        return False
    z, sides = sp.Symbol("z_", positive=True), 1
    density = law.log_density.xreplace({law.value: z})
    if law.support == REALS:
        sides, mirrored = 2, law.log_density.xreplace({law.value: -z})
        if density != mirrored and not is_zero(density - mirrored):
            return False
    found = _log_integral(density, z)
    return found is not None and is_zero(plain(found + sp.log(sides)))


def _log_integral(log_density: sp.Expr, z: sp.Symbol) -> sp.Expr | None:
    found = factor(log_density, z, sp.besselk)
    argument = None if found is None or found.offset != 0 else power(found.argument, z)
    if found is None or argument is None:
        return None
    (k, s), order, exponent = argument, found.function.args[0], sp.simplify(z * found.rest)
    mu = sp.simplify((exponent + 1) / s)
    ends = [sp.expand((mu - order) / 2), sp.expand((mu + order) / 2)]
    if exponent.has(z) or not all(map(positive, (k, s, *ends))):
        return None
    shape = exponent * sp.log(z) + sp.log(found.function)
    constant = (log_density - shape).xreplace({z: sp.S.One})
    return constant + (mu - 2) * sp.log(2) - sp.log(s) - mu * sp.log(k) + sum(map(sp.loggamma, ends))
