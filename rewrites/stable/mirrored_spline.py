r"""$\sum_{k\le x}(-1)^k\binom nk(x - k)^{n-1}$ is the same at $n - x$, where fewer terms cancel for $x > n/2$.

It is (n - 1)! times the density of a sum of n uniform variables, each of which may be replaced by 1 minus itself.

>>> from symaux.rules.toolkit import law
>>> z, n, k = sp.Symbol("z", positive=True), sp.Symbol("n", integer=True, positive=True), sp.Symbol("k", integer=True)
>>> density = sp.Sum((-1)**k*sp.binomial(n, k)*(z - k)**(n - 1), (k, 0, sp.floor(z)))/sp.gamma(n)
>>> (made,) = law(z, density, support=(0, n)).log_density.atoms(Series)
>>> mirrored_spline(made).args[-1]
floor(Min(z, n - z))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import Formula, Series


def mirrored_spline(formula: Any) -> Any | None:
    """The sum at the smaller one of x and n - x, for an integer n."""
    if not isinstance(formula, Series) or not isinstance(formula.args[3], sp.floor) or formula.args[2] != 0:
        return None
    term, k, _, upper = formula.args
    x, counts = upper.args[0], [b.args[0] for b in term.atoms(sp.binomial) if b.args[1] == k]
    if len(counts) != 1 or not counts[0].is_integer or isinstance(x, sp.Min):
        return None
    (n,) = counts
    share = term / ((-1) ** k * sp.binomial(n, k) * (x - k) ** (n - 1))
    if share.has(k) and (share := sp.simplify(share)).has(k):
        return None
    near = sp.Min(x, _complement(n, x), evaluate=False)
    return Series(share * (-1) ** k * sp.binomial(n, k) * (near - k) ** (n - 1), k, sp.S.Zero, sp.floor(near))


def _complement(n: Formula, x: Formula) -> Formula:
    r"""$n - x$; for $x = n/(1 + e^{-t})$ without loss of digits."""
    t = sp.Wild("t")
    found = x.match(n / (1 + sp.exp(t)))
    return n / (1 + sp.exp(-found[t])) if found else n - x
