"""Forms keep their digits near an end of their noise, in models and in both precisions."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.codegen.stabilise.ulp_error import compile_formula


def test_a_form_keeps_its_digits_at_both_ends() -> None:
    """The law of an odds ratio under Marshall and Olkin's tilt, from its formula."""
    z, k, m = sp.symbols("z k m", positive=True)
    below = 1 - sp.exp(-(z**k))
    density = m * sp.diff(below, z) / (below + m * (1 - below)) ** 2
    form = sa.derive(sa.law(z, density))
    for level in (1e-12, 0.3, 1 - 1e-12):
        with mp.workdps(50):
            low, shape, tilt = mp.mpf(level), mp.mpf(2.5), mp.mpf(0.3)
            reached = tilt * low / (1 - low + tilt * low)
            exact = (-mp.log(1 - reached)) ** (1 / shape)
        seen = float(form.quantile(np.float64(level), {"k": 2.5, "m": 0.3}))
        assert abs(seen - exact) < 1e-13 * exact


def test_a_model_with_such_a_law_keeps_its_digits_in_single_precision_too() -> None:
    mu, y = sp.symbols("mu y", real=True)
    z = sp.Symbol("z", positive=True)
    below = 1 - sp.exp(-(z**2))
    tilted = sp.exp(mu) * sp.diff(below, z) / (below + sp.exp(mu) * (1 - below)) ** 2
    model = sa.Model.of(sa.normal(mu, 0, 1), sa.law(z, tilted), sa.normal(y, z, 1), observed=["y"])
    aux = sa.auxiliary(model).after
    (noise,) = aux.auxiliary
    made = sa.generate(aux, {"y": np.float32(0.3)})
    for level in (-6.0, -4.5, 4.5, 6.0):
        seen = float(made({"mu": np.float32(0.5), noise: np.float32(level)})["z"])
        with mp.workdps(40):
            tail = min(mp.ncdf(mp.mpf(level)), mp.ncdf(-mp.mpf(level)))
            near_one, near_zero = (mp.sqrt(mp.log(1 + mp.exp(0.5) * (1 / u - 1))) for u in (1 - tail, tail))
        assert min(abs(seen / near_one - 1), abs(seen / near_zero - 1)) < 1e-5


@pytest.mark.parametrize("far", [-1000.0, 1000.0])
def test_a_logistic_function_has_a_slope_however_far_out(far: float) -> None:
    import jax

    x, k = sp.symbols("x k", real=True)
    for formula in (1 / (1 + sp.exp(-x)), k / (3 + 2 * sp.exp(x)), sp.exp(x) / (1 + sp.exp(x)) ** 2):
        made = compile_formula(formula)
        slopes = jax.grad(lambda given, made=made: made(**given))(
            {s.name: np.float32(far if s == x else 2.0) for s in formula.free_symbols}
        )
        assert all(np.isfinite(slope) for slope in slopes.values()), formula
