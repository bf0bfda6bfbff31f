"""Write the time series that other libraries have as one distribution: statements for the first elements and the rest."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.exchange.importing.arrays.grid import Grid, broadcast
from symaux.laws.families import normal
from symaux.laws.law import Law


def random_walk(variable: Grid, axes: list[Any], drift: sp.Expr, first: Grid, scale: Grid) -> list[Law]:
    r"""Return the laws $z_0 \sim N(0, s_0^2)$ and $z_t \sim N(z_{t-1} + d, s^2)$ along the last axis."""
    *front, t = axes
    shape = variable.shape[:-1]
    initial, steps = broadcast(first, shape).at(tuple(front)), broadcast(scale, shape).at(tuple(front))
    here, before = variable.at((*front, t)), variable.at((*front, t - 1))
    return [normal(variable.at((*front, sp.S.Zero)), 0, initial), normal(here, before + drift, steps)]


def autoregression(
    variable: Grid, axes: list[Any], first: Any, constant: Any, weights: list[Any], scale: Any
) -> list[Any]:
    r"""Return the laws $z_t \sim N(c + \sum_k \rho_k z_{t-k}, s^2)$; ``first`` gives the law of an initial element."""
    *front, t = axes
    if front:
        raise Untranslatable("several autoregressions at once have no translation")
    mean = constant + sp.Add(*(w * variable.at((t - k - 1,)) for k, w in enumerate(weights)))
    initial = [first(variable.at((sp.Integer(k),)), k) for k in range(len(weights))]
    return [*initial, normal(variable.at((t,)), mean, scale)]
