"""Series as formulas: read with all digits or not at all."""

from __future__ import annotations

import mpmath as mp
import sympy as sp

from symaux.formulas.algebra.encoding import decode, encode
from symaux.formulas.functions.series import series
from symaux.formulas.numeric.evaluate import number, real

n, k = sp.Symbol("n", integer=True, positive=True), sp.Symbol("k", integer=True, nonnegative=True)


def test_a_sum_is_read_with_all_digits_or_not_at_all() -> None:
    x = sp.Symbol("x", positive=True)
    alternating = series(sp.Sum((-1) ** k * x**k / sp.factorial(k), (k, 0, sp.oo)))
    with mp.workdps(20):
        assert mp.almosteq(number(alternating, {x: mp.mpf(60)}), mp.exp(-60), 1e-15)
        assert real(series(sp.Sum(1 / (k + x), (k, 0, sp.oo))), {x: mp.mpf(1)}) is None
        assert real(series(sp.Sum(1 / (k + x) ** 2, (k, 0, sp.oo))), {x: mp.mpf(1)}) is None  # falls too slowly
    assert decode(encode(alternating)) == alternating
