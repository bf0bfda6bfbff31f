r"""Verify maps onto a simplex, or onto Cholesky factors of correlation matrices, one coordinate after the other.

Each free coordinate is a multiple of what the earlier ones leave: $z_k = r_k\,(1 - \sum_{j<k} z_j)$ with $r_k \in (0, 1)$, and
$L_{ij} = r_{ij}\,(1 - \sum_{l<j} L_{il}^2)^{1/2}$ with $r_{ij} \in (-1, 1)$. If each ratio is a monotone function of one
noise onto its interval, the map is a bijection and its Jacobian is triangular, so its volume is a product, and the
residual is shown to be zero: written out for the law's own dimension, with symbols for all parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.formulas.functions.elementary import defined
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import extent, indices_of, label
from symaux.formulas.symbols.support import CorrelationFactors, Interval, Simplex, Vectors, free_indices
from symaux.laws.law import Law
from symaux.proof.composition.unwind_quantile import UNWOUND, unwind_quantile
from symaux.proof.vectors.random_point import plates
from symaux.proof.vectors.unrolled import Explicit, log_of, product, split_log_products
from symaux.rules.verdict import Status, Verdict
from symaux.sandbox import run_bounded, value_or

LARGEST = 100  # free coordinates; beyond that writing everything out takes too long
SECONDS = 60.0


def verify_triangular_map(law: Law, noise: tuple[Law, ...], value: Formula) -> Verdict | None:
    """Return the verdict on a triangular map, at the law's own dimension."""
    sizes = [extent(p) for p in law.event]
    if not isinstance(law.support, Simplex | CorrelationFactors) or len(noise) != 1:
        return None
    batch, own = tuple(i for i in indices_of(law.value) if i not in law.event), indices_of(noise[0].value)
    if own[:-1] != batch or not all(size.is_Integer for size in sizes):
        return None  # every vector needs noise of its own
    count = len(free_indices(law.support, tuple(map(int, sizes))))
    if count > LARGEST or value_or(run_bounded(_is_proved, law, noise[0], value, seconds=SECONDS), False) is not True:
        return None
    ratio = "z[k]/(1 - z[0] - ... - z[k-1])"
    if isinstance(law.support, CorrelationFactors):
        ratio = "L[i,j]/sqrt(1 - L[i,0]^2 - ... - L[i,j-1]^2)"
    evidence = (
        f"each ratio {ratio} is a monotone function of one noise, onto its interval: the Jacobian is triangular",
        f"log q(eps) - log|det| - log p(g(eps)) = 0, symbolically, written out for {count} free coordinates",
    )
    return Verdict(Status.PROVED, evidence, (f"dimension {sizes[0]}",))


@dataclass
class _Noise:
    """The noise written out in positive coordinates s, with its log-density in them."""

    log_density: Formula = sp.S.Zero
    elements: dict[Any, Any] = field(default_factory=dict)  # replacements of elements of the noise
    symbols: list[sp.Symbol] = field(default_factory=list)


def _is_proved(law: Law, noise: Law, value: Formula) -> bool:
    """Return whether the residual is zero and the map a bijection."""
    law, value, noise = _without_batch(law, value, noise)
    lengths = {label(p): int(extent(p)) for p in plates(law, (noise,), value) if extent(p).is_Integer}
    explicit = Explicit(lengths)
    written, made = _write_out(law, value, explicit), _chart_noise(noise, value, explicit)
    if made is None:
        return False
    image = {key: product(defined(formula).xreplace(made.elements)) for key, formula in written.items()}
    if any(formula.has(*_unread(noise, explicit)) for formula in image.values()):
        return False
    volume = _volume(law, image, made.symbols)
    if volume is None:
        return False
    known = {(law.name, tuple(map(sp.Integer, index))): formula for index, formula in image.items()}
    stated = Explicit(lengths, explicit.known | known)(defined(law.log_density), {})
    residual = made.log_density - volume - stated
    return sp.expand(split_log_products(residual)) == 0


def _without_batch(law: Law, value: Formula, noise: Law) -> tuple[Law, Formula, Law]:
    """Return the claim about one vector: plates that count vectors, and fixed indices, do not matter."""
    batch = [i for i in indices_of(law.value) if i not in law.event]
    names: dict[Any, Any] = {}
    for element in (law.value, noise.value):
        kept = tuple(i for i in indices_of(element) if i not in batch)
        names[element] = element.base[kept]
    fixed = {i: sp.Integer(0) for i in batch if isinstance(i, Idx)}
    return law.substituted(names).substituted(fixed), value.xreplace(names).xreplace(fixed), noise.substituted(names)


def _write_out(law: Law, value: Formula, explicit: Explicit) -> dict[tuple[int, ...], Formula]:
    return {tuple(at.values()): explicit(value, at) for at in explicit.over(law.event)}


def _chart_noise(noise: Law, value: Formula, explicit: Explicit) -> _Noise | None:
    made = _Noise()
    own = [i for i in indices_of(noise.value) if isinstance(i, Idx)]
    places = explicit.over(own)
    made.symbols = [sp.Dummy(f"s_{n}", positive=True) for n in range(len(places))]
    if isinstance(noise.support, Vectors):
        for s, at in zip(made.symbols, places, strict=True):
            made.elements[explicit(noise.value, at)] = sp.log(s)
        joint = explicit(defined(noise.log_density), {}).xreplace(made.elements)
        made.log_density = joint - sp.Add(*map(sp.log, made.symbols))
        return made
    for s, at in zip(made.symbols, places, strict=True):
        found = _element(noise, value, explicit, at, s)
        if found is None:
            return None
        quantile, x, log_density = found
        made.elements[quantile] = x
        made.log_density += log_density
    return made


def _element(noise: Law, value: Formula, explicit: Explicit, at: Any, s: sp.Symbol) -> Any:
    """Return the quantile that reads one element of uniform noise, its value in the chart, and the log-density
    there."""
    mark = sp.Dummy("x", positive=True)
    found = _quantiles(value, noise)
    read = unwind_quantile(noise, found[0], mark) if len(found) == 1 else None
    if read is None:
        return None
    law = read.law
    x = s / (1 + s) if law.support == Interval(sp.S.Zero, sp.S.One) else s
    log_density = explicit(law.log_density, at).xreplace({mark: x}) + sp.log(sp.diff(x, s))
    return explicit(found[0], at), x, log_density


def _quantiles(value: Formula, noise: Law) -> list[Any]:
    return [q for q in value.atoms(*UNWOUND) if q.args[-1] == noise.value]


def _unread(noise: Law, explicit: Explicit) -> list[Any]:
    """Return the elements of the noise itself, none of which may be left after the chart."""
    return [symbol for (name, _), symbol in explicit.known.items() if name == noise.name] or [sp.Dummy()]


def _volume(law: Law, image: dict[Any, Formula], symbols: list[sp.Symbol]) -> Formula | None:
    """Return the logarithm of the Jacobian determinant; None where the map is not known to be a bijection."""
    used: set[sp.Symbol] = set()
    total = sp.S.Zero
    for row, last in _rows(law, image):
        left = sp.S.One
        for z in row:
            ratio = product(z / _scale(law, left))
            free = ratio.free_symbols & set(symbols)
            if len(free) != 1 or free & used:
                return None
            (s,) = free
            slope: Formula = sp.factor(sp.together(ratio.diff(s)))
            if not (slope.is_positive or slope.is_negative) or not _onto(law, ratio, s):
                return None
            used |= free
            total += log_of(_scale(law, left)) + log_of(slope if slope.is_positive else -slope)
            left = product(left * (1 - (ratio if isinstance(law.support, Simplex) else ratio**2)))
        if product(last / _scale(law, left)) != 1:
            return None
    return total if used == set(symbols) else None


def _scale(law: Law, left: Formula) -> Formula:
    return left if isinstance(law.support, Simplex) else sp.sqrt(left)


def _onto(law: Law, ratio: Formula, s: sp.Symbol) -> bool:
    low = sp.S.Zero if isinstance(law.support, Simplex) else -sp.S.One
    ends = {sp.limit(ratio, s, 0, "+"), sp.limit(ratio, s, sp.oo)}
    return ends == {low, sp.S.One}


def _rows(law: Law, image: dict[Any, Formula]) -> Iterator[tuple[list[Formula], Formula]]:
    """Yield the free coordinates that share what is left, and the element that gets the rest."""
    if isinstance(law.support, Simplex):
        *row, last = image.values()
        yield row, last
        return
    size = max(i for i, _ in image) + 1
    assert all(image[i, j] == 0 for i in range(size) for j in range(i + 1, size))
    for i in range(size):
        yield [image[i, j] for j in range(i)], image[i, i]
