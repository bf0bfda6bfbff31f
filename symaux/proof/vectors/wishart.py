r"""Verify Bartlett's decomposition, for the law's own dimension: $S = CAA^\top C^\top$ for a lower triangular A.

The map from lower triangular matrices with a positive diagonal onto the positive definite ones is a bijection (Cholesky's
decomposition of $C^{-1}SC^{-\top}$), and its volume is known: $A \mapsto AA^\top$ has $2^d\prod_i a_{ii}^{d-i}$ for
$i = 0, \dots, d-1$, a congruence by C has $|\det C|^{d+1}$ and an inversion of W has $(\det W)^{-(d+1)}$ (Muirhead, Aspects
of Multivariate Statistical Theory, theorems 2.1.9, 2.1.6 and 2.1.8). The trace of the law is $\sum_{ij} a_{ij}^2$.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import extent, indices_of
from symaux.formulas.symbols.matrix_functions import (
    Bartlett,
    InverseBartlett,
    InverseWishartLogDensity,
    WishartLogDensity,
    inverse_wishart_log_density,
    wishart_log_density,
)
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_normal
from symaux.proof.composition.unwind_quantile import Unwound, X, unwind_quantile
from symaux.proof.vectors.unrolled import Explicit, split_log_products
from symaux.rules.verdict import Status, Verdict
from symaux.sandbox import run_bounded, value_or

MAPS = {WishartLogDensity: Bartlett, InverseWishartLogDensity: InverseBartlett}


def verify_bartlett(law: Law, noise: tuple[Law, ...], value: Formula) -> Verdict | None:
    """Return the verdict on Bartlett's decomposition of a Wishart matrix, or of an inverse one."""
    density: Formula = law.log_density
    if type(density) not in MAPS or type(value) is not MAPS[type(density)] or len(noise) != 2:
        return None
    (on, off), row = noise, law.event[0]
    if is_standard_normal(on):
        on, off = off, on
    diagonal, below, scale = value.operands
    batch = indices_of(law.value)[:-2]
    same = scale == density.operands[2] and value.words == density.words and value.plates[:2] == density.plates
    fits = indices_of(on.value) == (*batch, row) and indices_of(off.value) == (*batch, value.plates[2])
    if not (same and fits and below == off.value and is_standard_normal(off) and density.operands[0] == law.value):
        return None
    made = unwind_quantile(on, diagonal)
    df = density.operands[1]
    shapes = (df, sp.Symbol("symaux nu", positive=True))
    if made is None or not any(
        value_or(run_bounded(_residual_is_zero, law, made, row, nu), False) is True for nu in shapes
    ):
        return None
    d = extent(row)
    evidence = (
        "A is lower triangular with a positive diagonal, and each a[i, i] is a monotone function of one noise onto (0, oo):"
        " by Cholesky's decomposition the map is a bijection onto the positive definite matrices",
        "its volume is 2^d prod a[i, i]^(d - i) |det C|^(d + 1), with det(A A^T)^(-(d + 1)) for an inverse (Muirhead,"
        " theorems 2.1.9, 2.1.6 and 2.1.8)",
        f"log q(eps) - log|det| - log p(g(eps)) = 0, symbolically, written out for d = {d}",
    )
    return Verdict(Status.PROVED, evidence, ("the scale positive definite", f"dimension {d}"))


def _residual_is_zero(law: Law, made: Unwound, row: Any, nu: Formula) -> bool:
    """Return whether the residual is zero, and the diagonal positive."""
    density: Formula = law.log_density
    d, df = int(extent(row)), density.operands[1]
    plain = {a: sp.Dummy(**a.assumptions0) for a in df.atoms(sp.Indexed)}
    df, nu, made = df.xreplace(plain), nu.xreplace(plain), _substitute(made, plain)
    squares, log_det_scale = sp.Dummy("q", positive=True), sp.Dummy("v", real=True)
    explicit = Explicit({str(row.label): d})
    noise, logs, trace = -squares / 2 - d * (d - 1) * sp.log(2 * sp.pi) / 4, [], squares
    for i in range(d):
        x = sp.Dummy(f"x_{i}", positive=True)
        a, log_density = (explicit(f.xreplace({df: nu}), {row: i}).xreplace({X: x}) for f in _parts(made))
        if not _onto(a, x):
            return False
        noise += log_density - sp.log(a.diff(x))
        trace += a**2
        logs.append(sp.log(a))
    inverse = isinstance(law.log_density, InverseWishartLogDensity)
    sign = -1 if inverse else 1
    log_det = log_det_scale + sign * 2 * sp.Add(*logs)
    volume = d * sp.log(2) + (d + 1) * log_det_scale / 2 + sp.Add(*((d - i) * log for i, log in enumerate(logs)))
    volume -= 2 * (d + 1) * sp.Add(*logs) if inverse else 0
    stated = (inverse_wishart_log_density if inverse else wishart_log_density)(log_det, trace, log_det_scale, nu, d, sp)
    return sp.expand(split_log_products(sp.expand(noise - volume - stated))) == 0


def _substitute(made: Unwound, names: dict[Any, Any]) -> Unwound:
    """Return the same about plain symbols: an element of an array may be any number here."""
    return Unwound(made.law.substituted(names), made.formula.xreplace(names))


def _parts(made: Unwound) -> tuple[Formula, Formula]:
    return made.formula, made.law.log_density


def _onto(a: Formula, x: sp.Symbol) -> bool:
    """Return whether a is a strictly increasing function from the positive numbers onto themselves."""
    positive = a.is_positive and sp.factor(a.diff(x)).is_positive
    return bool(positive and a.free_symbols == {x} and sp.limit(a, x, 0, "+") == 0 and sp.limit(a, x, sp.oo) == sp.oo)
