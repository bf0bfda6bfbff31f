r"""A multivariate t: $z = \mu + L\varepsilon/\sqrt w$ with $w \sim \mathrm{Gamma}(\nu/2, \nu/2)$, one for each vector.

**Applies when** the law is a multivariate t, given by its scale, the inverse of it, or a triangular factor. The gamma
variable is $w = P^{-1}(\nu/2, u)/(\nu/2)$ for a uniform u, one for each vector.

>>> from symaux.rules.toolkit import arrays, plate
>>> from symaux.rules.toolkit import multivariate_student_t as t_vector
>>> z, K, i, j = *arrays("z K"), plate("i", 3), plate("j", 3)
>>> (found,) = multivariate_student_t(t_vector(z[i], 4, 0, K[i, j]))
>>> print(found.value)
sqrt(2)*Correlated(eps[i], K[i, j], i, j)/sqrt(gammaincinv(2, eps_scale))

*Reference*: Devroye, Non-Uniform Random Variate Generation, section XI.2.
"""

from __future__ import annotations

import sympy as sp
from sympy.tensor.indexed import IndexedBase

from symaux.rules.toolkit import (
    Correlated,
    Formula,
    Law,
    Rewrite,
    StudentLogDensity,
    gammaincinv,
    indices_of,
    normal,
    uniform,
    vector_rule,
)

FACTOR = {"": (), "precision": ("L^-T",), "cholesky": ("M",)}


@vector_rule
def multivariate_student_t(law: Law) -> Rewrite | None:
    r"""$z = \mu + L\varepsilon/\sqrt w$ for a vector with a multivariate t law, and a gamma variable w."""
    if not isinstance(law.log_density, StudentLogDensity):
        return None
    residual, df, matrix = law.log_density.operands
    noise: Formula = IndexedBase("eps", real=True)
    eps = noise[indices_of(law.value)]
    u = _for_each_vector(law)
    scale = sp.sqrt(df / 2) / sp.sqrt(gammaincinv(df / 2, u))
    word = FACTOR["".join(law.log_density.words)]
    made = Correlated(eps, matrix, *law.log_density.plates, *word)
    return Rewrite((normal(eps, 0, 1), uniform(u, 0, 1)), law.value - residual + scale * made)


def _for_each_vector(law: Law) -> Formula:
    """A noise with one element for each vector: along the plates that are not its own."""
    batch = tuple(i for i in indices_of(law.value) if i not in law.event)
    if not batch:
        return sp.Symbol("eps_scale", positive=True)
    noise: Formula = IndexedBase("eps_scale", positive=True)
    return noise[batch]
