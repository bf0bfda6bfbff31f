"""Distances between elements of templates: those of the unrolled model."""

from __future__ import annotations

import math
from typing import Any

import pytest
import sympy as sp
from support.templates import layers, schools, walk

import symaux as sa

mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
theta, y, w, z, x, r = sa.arrays("theta y w z x r")


@pytest.mark.parametrize("auxiliary", [False, True])
@pytest.mark.parametrize(
    ("make", "whole", "pairs"),
    [
        (schools, 5, [(y[1], theta[1]), (y[1], theta[4]), (theta[0], theta[2]), (y[3], mu), (y[0], y[4])]),
        (
            layers,
            4,
            [(x[0, 1], z[0, 3]), (x[0, 1], z[2, 3]), (x[0, 1], w[2, 1]), (x[0, 1], w[2, 3]), (w[0, 1], w[3, 2])],
        ),
        (lambda size: walk(6, size), 3, [(x[5, 1], z[0, 1]), (x[5, 1], z[0, 2]), (x[2, 0], z[4, 0])]),
    ],
)
def test_templates_answer_as_the_unrolled_model_does(make: Any, whole: int, pairs: Any, auxiliary: bool) -> None:
    model = sa.auxiliary(make(whole), keep_roots=False).after if auxiliary else make(whole)
    graph = model.unroll()
    for source, target in pairs:
        expected = sa.information_distance(graph, source, target)
        assert sa.element_distance(model, source, target) == sa.information_distance(model, source, target) == expected


def test_the_size_of_a_plate_does_not_matter() -> None:
    huge = schools(10**12)
    assert sa.element_distance(huge, y[1], theta[10**11]) == 3
    assert sa.element_distance(sa.auxiliary(huge).after, y[1], theta[10**11]) == 2
    n = sa.plate("n")
    assert sa.element_distance(sa.Model.of(sa.normal(z[n], 0, 1)), z[1], z[2]) == math.inf


def test_elements_that_do_not_exist_are_refused() -> None:
    with pytest.raises(sa.ModelError, match="has 5 elements"):
        sa.element_distance(schools(5), y[5], mu)
    with pytest.raises(sa.ModelError, match="has 1 indices"):
        sa.element_distance(schools(5), y, mu)
    with pytest.raises(sa.ModelError, match="nobody is not a variable"):
        sa.element_distance(schools(5), sp.Symbol("nobody"), mu)
