"""Points of a region meet its conditions, and do not make sympy compute numbers without end."""

from __future__ import annotations

import sympy as sp

from symaux.trusted.region import has_long_numbers, region_points

A, M, W = sp.symbols("a m w", positive=True)


def test_points_at_which_a_root_has_a_million_digits_are_left_out() -> None:
    formula = (1 + (W / M) ** (A + 1)) ** (1 / (A + 1))
    found = region_points([A, M, W], [W > M], [formula])
    assert len(found.points) >= 5 and not any(has_long_numbers(formula, point) for point in found.points)


def test_a_numerator_in_an_exponent_counts_as_digits() -> None:
    """Sympy writes 12**(100001/100000) by the factors of a number with 100,000 digits."""
    at = {A: sp.Rational(1, 10**5), W: sp.Rational(16236240811001, 16220020000000)}
    assert has_long_numbers(W ** (A + 1), at) and not has_long_numbers(W**A, at)


def test_large_numbers_alone_do_no_harm() -> None:
    assert not has_long_numbers(sp.exp(-A * W) * W**3, {A: sp.Integer(10) ** 12, W: sp.Rational(1, 10**9)})
