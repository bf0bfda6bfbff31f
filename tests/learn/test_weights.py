"""The weight of a partial form: the criterion in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from symaux.learn.choose.weights import best_weight, coupling, pooled_coupling, preferred_weight

BOTH = [(True, True), (True, False), (False, True)]


@pytest.mark.parametrize("parents", BOTH, ids=str)
def test_the_best_weight_ties_least(parents: tuple[bool, bool]) -> None:
    grid = np.linspace(0, 1, 2001)
    for share in (0.05, 0.3, 0.5, 0.8, 0.95):
        found = grid[np.argmin(coupling(grid, share, *parents))]
        assert best_weight(share, *parents) == pytest.approx(found, abs=1e-3)


def test_the_coupling_to_a_location_is_that_of_the_exact_posterior() -> None:
    """Odds of the squared multiple correlation of m with all w, from the precision matrix of a normal hierarchy."""
    a, h, weights = 0.7, np.array([0.1, 2.0, 9.0, 0.4]), np.array([0.0, 0.8, 1.0, 0.3])
    precision = np.zeros((5, 5))
    precision[1:, 1:] = np.diag(a + h)
    precision[0, 1:] = precision[1:, 0] = -a * weights + h * (1 - weights)  # from a (w - λm)² + h (w + (1-λ)m - y)²
    precision[0, 0] = np.sum(a * weights**2 + h * (1 - weights) ** 2)
    odds = np.linalg.inv(precision)[0, 0] * precision[0, 0] - 1
    assert pooled_coupling(weights, h / (a + h), True, False) == pytest.approx(odds, rel=1e-9)


def test_a_pure_form_is_taken_where_little_is_lost() -> None:
    assert np.all(preferred_weight(np.full(9, 0.93), True, True) == 1)
    assert np.all(preferred_weight(np.full(9, 0.05), True, True) == 0)
    assert preferred_weight(np.full(9, 0.5), True, True) == pytest.approx(np.full(9, 0.4))
    mixed = preferred_weight(np.array([0.01, 0.99] * 5), True, True)
    assert np.array_equal(mixed, [0, 1] * 5)
