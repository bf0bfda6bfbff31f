"""Warnings about densities without bound, only where there is one."""

from __future__ import annotations

import warnings

import numpy as np
import sympy as sp

import symaux as sa

n = sa.plate("n")
mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
z, x, W = sa.arrays("z x W")


def test_a_scale_that_its_prior_bounds_causes_no_warning() -> None:
    law = sa.normal(x[n], z[n], 1)
    model = sa.Model.of(sa.normal(mu, 0, 5), sa.log_normal(tau, 0, 1), sa.normal(z[n], mu, tau), law, observed=[x])
    with warnings.catch_warnings():
        warnings.simplefilter("error", sa.learn.UnboundedDensity)
        assert sa.learn.map(model, {"x": np.array([1.0, 2.0, 3.0])}, form="original")
