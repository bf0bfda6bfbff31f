"""Bessel functions in JAX against mpmath."""

from __future__ import annotations

from itertools import product
from typing import Any

import jax.numpy as jnp
import mpmath as mp
import pytest
from support.flint_oracle import gradient_errors, mp_errors

from symaux.codegen.library import bessel

pytestmark = pytest.mark.usefixtures("precision")


BESSEL = list(product((0.0, 0.3, 2.5, 28.5, 100.0), (0.01, 0.5, 9.0, 31.0, 1000.0)))


@pytest.mark.parametrize("f, truth", [(bessel.log_kv, mp.besselk), (bessel.log_iv, mp.besseli)])
def test_bessel_functions(f: Any, truth: Any) -> None:
    """Errors of a logarithm are absolute where it is small: they are relative errors of the function itself."""

    def away(n: Any, x: Any) -> Any:
        return f(n, x) + jnp.sign(f(n, x))

    def exact(n: Any, x: Any) -> Any:
        value = mp.log(truth(abs(n), x))
        return value + mp.sign(value)

    assert mp_errors(away, exact, BESSEL, "float64") < 1e-12
    assert mp_errors(away, exact, BESSEL, "float32") < 3e-6
    assert gradient_errors(away, exact, BESSEL[5:]) < 1e-9
