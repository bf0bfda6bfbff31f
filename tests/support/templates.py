"""Small templates with plates of any size, for the analyses of graphs."""

from __future__ import annotations

import sympy as sp

import symaux as sa
from symaux.formulas.symbols.indices import arrays, plate
from symaux.laws.families import normal
from symaux.model.model import Model
from symaux.model.statements import deterministic

mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
theta, y, w, z, x, r = sa.arrays("theta y w z x r")


def schools(size: int) -> sa.Model:
    j = sa.plate("j", size)
    seen = sa.normal(y[j], theta[j], 1)
    return sa.Model.of(sa.normal(mu, 0, 5), sa.half_normal(tau, 5), sa.normal(theta[j], mu, tau), seen, observed=[y])


def layers(size: int) -> sa.Model:
    """Weights whose two axes are of one kind, and a sum over all of them."""
    n, i, k = sa.plate("n", size), sa.plate("i", size), sa.plate("k", size)
    first = [sa.normal(z[n, i], 0, 1), sa.normal(w[k, i], 0, 1)]
    seen = sa.normal(x[n, i], sp.Sum(w[k, i] * z[n, k], k), 1)
    return sa.Model.of(*first, seen, observed=[x])


def walk(steps: int, size: int) -> sa.Model:
    t, n = sa.plate("t", steps), sa.plate("n", size)
    states = [sa.normal(z[0, n], 0, 1), sa.normal(z[t, n], z[t - 1, n], 1)]
    return sa.Model.of(*states, sa.normal(x[t, n], z[t, n], 1), observed=[x])


def time_series(steps: int, *, auxiliary: bool) -> Model:
    s, e, y, t = *arrays("z eps_z y"), plate("t", steps)
    tail = [normal(y[t], s[t], 1)]
    if not auxiliary:
        return Model.of(normal(s[0], 0, 1), normal(s[t], s[t - 1], 1), *tail, observed=[y])
    walk = [deterministic(s[0], e[0]), deterministic(s[t], s[t - 1] + e[t])]
    return Model.of(normal(e[t], 0, 1), *walk, *tail, observed=[y])
