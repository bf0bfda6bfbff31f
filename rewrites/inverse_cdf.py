r"""The inverse of the distribution function: $z = F^{-1}(u)$ with u uniform on (0, 1).

**Applies when** sympy can integrate the density and the result can be inverted, layer by layer or by ``solve`` with the
branch chosen numerically; a distribution function with corners gives a piecewise quantile.

>>> import sympy as sp
>>> from symaux.rules.toolkit import exponential
>>> z, r = sp.symbols("z r", positive=True)
>>> (found,) = inverse_cdf(exponential(z, r))
>>> print(found.value, found.noise[0].support)
-log(eps)/r (0, 1)

*Reference*: Devroye, Non-Uniform Random Variate Generation, section II.2 (the inversion method).
"""

from __future__ import annotations

import sympy as sp

from symaux.rules.toolkit import Interval, Law, Rewrite, finishing_rule, quantile_formula


@finishing_rule
def inverse_cdf(law: Law) -> Rewrite | None:
    r"""$z = F^{-1}(u)$ for a uniform u."""
    if not isinstance(law.support, Interval) or not law.proper:
        return None
    eps = sp.Symbol("eps", positive=True)
    uniform = Law(eps, sp.S.Zero, Interval(sp.S.Zero, sp.S.One))
    if law.support == uniform.support and law.log_density == 0:
        return None
    found = quantile_formula(law, eps)
    return None if found is None else Rewrite((uniform,), found)
