"""Quick numbers by balls keep their sign and their digits."""

from __future__ import annotations

import mpmath as mp
import sympy as sp

from symaux.formulas.numeric.ball_evaluate import evaluate_by_balls

z, x = sp.Symbol("z", real=True), sp.Symbol("x", positive=True)


def test_a_quick_number_keeps_its_sign_and_its_digits() -> None:
    with mp.workdps(30):
        point = {z: mp.mpf("-1e9")}
        exact = mp.asinh(mp.mpf("-1e9"))
        assert (
            abs(evaluate_by_balls(sp.log(z + sp.sqrt(z**2 + 1)), point) - exact) < mp.mpf(10) ** -27
        )  # nearly everything cancels
        assert evaluate_by_balls(sp.sqrt(z), point) is None and evaluate_by_balls(sp.gamma(z), point) is None
