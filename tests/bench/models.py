"""The measured models as symaux formulas, in auxiliary form, with their data and positions; float32."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

import symaux as sa

SCHOOLS = np.array([28.0, 8, -3, 7, -1, 1, 18, 12]), np.array([15.0, 10, 16, 11, 9, 11, 10, 18])
Arrays = dict[str, Any]


def dbn(steps: int = 10, series: int = 100, size: int = 10) -> sa.Model:
    """The dynamic Bayesian network of Kingma (2013), log σ ~ N(0, 1)."""
    t, n = sa.plate("t", steps), sa.plate("n", series)
    i, k, o = sa.plate("i", size), sa.plate("k", size), sa.plate("o", size)
    z, x, Wz, bz, Wx, bx = sa.arrays("z x Wz bz Wx bx")
    s0, sz, sx = sp.symbols("s0 sz sx", positive=True)
    return sa.Model.of(
        *(sa.normal(w, 0, sp.Rational(1, 10)) for w in (Wz[k, i], bz[i], Wx[k, o], bx[o])),
        *(sa.log_normal(s, 0, 1) for s in (s0, sz, sx)),
        sa.normal(z[0, n, i], 0, s0),
        sa.normal(z[t, n, i], sp.tanh(sp.Sum(z[t - 1, n, k] * Wz[k, i], k) + bz[i]), sz),
        sa.normal(x[t, n, o], sp.tanh(sp.Sum(z[t, n, k] * Wx[k, o], k) + bx[o]), sx),
        observed=[x],
    )


def mnist(hidden: int = 64, pixels: int = 784) -> sa.Model:
    """The two-layer model of Kingma (2013), log σ ~ N(0, 1)."""
    n, i, k, d = sa.plate("n"), sa.plate("i", hidden), sa.plate("k", hidden), sa.plate("d", pixels)
    z1, z2, x, W2, b2, Wx, bx = sa.arrays("z1 z2 x W2 b2 Wx bx")
    s1, s2 = sp.symbols("s1 s2", positive=True)
    return sa.Model.of(
        *(sa.normal(w, 0, sp.Rational(1, 10)) for w in (W2[k, i], b2[i], Wx[i, d], bx[d])),
        *(sa.log_normal(s, 0, 1) for s in (s1, s2)),
        sa.normal(z1[n, k], 0, s1),
        sa.normal(z2[n, i], sp.tanh(sp.Sum(z1[n, k] * W2[k, i], k) + b2[i]), s2),
        sa.bernoulli(x[n, d], sa.sigmoid(sp.Sum(z2[n, i] * Wx[i, d], i) + bx[d])),
        observed=[x],
    )


def groups(size: int) -> sa.Model:
    """Normal means with a common spread: eight schools, or any number of groups."""
    mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
    theta, y, sigma = sa.arrays("theta y sigma")
    j = sa.plate("j", size)
    return sa.Model.of(
        sa.normal(mu, 0, 5),
        sa.half_cauchy(tau, 5),
        sa.normal(theta[j], mu, tau),
        sa.normal(y[j], theta[j], sigma[j]),
        observed=[y],
    )


def float32(arrays: Arrays) -> Arrays:
    return {name: np.asarray(value, np.float32) for name, value in arrays.items()}


def dbn_numbers(steps: int, series: int, size: int, seed: int = 0) -> tuple[Arrays, Arrays]:
    """(position, data): weights of size 0.1, unit scales."""
    rng = np.random.default_rng(seed)
    weights = {
        n: 0.1 * rng.normal(size=s) for n, s in {"Wz": (size, size), "bz": size, "Wx": (size, size), "bx": size}.items()
    }
    scales = {"log_s0": 0.0, "log_sz": 0.0, "log_sx": 0.0}
    noise = {"eps_z": rng.normal(size=(steps, series, size))}
    return float32(weights | scales | noise), float32({"x": np.tanh(rng.normal(size=(steps, series, size)))})


def mnist_numbers(count: int, hidden: int = 64, pixels: int = 784, seed: int = 0) -> tuple[Arrays, Arrays]:
    rng = np.random.default_rng(seed)
    shapes = {"W2": (hidden, hidden), "b2": hidden, "Wx": (hidden, pixels), "bx": pixels}
    weights = {n: 0.1 * rng.normal(size=s) for n, s in shapes.items()}
    noise = {name: rng.normal(size=(count, hidden)) for name in ("eps_z1", "eps_z2")}
    data = {"x": rng.random((count, pixels)) < 0.2}
    return float32(weights | {"log_s1": 0.0, "log_s2": 0.0} | noise), float32(data)


def groups_numbers(size: int, seed: int = 0) -> tuple[Arrays, Arrays]:
    rng = np.random.default_rng(seed)
    y, sigma = SCHOOLS if size == 8 else (2 * rng.normal(size=size) + rng.normal(size=size), np.ones(size))
    return (
        float32({"mu": 0.3, "log_tau": 0.2, "eps_theta": rng.normal(size=size)}),
        float32({"y": y, "sigma": sigma}),
    )
