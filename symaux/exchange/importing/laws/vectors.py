"""Map the vector laws of other libraries: multivariate normals, LKJ, Dirichlet, categories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from symaux.exchange.importing.arrays.grid import Grid, broadcast, elementwise, sum_axes
from symaux.laws.law import Law
from symaux.laws.matrix_laws import lkj_cholesky
from symaux.laws.vector_laws import categorical, dirichlet, multivariate_normal


@dataclass(frozen=True)
class Vector:
    """A variable, its plates, and where new plates come from."""

    variable: Grid
    axes: list[Any]
    into: Any

    @property
    def value(self) -> Any:
        return self.variable.at(tuple(self.axes))

    def other(self) -> Any:
        """Return a plate of the length of the event, for the columns of a matrix."""
        return self.into.fresh(self.variable.shape[-1])


@dataclass(frozen=True)
class VectorTranslation:
    """The parameters to ask for, and the law that they make."""

    parameters: tuple[str, ...]
    law: Callable[[Vector, Any], Law]
    positive: bool = False

    def parameter_names(self, distribution: Any) -> tuple[str, ...]:
        """Return the parameters that a distribution is asked for."""
        return self.parameters


@dataclass(frozen=True)
class Either(VectorTranslation):
    """A law by one of several parameters, the first that a distribution has."""

    others: tuple[str, ...] = ()

    def parameter_names(self, distribution: Any) -> tuple[str, ...]:
        """Return the parameters that a distribution is asked for."""
        own = next(name for name in self.others if name in vars(distribution))
        return (*self.parameters, own)


def _normal(kind: str, matrix: str) -> Callable[[Vector, Any], Law]:
    def normal_law(vector: Vector, parameters: Any) -> Law:
        shape, here, column = vector.variable.shape, tuple(vector.axes), vector.other()
        loc = broadcast(parameters["loc"], shape).at(here)
        entries = broadcast(parameters[matrix], (*shape, shape[-1])).at((*here, column))
        return multivariate_normal(vector.value, loc, **{kind: entries})

    return normal_law


KINDS = {"covariance_matrix": "covariance", "precision_matrix": "precision", "scale_tril": "cholesky"}


def _normal_by_either(vector: Vector, parameters: Any) -> Law:
    matrix = next(name for name in KINDS if name in parameters)
    return _normal(KINDS[matrix], matrix)(vector, parameters)


def _lkj(vector: Vector, parameters: Any) -> Law:
    return lkj_cholesky(
        vector.value, broadcast(parameters["concentration"], vector.variable.shape).at(tuple(vector.axes))
    )


def _dirichlet(vector: Vector, parameters: Any) -> Law:
    return dirichlet(vector.value, broadcast(parameters["concentration"], vector.variable.shape).at(tuple(vector.axes)))


def _categorical(vector: Vector, parameters: Any) -> Law:
    grid = parameters["probs"]
    k = vector.into.fresh(grid.shape[-1])
    shape = (*vector.variable.shape, grid.shape[-1])
    return categorical(vector.value, broadcast(grid, shape).at((*vector.axes, k)))


def _by_logits(vector: Vector, parameters: Any) -> Law:
    r"""Return the categorical law by the softmax of logits, $p_k = e^{l_k}/\sum_j e^{l_j}$."""
    odds = elementwise(sp.exp, parameters["logits"])
    mass = sum_axes(odds, (odds.rank - 1,), vector.into.fresh)
    return _categorical(vector, {"probs": elementwise(lambda p, q: p / q, odds, broadcast_last(mass, odds.shape))})


def broadcast_last(grid: Grid, shape: tuple[int, ...]) -> Grid:
    """Broadcast a grid along a new last axis."""
    return Grid(shape, lambda at: grid.at(at[:-1]))


VECTORS: dict[str, VectorTranslation] = {
    "MultivariateNormal": Either(("loc",), _normal_by_either, others=tuple(KINDS)),
    "LKJCholesky": VectorTranslation(("concentration",), _lkj),
    "Dirichlet": VectorTranslation(("concentration",), _dirichlet, True),
    "CategoricalProbs": VectorTranslation(("probs",), _categorical),
    "CategoricalLogits": VectorTranslation(("logits",), _by_logits),
}
PYMC_VECTORS: dict[str, VectorTranslation] = {
    "multivariate_normal": VectorTranslation(("loc", "cov"), _normal("covariance", "cov")),
    "dirichlet": VectorTranslation(("concentration",), _dirichlet, True),
    "categorical": VectorTranslation(("probs",), _categorical),
}
