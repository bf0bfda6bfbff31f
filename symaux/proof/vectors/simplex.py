r"""Verify independent positive weights that are normalised to add up to one, in any dimension: $z_k = w_k/\sum_j w_j$.

With $S = \sum_j w_j$ the map $(S, z) \mapsto w = Sz$ has the volume $S^{K-1}$, so the density of z is
$\int_0^\infty S^{K-1}\prod_k p_k(S z_k)\,dS$, with $\sum_k z_k = 1$. Sums over the plate stay sums.

>>> from symaux.formulas.symbols.indices import arrays, plate
>>> a, k = arrays("a", positive=True), plate("k")
>>> c = sp.Symbol("c", positive=True)
>>> split_sums(sp.Sum(c*a[k] + c, k))
c*size_k + c*Sum(a[k], (k, 0, size_k - 1))
"""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.symbols.array_functions import Normalised
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import extent, free_plates, indices_of
from symaux.formulas.symbols.support import Interval, Simplex
from symaux.laws.law import Law
from symaux.proof.composition.unwind_quantile import unwind_quantile
from symaux.proof.mass import definite_integrals as classical
from symaux.proof.vectors.random_point import DIGITS, Numbers
from symaux.proof.vectors.refute import log_integral, unwind_quantiles
from symaux.rules.verdict import Status, Verdict

S = sp.Symbol("symaux s", positive=True)


def verify_normalised_weights(law: Law, noise: tuple[Law, ...], value: Formula) -> Verdict | None:
    """Return the verdict on normalised weights."""
    if not isinstance(law.support, Simplex) or not isinstance(value, Normalised) or len(noise) != 1:
        return None
    (k,) = law.event
    weight = sp.Symbol("symaux w", positive=True)
    if value.plates != (k,) or indices_of(noise[0].value) != indices_of(law.value):
        return None
    made = unwind_quantile(noise[0], value.operands[0], weight)
    if made is None or made.formula != sp.log(weight) or made.law.support != Interval(sp.S.Zero, sp.oo):
        return None
    witness = _witness(law, noise, value, made.law)
    if witness is not None:
        return witness
    integrand = (extent(k) - 1) * sp.log(S) + sp.Sum(made.law.log_density.xreplace({weight: S * law.value}), k)
    positive = {c.lhs for c in law.conditions if isinstance(c, sp.StrictGreaterThan) and c.rhs == 0}
    joint, names = _with_symbols(split_sums(integrand, law.value), positive, law.value)
    total = classical.log_integral(joint, S, Interval(sp.S.Zero, sp.oo))
    if total is None:
        return None
    stated, _ = _with_symbols(split_sums(law.log_density, law.value), positive, law.value, names)
    if sp.expand(total - stated) != 0:
        return None
    evidence = (
        "z = w/sum(w) with independent positive weights w: the map from (S, z) to w = S z has the volume S^(K-1)",
        "the integral of S^(K-1) prod p(S z) over S is the density of the law, symbolically, for any number of parts",
        "a weight is a quantile function of uniform noise, so its density is the one that was integrated",
    )
    return Verdict(Status.PROVED, evidence)


def split_sums(formula: Formula, value: Any = None) -> Formula:
    """Split sums term by term, with factors free of the plate in front; the value itself adds up to one."""
    return sp.expand(
        formula.replace(lambda e: isinstance(e, sp.Sum) and len(e.limits) == 1, lambda e: _split_sum(e, value))
    )


def _split_sum(total: sp.Sum, value: Any) -> Formula:
    (limit,) = total.limits
    k = limit[0]
    terms = sp.Add.make_args(sp.expand(sp.expand_log(sp.expand(total.function))))
    return sp.Add(*(_term(term, k, limit, value) for term in terms))


def _term(term: Formula, k: Any, limit: Any, value: Any) -> Formula:
    inside = [f for f in sp.Mul.make_args(term) if k in free_plates(f)]
    outside = sp.Mul(*(f for f in sp.Mul.make_args(term) if f not in inside))
    if not inside:
        return outside * extent(k)
    return outside if sp.Mul(*inside) == value else outside * sp.Sum(sp.Mul(*inside), limit)


def _with_symbols(formula: Formula, positive: set[Any], value: Any, names: dict[Any, Any] | None = None) -> Any:
    """Replace sums by symbols, positive where their terms are, and parameters that a condition says are positive."""
    names = dict(names or {})
    for total in sorted(formula.atoms(sp.Sum), key=str):
        inner = total.function
        sign = {"positive": True} if inner.is_positive or inner in positive else {"real": True}
        names.setdefault(total, sp.Symbol(f"symaux sum {len(names)}", **sign))
    for parameter in positive:
        names.setdefault(parameter, sp.Symbol(f"symaux p {len(names)}", positive=True))
    return sp.expand(formula.xreplace(names)), names


def _witness(law: Law, noise: tuple[Law, ...], value: Formula, weight: Law) -> Verdict | None:
    """Return REFUTED if quadrature gives the normalised weights another density at random points."""
    noise, value = unwind_quantiles(noise, value)
    with mp.workdps(DIGITS):
        for seed in range(2):
            numbers = Numbers(law, noise, value, seed).start()
            found = _compare(numbers, weight) if numbers.admitted() else None
            if found is not None and abs(found) > mp.mpf(10) ** -8:
                reason = f"the density of the normalised weights, by quadrature, differs by {mp.nstr(found, 8)}"
                return Verdict(Status.REFUTED, (reason,), (), (("log_density", str(mp.nstr(found, 12))),))
    return None


def _compare(numbers: Numbers, weight: Law) -> Any:
    image = numbers.image()
    stated = numbers.at(image).evaluated(numbers.law.log_density, numbers.batch)
    (k,) = numbers.law.event
    heights = [
        numbers.plain(weight.log_density, {**numbers.batch, k: position}, weight.value)
        for position in range(len(image))
    ]

    def log_height(s: Any) -> Any:
        parts = (height(s * z) for height, z in zip(heights, image.values(), strict=True))
        return (len(image) - 1) * mp.log(s) + mp.fsum(parts)

    found = log_integral(log_height)
    return None if mp.im(stated) != 0 or found is None else stated - found
