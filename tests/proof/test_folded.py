"""Maps that fold: judged by all of their branches."""

from __future__ import annotations

import jax
import mpmath as mp
import numpy as np
import sympy as sp

import symaux as sa
from symaux.laws.densities.folding import has_fold
from symaux.laws.standard_noise import standard_uniform
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status

z, a, b, lam, nu = sp.symbols("z a b lam nu", positive=True)


def test_folded_normal() -> None:
    c = sp.Symbol("c", positive=True)
    law = sa.law(z, sp.sqrt(2 / sp.pi) * sp.cosh(c * z) * sp.exp(-(z**2 + c**2) / 2))
    form = sa.derive(law)
    assert form.value == sp.Abs(form.noise[0].value + c) and form.verdict.status is Status.PROVED
    assert has_fold(form.value, form.noise[0], law.parameters)
    with jax.enable_x64(True):
        levels = np.array([1e-6, 0.3, 0.999])
        for u, q in zip(levels, np.asarray(form.quantile(levels, {"c": 0.7})), strict=True):
            assert abs(mp.ncdf(mp.mpf(q) - 0.7) - mp.ncdf(-mp.mpf(q) - 0.7) - u) < 1e-12


def test_a_fold_is_judged_by_all_of_its_branches() -> None:
    e, u = sp.Symbol("e", real=True), sp.Symbol("u", positive=True)
    noise = sa.normal(e, 0, 1)
    assert verify(sa.half_normal(z, 1), Rewrite((noise,), sp.Abs(e))).status is Status.PROVED
    half = sa.law(z, log_density=sa.half_normal(z, 1).log_density - sp.log(2))
    assert not verify(half, Rewrite((noise,), sp.Abs(e)))
    assert not verify(sa.half_normal(z, 1), Rewrite((sa.normal(e, 0, sp.Rational(1000001, 1000000)),), sp.Abs(e)))
    assert not verify(sa.uniform(z, 0, 1), Rewrite((standard_uniform(u),), sp.Abs(u - sp.S.Half)))
    assert verify(sa.uniform(z, 0, sp.S.Half), Rewrite((standard_uniform(u),), sp.Abs(u - sp.S.Half)))
    assert not verify(sa.uniform(z, 0, sp.S.Half), Rewrite((standard_uniform(u),), sp.Abs(u - sp.Rational(1, 3))))
