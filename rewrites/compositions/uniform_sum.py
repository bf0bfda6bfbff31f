r"""Uniform variables added: $z = \varepsilon_1 + \dots + \varepsilon_n$.

**Applies when** the density is a sum up to $\lfloor z\rfloor$ on $(0, n)$ for a number n: Irwin and Hall's law. For a symbol n
the number of noises would not be fixed.

>>> import sympy as sp
>>> from symaux.rules.toolkit import law
>>> z, k = sp.Symbol("z", positive=True), sp.Symbol("k", integer=True)
>>> term = (-1)**k*sp.binomial(3, k)*(z - k)**2/2
>>> (found,) = uniform_sum(law(z, sp.Sum(term, (k, 0, sp.floor(z))), support=(0, 3)))
>>> found.value
e_1 + e_2 + e_3

*Reference*: Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 2, chapter 26.
"""

from __future__ import annotations

import sympy as sp

from symaux.rules.toolkit import Interval, Law, Rewrite, Series, rule, standard_uniform

MOST = 16


@rule
def uniform_sum(law: Law) -> Rewrite | None:
    r"""$z = \varepsilon_1 + \dots + \varepsilon_n$ for uniforms, from a sum up to $\lfloor z\rfloor$ on $(0, n)$."""
    if not isinstance(law.support, Interval) or law.support.lower != 0 or not law.log_density.has(Series):
        return None
    n = law.support.upper
    if law.parameters or not (n.is_Integer and 2 <= n <= MOST):
        return None
    noises = sp.symbols(f"e_1:{int(n) + 1}", positive=True)
    return Rewrite(tuple(map(standard_uniform, noises)), sp.Add(*noises))
