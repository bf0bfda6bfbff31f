r"""Integrate densities $c\,|a'(z)|\,f_1(a(z))$ with an alternating Gaussian sum: $c\,(f_0(0) - f_0(\infty)) = c/2$.

$f_0' = -f_1$ holds term by term, since both series converge uniformly for $a \ge a_0 > 0$; $f_0(\infty) = 0$ is plain, and
$f_0(0) = \tfrac12$ is Poisson's summation, $1 - 2f_0(a) = 2\sqrt{\pi/a}\sum_i e^{-\pi^2(2i+1)^2/4a}$.

>>> z = sp.Symbol("z", positive=True)
>>> integrates_by_gaussian_sum(Law(z, sp.log(8*z) + sp.log(alternating_gaussian(1, 2*z**2)), Interval(sp.S(0), sp.oo)))
True
"""

from __future__ import annotations

import sympy as sp

from symaux.formulas.algebra.monotone_chain import MonotoneChain
from symaux.formulas.functions.registry import alternating_gaussian
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import Interval, point_inside
from symaux.laws.densities.special_factor import find_special_factor
from symaux.laws.law import Law
from symaux.proof.scalar.residual import is_zero


def integrates_by_gaussian_sum(law: Law) -> bool:
    """Return whether a density is such a sum times the derivative of its argument and integrates to one."""
    if not law.log_density.has(alternating_gaussian) or not isinstance(law.support, Interval):
        return False
    found = find_special_factor(law.log_density, law.value, alternating_gaussian)
    if found is None or found.offset != 0 or found.function.args[0] != 1:
        return False
    chain = MonotoneChain.of(found.argument, law.value, law.support)
    if chain is None or chain.image != Interval(sp.S.Zero, sp.oo):
        return False
    rest = law.log_density - sp.log(found.function) - log_modulus(found.argument.diff(law.value))
    return is_zero((rest - sp.log(2)).xreplace({law.value: point_inside(law.support)}))
