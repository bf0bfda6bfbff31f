"""The quantile function of the von Mises law in JAX against flint's balls."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest
from flint import acb, arb  # pyright: ignore[reportMissingImports]

from symaux.codegen.library import von_mises

pytestmark = pytest.mark.usefixtures("precision")


def circular_tail(z: arb, kappa: arb) -> arb:
    """The von Mises probability beyond z ≥ 0."""
    top = z.cos()
    beyond = acb.integral(lambda t, _: (kappa * (t.cos() - top)).exp(), acb(z), acb(arb.pi())).real
    half = acb.integral(lambda t, _: (kappa * (t.cos() - 1)).exp(), acb(0), acb(arb.pi())).real
    return beyond * (kappa * (top - 1)).exp() / half / 2


@pytest.mark.parametrize("kappa", [1e-6, 10.0, 1e6])
def test_von_mises_quantile(kappa: float) -> None:
    half = acb.integral(lambda t, _: (arb(kappa) * (t.cos() - 1)).exp(), acb(0), acb(arb.pi())).real
    for u in (1e-12, 1e-3, 0.3):
        x = float(von_mises.von_mises_ppf(u, kappa))
        by_u, by_kappa = jax.grad(von_mises.von_mises_ppf, (0, 1))(u, kappa)
        density = (arb(kappa) * (arb(x).cos() - 1)).exp() / half / 2
        shift = float(((circular_tail(arb(-x), arb(kappa)) - arb(u)) / density).mid())
        assert abs(shift / x) < 1e-13
        assert float(by_u) * float(density.mid()) == pytest.approx(1, abs=1e-9)
        step = arb(kappa) * arb(10) ** -15
        moved = circular_tail(arb(-x), arb(kappa) + step) - circular_tail(arb(-x), arb(kappa) - step)
        assert float(by_kappa) == pytest.approx(float((-moved / (2 * step) / density).mid()), rel=1e-8)
        assert float(von_mises.von_mises_cdf(x, kappa)) == pytest.approx(u, rel=1e-9)
        assert float(von_mises.von_mises_ppf(jnp.float32(u), jnp.float32(kappa))) == pytest.approx(x, rel=2e-6)
