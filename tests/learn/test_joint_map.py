"""Joint modes: found, or said to be absent."""

from __future__ import annotations

import numpy as np
import optax
import pytest
import sympy as sp
from support.models import gallery

import symaux as sa

n = sa.plate("n")
mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
z, x, W = sa.arrays("z x W")


def test_a_joint_mode_is_found_and_its_absence_is_said() -> None:
    model, data = gallery("eight_schools")
    mode = sa.learn.map(model, data)
    assert mode, mode
    again = sa.learn.map(model, data, optimiser=optax.adam(0.05), steps=2000)
    assert abs(mode.log_density - again.log_density) < 0.01
    with pytest.warns(sa.learn.UnboundedDensity, match="log_tau goes to minus infinity"):
        assert not sa.learn.map(model, data, form="original")


def test_a_maximum_likelihood_estimate_has_no_jacobian() -> None:
    model = sa.Model.of(sa.normal(x[n], mu, tau), observed=[x])
    seen = np.array([1.0, 2.0, 4.0, 7.0])
    values = sa.learn.map(model, {"x": seen}).values
    np.testing.assert_allclose([values["mu"], values["tau"]], [seen.mean(), seen.std()], rtol=1e-6)
