"""Inputs that whole-model checks make up: short plates of different lengths, and data without a value."""

from __future__ import annotations

import symaux as sa
from symaux.validate.random_inputs import small_lengths

z, y, x, theta, W = sa.arrays("z y x theta W")
N = sa.normal


def test_plates_are_shrunk_to_different_lengths() -> None:
    model = sa.Model.of(N(z[sa.plate("p", 10**7), sa.plate("q", 10**6)], 0, 1))
    lengths = small_lengths(model)
    assert set(lengths.values()) <= set(range(2, 6)) and len(set(lengths.values())) == 2


def test_data_without_a_value_are_tried_without_their_signs() -> None:
    """A power of data of unknown sign is no number at half of the random points: that refutes nothing."""
    text = "plate n[3]\ndata t[n]\na ~ normal(0, 1)\nz ~ normal(a, 1)\nobserve y[n] ~ normal(z*t[n]^(1/3), 1)"
    verdict = sa.auxiliary(sa.parse(text)).verify()
    assert verdict.status is sa.Status.PROVED and " agree at 3 random points" in str(verdict)
