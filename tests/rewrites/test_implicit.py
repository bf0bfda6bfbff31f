"""The rule of last resort: any law on an interval has a form by its numerical quantile."""

import mpmath as mp
import numpy as np
import sympy as sp

import symaux as sa

z, x = sp.Symbol("z", real=True), sp.Symbol("x", positive=True)


def test_a_density_that_is_not_normalised_has_no_quantile() -> None:
    from symaux.codegen.library.implicit_quantile import implicit_quantile

    assert np.isnan(implicit_quantile(lambda t: -(t**2) / 2, None, 0.3, 0.7))


def test_a_law_that_nobody_has_named() -> None:
    density = sp.exp(-(z**4) / 4 - z**2 / 2)
    total = mp.quad(lambda t: mp.exp(-(t**4) / 4 - t**2 / 2), [-mp.inf, 0, mp.inf])
    form = sa.derive(sa.law(z, density / sp.Float(total, 20)), noise="uniform")
    assert form.verdict.status is sa.Status.CERTIFIED, "its integral has no formula, but balls enclose it"
    level = mp.quad(lambda t: mp.exp(-(t**4) / 4 - t**2 / 2), [-mp.inf, float(form.quantile(0.2))]) / total
    assert abs(level - 0.2) < 1e-10


def test_a_gamma_hierarchy_goes_through_auxiliary_form() -> None:
    rate, scale = sp.Symbol("rate", positive=True), sp.Symbol("scale", positive=True)
    lam, y = sa.arrays("lam", positive=True), sa.arrays("y")
    i = sa.plate("i", 2)
    model = sa.Model.of(
        sa.half_normal(rate, 2),
        sa.half_normal(scale, 1),
        sa.gamma(lam[i], 2, rate),
        sa.normal(y[i], lam[i], scale),
        observed=[y],
    )
    aux = sa.auxiliary(model)
    assert "eps_lam" in aux.after.nodes and aux.verify()
