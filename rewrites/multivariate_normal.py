r"""A multivariate normal by a triangular factor: $z = \mu + L\varepsilon$ with $LL^\top = K$.

**Applies when** the law is a multivariate normal, given by its covariance K (then L is Cholesky's factor of it), by its
precision P (then $z = \mu + R^{-\top}\varepsilon$ with $RR^\top = P$), or by L itself.

>>> from symaux.rules.toolkit import arrays, plate
>>> from symaux.rules.toolkit import multivariate_normal as normal_vector
>>> z, mu, P, i, j = *arrays("z mu P"), plate("i", 3), plate("j", 3)
>>> (found,) = multivariate_normal(normal_vector(z[i], mu[i], precision=P[i, j]))
>>> print(found.value)
Correlated(eps[i], P[i, j], i, j, L^-T) + mu[i]

*Reference*: Devroye, Non-Uniform Random Variate Generation, section XI.2.
"""

from __future__ import annotations

from sympy.tensor.indexed import IndexedBase

from symaux.rules.toolkit import Correlated, Formula, GaussianLogDensity, Law, Rewrite, indices_of, normal, vector_rule

FACTOR = {"": (), "precision": ("L^-T",), "cholesky": ("M",)}


@vector_rule
def multivariate_normal(law: Law) -> Rewrite | None:
    r"""$z = \mu + L\varepsilon$ for a vector of normals with covariance $LL^\top$."""
    if not isinstance(law.log_density, GaussianLogDensity):
        return None
    residual, matrix = law.log_density.operands
    noise: Formula = IndexedBase("eps", real=True)
    eps = noise[indices_of(law.value)]
    word = FACTOR["".join(law.log_density.words)]
    made = Correlated(eps, matrix, *law.log_density.plates, *word)
    return Rewrite((normal(eps, 0, 1),), law.value - residual + made)
