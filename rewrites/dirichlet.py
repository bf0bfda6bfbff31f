r"""A Dirichlet vector from gammas, $z_k = g_k/\sum_j g_j$ with $g_k \sim \mathrm{Gamma}(a_k, 1)$, or by breaking a stick,
$z_k = v_k\prod_{j<k}(1 - v_j)$ with $v_k \sim \mathrm{Beta}(a_k, \sum_{j>k} a_j)$.

**Applies when** the law is a Dirichlet. The gammas are kept as logarithms and the betas as logits, so that nothing is 0/0
for small concentrations; sticks need a plate whose size is a number.

>>> from symaux.rules.toolkit import arrays, plate
>>> from symaux.rules.toolkit import dirichlet as on_simplex
>>> z, a, k = *arrays("z a", positive=True), plate("k", 3)
>>> gammas, sticks = dirichlet(on_simplex(z[k], a[k]))
>>> print(gammas.value)
Normalised(log(gammaincinv(a[k], eps[k])), k)

*Reference*: Devroye, Non-Uniform Random Variate Generation, section XI.4.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp
from sympy.tensor.indexed import Idx, IndexedBase

from symaux.rules.toolkit import (
    Formula,
    Head,
    Law,
    Normalised,
    Rewrite,
    Simplex,
    StickBreaking,
    Tail,
    betaincinv,
    extent,
    free_plates,
    gammaincinv,
    indices_of,
    stick_plate,
    uniform,
    vector_rule,
)


@vector_rule
def dirichlet(law: Law) -> Iterator[Rewrite]:
    r"""$z_k = g_k/\sum_j g_j$ for gammas g, or $z_k = v_k\prod_{j<k}(1-v_j)$ for betas v."""
    a = _concentration(law)
    if a is None:
        return
    (k,) = law.event
    eps: Formula = IndexedBase("eps", positive=True)
    u = eps[indices_of(law.value)]
    yield Rewrite((uniform(u, 0, 1),), Normalised(sp.log(gammaincinv(a, u)), k))
    if extent(k).is_Integer and extent(k) > 1:
        r = stick_plate(k)
        u = eps[(*indices_of(law.value)[:-1], r)]
        yield Rewrite((uniform(u, 0, 1),), StickBreaking(_logit(betaincinv(*_shapes(a, k, r), u)), r, k))


def _concentration(law: Law) -> Formula | None:
    r"""The a of $\sum_k (a_k - 1)\log z_k$, whatever else the formula holds: what is wrong is refuted later."""
    if not isinstance(law.support, Simplex):
        return None
    if not law.log_density.has(law.value):
        return sp.S.One
    powers = [s for s in law.log_density.atoms(sp.Sum) if s.has(sp.log(law.value)) and s.variables == list(law.event)]
    terms: list[Formula] = [sp.expand(s.function) for s in powers]
    found = [term.coeff(sp.log(law.value)) + 1 for term in terms]
    return found[0] if len(found) == 1 and not found[0].has(law.value) else None


def _shapes(a: Formula, k: Idx, r: Idx) -> tuple[Formula, Formula]:
    if k not in free_plates(a):
        return a, a * (extent(r) - r)
    return Head(a, k, r), Tail(a, k, r)


def _logit(x: Formula) -> Formula:
    return sp.log(x / (1 - x))
