r"""Wishart matrices by Bartlett's decomposition: $S = CAA^\top C^\top$ with $CC^\top = V$ and A lower triangular,
$A_{ii}^2 \sim \chi^2_{\nu-i}$ for $i = 0, \dots, d-1$ and $A_{ij} \sim \mathcal N(0, 1)$ below the diagonal.

**Applies when** the law is a Wishart, or an inverse Wishart: then $S = C(AA^\top)^{-1}C^\top$ with $CC^\top = \Psi$.
A chi-square is twice a gamma, $A_{ii}^2 = 2P^{-1}(\frac{\nu-i}2, u_i)$.

>>> from symaux.rules.toolkit import arrays, plate
>>> from symaux.rules.toolkit import wishart
>>> S, V, i, j = *arrays("S V"), plate("i", 3), plate("j", 3)
>>> (found,) = bartlett(wishart(S[i, j], 5, V[i, j]))
>>> print(found.value)
Bartlett(sqrt(2)*sqrt(gammaincinv(5/2 - i/2, eps_diagonal[i])), eps_below[i_pairs], V[i, j], i, j, i_pairs)

*Reference*: Muirhead, Aspects of Multivariate Statistical Theory, theorem 3.2.14.
"""

from __future__ import annotations

import sympy as sp
from sympy.tensor.indexed import IndexedBase

from symaux.rules.toolkit import (
    Bartlett,
    Formula,
    InverseBartlett,
    InverseWishartLogDensity,
    Law,
    Rewrite,
    WishartLogDensity,
    gammaincinv,
    indices_of,
    normal,
    pair_plate,
    uniform,
    vector_rule,
)


@vector_rule
def bartlett(law: Law) -> Rewrite | None:
    r"""$S = CAA^\top C^\top$ for a Wishart matrix, chi-squares on A's diagonal and normals below it; also inverted."""
    density = law.log_density
    if not isinstance(density, WishartLogDensity | InverseWishartLogDensity):
        return None
    row, column = law.event
    _, df, scale = density.operands
    batch, p = indices_of(law.value)[:-2], pair_plate(row)
    on_diagonal: Formula = IndexedBase("eps_diagonal", positive=True)
    below: Formula = IndexedBase("eps_below", real=True)
    u, eps = on_diagonal[(*batch, row)], below[(*batch, p)]
    diagonal = sp.sqrt(2) * sp.sqrt(gammaincinv((df - row) / 2, u))
    function = Bartlett if isinstance(density, WishartLogDensity) else InverseBartlett
    made = function(diagonal, eps, scale, row, column, p, *density.words)
    return Rewrite((uniform(u, 0, 1), normal(eps, 0, 1)), made)
