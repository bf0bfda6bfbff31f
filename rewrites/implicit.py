r"""The quantile of any law on an interval, by a numerical inverse of its distribution function: $F(z) = u$.

**Applies when** nothing simpler does: the law is moved to the line, where generated code integrates the density and solves
for the quantile, with exact gradients by the implicit formula. Continuous in noise and parameters together.

>>> import sympy as sp
>>> from symaux.rules.toolkit import gamma
>>> z, a = sp.symbols("z a", positive=True)
>>> print(implicit.apply(gamma(z, a, 1)).value)
exp(ImplicitQuantile(eps, t, t*(a - 1) + t - exp(t) - loggamma(a)))

*Reference*: Figurnov, Mohamed and Mnih, Implicit Reparameterization Gradients (2018).
"""

from __future__ import annotations

import sympy as sp

from symaux.rules.toolkit import (
    Bound,
    ImplicitQuantile,
    Interval,
    Law,
    Rewrite,
    is_standard_uniform,
    last_resort,
    on_real_line,
    standard_uniform,
)


@last_resort
def implicit(law: Law) -> Rewrite | None:
    r"""$F(z) = u$ solved by generated code, with exact gradients."""
    if not isinstance(law.support, Interval) or not law.proper or is_standard_uniform(law):
        return None
    eps, t = sp.Symbol("eps", positive=True), Bound("t", real=True)
    line, formula = on_real_line(law, t)
    quantile = ImplicitQuantile(eps, t, line.log_density)
    return Rewrite((standard_uniform(eps),), formula.xreplace({t: quantile}))
