r"""The Cholesky factor of a correlation matrix from independent betas: its canonical partial correlations.

$L_{ij} = r_{ij}\prod_{l<j}(1 - r_{il}^2)^{1/2}$ with $r_{ij} = 2b_{ij} - 1$, $b_{ij} \sim \mathrm{Beta}(\beta_j, \beta_j)$ and
$\beta_j = \eta + (d-2-j)/2$ for the columns $j = 0, \dots, d-2$.

**Applies when** the law is that of ``lkj_cholesky``. Betas are kept as logits: $r = \tanh(\operatorname{logit}(b)/2)$.

>>> from symaux.rules.toolkit import arrays, plate
>>> from symaux.rules.toolkit import lkj_cholesky
>>> (found,) = lkj(lkj_cholesky(arrays("L")[plate("i", 3), plate("j", 3)], 2))
>>> print(found.noise[0])
eps[i_pairs] ~ uniform(0, 1)

*Reference*: Lewandowski, Kurowicka and Joe, Generating random correlation matrices based on vines and extended onion
method, 2009.
"""

from __future__ import annotations

import sympy as sp
from sympy.tensor.indexed import IndexedBase

from symaux.rules.toolkit import (
    CorrelationFactor,
    Formula,
    Law,
    LKJLogDensity,
    PairColumn,
    Rewrite,
    betaincinv,
    extent,
    indices_of,
    pair_plate,
    uniform,
    vector_rule,
)


@vector_rule
def lkj(law: Law) -> Rewrite | None:
    r"""$L_{ij} = r_{ij}\prod_{l<j}(1-r_{il}^2)^{1/2}$ with $r = 2b - 1$ for betas b, a correlation's factor."""
    if not isinstance(law.log_density, LKJLogDensity):
        return None
    row, column = law.event
    p, eta = pair_plate(row), law.log_density.operands[1]
    eps: Formula = IndexedBase("eps", positive=True)
    u = eps[(*indices_of(law.value)[:-2], p)]
    shape = eta + (extent(row) - 2 - PairColumn(p, p)) / 2
    b = betaincinv(shape, shape, u)
    return Rewrite((uniform(u, 0, 1),), CorrelationFactor(sp.log(b / (1 - b)) / 2, row, column, p))
