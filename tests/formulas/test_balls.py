"""Ball arithmetic encloses, or says that it does not know."""

from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp
from flint import acb, arb, arb_series

from symaux.formulas.functions import elementary as own
from symaux.formulas.functions import registry as special
from symaux.formulas.numeric.balls.cells import Cell, rigorous_precision
from symaux.formulas.numeric.balls.evaluate import BallEvaluator, coefficients, variable_series
from symaux.formulas.numeric.balls.signs import Undecided
from symaux.laws import families as f
from symaux.laws.law import Law
from symaux.proof.certificates.total_variation import certify_mass
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status
from symaux.trusted.mass_bound import enclose_mass

Z, E, MU = sp.symbols("z e mu", real=True)
X, U, S, K = sp.symbols("x u s k", positive=True)
UNIFORM, NORMAL = f.uniform(U, 0, 1), f.normal(E, 0, 1)
Q = sp.Rational
A, B = Q(3, 2), Q(5, 3)

FUNCTIONS = [
    special.gammainc(A, X),
    special.gammaincc(A, X),
    special.gammaincinv(A, X),
    special.gammainccinv(A, X),
    special.betainc(A, B, X),
    special.betaincc(A, B, X),
    special.betaincinv(A, B, X),
    special.betainccinv(A, B, X),
    special.student_t_ppf(X, Q(7, 3)),
    special.student_t_cdf(X - 1, Q(7, 3)) + special.student_t_cdf(X, Q(7, 3)),
    special.von_mises_cdf(X, Q(7, 3)),
    special.ndtri_exp(-X),
    special.lambertw0_of_exp(X),
    special.lambertwm1_of_exp(-1 - X),
    special.log_iv(Q(1, 3), X),
    special.log_kv(Q(1, 3), X),
    own.ndtr(X),
    own.ndtri(X),
    own.log_ndtr(X),
    own.softplus(X),
    sp.erfinv(2 * X - 1),
    sp.digamma(X),
    sp.loggamma(X),
    sp.LambertW(X),
    sp.LambertW(-X / 6, -1),
    sp.tanh(X) + sp.asinh(-X) + sp.acosh(1 + X) + sp.atanh(X),
    sp.hyper([Q(1, 2), 1], [Q(3, 2)], -(X**2)),
    X**X + X ** Q(-1, 3) + sp.sqrt(X),
    sp.Piecewise((X, Q(1, 5) > X), (X**2, True)) + sp.Max(X, X**2) + sp.Abs(X - 2) + sp.sign(X - 1),
    sp.beta(X, 2) + sp.besseli(2, X) + sp.besselk(Q(1, 2), X) + sp.binomial(5, X),
]


def number(formula: sp.Expr, x: mp.mpf) -> mp.mpf:
    return mp.mpmathify(sp.N(formula.subs(X, sp.Float(x, 55)), 40))


@pytest.mark.parametrize("formula", FUNCTIONS, ids=lambda e: str(e)[:40])
def test_series_enclose_the_function_and_its_slope(formula: sp.Expr) -> None:
    """Thin and wide: mpmath's value, and its difference quotient up to what that one is worth."""
    with mp.workdps(50), rigorous_precision():
        step = mp.mpf("1e-12")
        for radius, places in ((0.0, ("0.3",)), (0.01, ("0.3", "0.291", "0.309"))):
            found = coefficients(BallEvaluator({X: variable_series(arb(0.3, radius), 6)}).of(formula), 5)
            for place in places:
                x = mp.mpf(0.3) if place == "0.3" else mp.mpf(place)
                slope = (number(formula, x + step) - number(formula, x - step)) / (2 * step)
                for ball, value in zip(found, (number(formula, x), slope), strict=False):
                    slack = arb(0, 1) * (abs(ball) * 1e-15 + 1e-15)
                    assert (ball + slack).contains(arb(mp.nstr(value, 30))), (place, ball, value)


def test_the_quantile_function_of_a_von_mises_law_is_enclosed() -> None:
    with rigorous_precision():
        angle = BallEvaluator({X: variable_series(arb(0.3, 0.01), 4)}).of(special.von_mises_ppf(X, Q(7, 3)))
        back = BallEvaluator({X: angle}).of(special.von_mises_cdf(X, Q(7, 3)))
        assert back[0].contains(arb(0.3, 0.01)) and back[1].contains(1) and back[2].contains(0)


def test_every_function_of_ours_has_a_ball() -> None:
    from symaux.formulas.numeric.balls.functions import FUNCTIONS as TABLE

    assert set(special.FUNCTIONS) <= set(TABLE)


def test_a_ball_that_is_not_a_number_is_not_evidence() -> None:
    nothing = sp.log(-(X**2) - 1)
    with rigorous_precision(), pytest.raises(Undecided):
        BallEvaluator({X: variable_series(arb(0.3), 4)}).of(nothing)
    cell = Cell(arb(0), 1, 1.0, 2.0)
    with rigorous_precision(), pytest.raises(Undecided):
        cell.area(arb_series([arb.nan()], prec=40), arb_series([arb.nan()], prec=40))
    with rigorous_precision(), pytest.raises(Undecided):
        cell.bound(arb.nan(), arb.nan())


def test_a_truncated_series_is_not_read_as_zeros() -> None:
    short = arb_series([1, 2, 3], prec=3)
    assert short[5] == 0, "flint gives zeros beyond the end, which is the trap"
    with pytest.raises(Undecided):
        coefficients(short, 6)


def test_conditions_that_a_ball_straddles_are_cut_and_never_guessed() -> None:
    corner = sp.Piecewise((X, X < 1), (2 - X, True))
    with rigorous_precision(), pytest.raises(Undecided):
        BallEvaluator({X: variable_series(arb(1, 0.1), 4)}).of(corner)
    with rigorous_precision():
        ranged = BallEvaluator({X: arb(1, 0.1)}).of(corner)
    assert ranged.contains(arb(0.95)) and ranged.contains(arb(1.05))


def test_the_forgotten_analyticity_flag_has_nothing_to_hold_on_to() -> None:
    """acb.integral without the flag gives a tight, wrong ball for the square root from 1 to 4; ours is right."""
    wrong = acb.integral(lambda z, _: z.sqrt(), 1, 4).real
    assert not wrong.overlaps(arb(14) / 3) and wrong.rad() < 1e-10
    root = Law(X, sp.log(X) / 2, f.uniform(X, 1, 4).support)
    total = enclose_mass(root)
    assert total.overlaps(arb(14) / 3) and total.rad() < 1e-14
    trap = Law(X, sp.log(X) / 2 - sp.log(Q(4669414894781006, 10**15)), root.support)
    cdf = (X ** Q(3, 2) - 1) * Q(2, 3) / Q(4669414894781006, 10**15)
    inverse = (1 + U * Q(3, 2) * Q(4669414894781006, 10**15)) ** Q(2, 3)
    assert cdf.subs(X, 1) == 0 and verify(trap, Rewrite((UNIFORM,), inverse)).status is Status.REFUTED
    assert certify_mass(trap) is None


def test_a_square_root_that_cancels_keeps_its_digits() -> None:
    """1 - x/sqrt(x**2 + 3) is 3/(2*x**2) far out, where the difference of two balls has no sign."""
    far = BallEvaluator({X: arb(10) ** 9}).of(1 - X / sp.sqrt(X**2 + 3))
    assert abs(float(far.mid()) / 1.5e-18 - 1) < 1e-9
    assert float(far.rad()) < 1e-12 * float(far.mid())
    whole = BallEvaluator({X: arb(15, 2)}).of(1 - X / sp.sqrt(X**2 + 3))  # on a wide ball it is positive as well
    assert whole > 0
