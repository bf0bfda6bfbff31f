"""Ball arithmetic that encloses, certificates for what is true, and the known ways to a false one."""

from __future__ import annotations

import time

import mpmath as mp
import pytest
import sympy as sp
from flint import acb, arb, arb_series

from symaux.formulas.functions import elementary as own
from symaux.formulas.functions import registry as special
from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.numeric.balls.cells import Cell, rigorous
from symaux.formulas.numeric.balls.evaluate import Reading, coefficients, variable
from symaux.formulas.numeric.balls.signs import Undecided
from symaux.laws import families as f
from symaux.laws.law import Law, law
from symaux.proof.certificates.mass_bound import enclosed_level, enclosed_mass
from symaux.proof.certificates.parameter_points import stated_points
from symaux.proof.certificates.quantile_error import levels
from symaux.proof.certificates.tail_bound import Tail
from symaux.proof.certificates.total_variation import Certificate, Difference, at_one, certified, certified_mass
from symaux.proof.certificates.tv_bound import Hopeless, at_point, covered
from symaux.proof.scalar.claim import claim
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict, weakest

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
    with mp.workdps(50), rigorous():
        step = mp.mpf("1e-12")
        for radius, places in ((0.0, ("0.3",)), (0.01, ("0.3", "0.291", "0.309"))):
            found = coefficients(Reading({X: variable(arb(0.3, radius), 6)}).of(formula), 5)
            for place in places:
                x = mp.mpf(0.3) if place == "0.3" else mp.mpf(place)
                slope = (number(formula, x + step) - number(formula, x - step)) / (2 * step)
                for ball, value in zip(found, (number(formula, x), slope), strict=False):
                    slack = arb(0, 1) * (abs(ball) * 1e-15 + 1e-15)
                    assert (ball + slack).contains(arb(mp.nstr(value, 30))), (place, ball, value)


def test_the_quantile_function_of_a_von_mises_law_is_enclosed() -> None:
    with rigorous():
        angle = Reading({X: variable(arb(0.3, 0.01), 4)}).of(special.von_mises_ppf(X, Q(7, 3)))
        back = Reading({X: angle}).of(special.von_mises_cdf(X, Q(7, 3)))
        assert back[0].contains(arb(0.3, 0.01)) and back[1].contains(1) and back[2].contains(0)


def test_every_function_of_ours_has_a_ball() -> None:
    from symaux.formulas.numeric.balls.functions import FUNCTIONS as TABLE

    assert set(special.FUNCTIONS) <= set(TABLE)


# ------------------------------------------------------------------------------------------------ nothing from nothing


def test_a_ball_that_is_no_number_is_no_evidence() -> None:
    nothing = sp.log(-(X**2) - 1)
    with rigorous(), pytest.raises(Undecided):
        Reading({X: variable(arb(0.3), 4)}).of(nothing)
    cell = Cell(arb(0), 1, 1.0, 2.0)
    with rigorous(), pytest.raises(Undecided):
        cell.area(arb_series([arb.nan()], prec=40), arb_series([arb.nan()], prec=40))
    with rigorous(), pytest.raises(Undecided):
        cell.bound(arb.nan(), arb.nan())


def test_a_truncated_series_is_not_read_as_zeros() -> None:
    short = arb_series([1, 2, 3], prec=3)
    assert short[5] == 0, "flint gives zeros beyond the end, which is the trap"
    with pytest.raises(Undecided):
        coefficients(short, 6)


def test_conditions_that_a_ball_straddles_are_cut_and_never_guessed() -> None:
    corner = sp.Piecewise((X, X < 1), (2 - X, True))
    with rigorous(), pytest.raises(Undecided):
        Reading({X: variable(arb(1, 0.1), 4)}).of(corner)
    with rigorous():
        ranged = Reading({X: arb(1, 0.1)}).of(corner)
    assert ranged.contains(arb(0.95)) and ranged.contains(arb(1.05))


def test_the_forgotten_analyticity_flag_has_nothing_to_hold_on_to() -> None:
    """acb.integral without the flag gives a tight, wrong ball for the square root from 1 to 4; ours is right."""
    wrong = acb.integral(lambda z, _: z.sqrt(), 1, 4).real
    assert not wrong.overlaps(arb(14) / 3) and wrong.rad() < 1e-10
    root = Law(X, sp.log(X) / 2, f.uniform(X, 1, 4).support)
    total = enclosed_mass(root)
    assert total.overlaps(arb(14) / 3) and total.rad() < 1e-14
    trap = Law(X, sp.log(X) / 2 - sp.log(Q(4669414894781006, 10**15)), root.support)
    cdf = (X ** Q(3, 2) - 1) * Q(2, 3) / Q(4669414894781006, 10**15)
    inverse = (1 + U * Q(3, 2) * Q(4669414894781006, 10**15)) ** Q(2, 3)
    assert cdf.subs(X, 1) == 0 and verify(trap, Rewrite((UNIFORM,), inverse)).status is Status.REFUTED
    assert certified_mass(trap) is None


# ---------------------------------------------------------------------------------------------------------- integrals

LAWS = [
    f.normal(Z, MU, S),
    f.log_normal(X, MU, S),
    f.cauchy(Z, MU, S),
    f.student_t(Z, K, MU, S),
    f.laplace(Z, MU, S),
    f.logistic(Z, MU, S),
    f.gumbel(Z, MU, S),
    f.gamma(X, K, S),
    f.inverse_gamma(X, K, S),
    f.weibull(X, K, S),
    f.pareto(X, S, K),
    f.beta(X, K, S),
    f.kumaraswamy(X, K, S),
    f.von_mises(Z, MU, K),
    f.inverse_gaussian(X, S, K),
    f.skew_normal(Z, MU, S, K),
    f.triangular(Z, MU, MU + S, MU + S + K),
]


@pytest.mark.parametrize("of", LAWS, ids=lambda of: of.spelling.family)
def test_integrals_of_densities_are_enclosed_with_their_tails(of: Law) -> None:
    points = stated_points(of.parameters)
    assert len(points) >= 5
    for point in (points[0], points[3]):
        total = enclosed_mass(of.substituted(point))
        assert total.contains(1) and total.rad() < 1e-14, (point, total)


def test_an_integral_that_is_not_one_is_told() -> None:
    off = Law(Z, f.normal(Z, 0, 1).log_density + sp.log(1 + Q(1, 10**12)), NORMAL.support)
    assert not enclosed_mass(off).contains(1)
    assert certified_mass(Law(Z, f.normal(Z, 0, 1).log_density + sp.log(1 + Q(1, 10**9)), NORMAL.support)) is None


def test_a_tail_without_a_majorant_is_undecided() -> None:
    with pytest.raises(Undecided):
        enclosed_mass(Law(X, -sp.log(1 + X), f.exponential(X, 1).support))
    y = sp.Symbol("y", positive=True)
    with pytest.raises(Undecided):
        Tail(-sp.log(y), y, "far").exponent(100.0)


# -------------------------------------------------------------------------------------------------------- certificates

LINDLEY = law(X, S**2 / (S + 1) * (1 + X) * sp.exp(-S * X))
TRUE = {
    "normal, decreasing": (f.normal(Z, MU, S), NORMAL, MU - S * E),
    "laplace": (
        f.laplace(Z, MU, S),
        UNIFORM,
        sp.Piecewise((MU + S * sp.log(2 * U), Q(1, 2) > U), (MU - S * sp.log(2 - 2 * U), True)),
    ),
    "weibull": (f.weibull(X, K, S), UNIFORM, S * (-sp.log(1 - U)) ** (1 / K)),
    "uniform from a normal": (UNIFORM, NORMAL, own.ndtr(E)),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_certified_without_any_algebra(name: str) -> None:
    made = claim(*TRUE[name])
    verdict = certified(made, "not tried")
    assert verdict is not None and verdict.status is Status.CERTIFIED and verdict
    assert len(verdict.points) >= 5 or not made.parameters
    assert "total-variation distance is at most" in verdict.evidence[-1]


def test_a_form_that_algebra_does_not_reach_is_certified_at_stated_parameters() -> None:
    quantile = -1 - 1 / S - sp.LambertW(-(S + 1) * (1 - U) * sp.exp(-S - 1), -1) / S
    started = time.process_time()
    verdict = verify(LINDLEY, Rewrite((UNIFORM,), quantile))
    assert verdict.status is Status.CERTIFIED and len(verdict.points) >= 5
    assert "s = 1/5" in verdict.region and "s = 12" in verdict.region
    assert time.process_time() - started < 20


MILLION = sp.Integer(10**6)
GAMMAS = sp.loggamma((MILLION + 1) / 2, evaluate=False) - sp.loggamma(MILLION / 2, evaluate=False)
T_MILLION = law(Z, log_density=GAMMAS - sp.log(MILLION * sp.pi) / 2 - (MILLION + 1) / 2 * sp.log(1 + Z**2 / MILLION))
TWO_SIDED = law(Z, log_density=-sp.Abs(Z) / 2 - sp.log(2) - sp.log(2 * sp.pi * sp.Abs(Z)) / 2)
HALF_CHI = law(X, log_density=-X / 2 - sp.log(2) - sp.log(2 * sp.pi * X) / 2)
HEAVY = Law(E, NORMAL.log_density + sp.log(Q(10001, 10000)), NORMAL.support)
FALSE = {
    "folded map": (law(X, 1, support=(0, 1)), UNIFORM, sp.Abs(U - Q(1, 2))),
    "square against half the chi-squared density": (HALF_CHI, NORMAL, E**2),
    "square against a two-sided density": (TWO_SIDED, NORMAL, E**2),
    "scale off by 1e-9": (f.normal(Z, 0, 1 + Q(1, 10**9)), NORMAL, E),
    "t with a million degrees of freedom": (T_MILLION, NORMAL, E),
    "laplace of unit variance": (f.laplace(Z, 0, 1 / sp.sqrt(2)), NORMAL, E),
    "outside the support": (f.half_normal(X, S), NORMAL, S * E),
    "half of the support": (f.laplace(Z, 0, 1), f.exponential(X, 1), X),
    "both sides too heavy": (Law(Z, HEAVY.log_density.subs(E, Z), HEAVY.support), HEAVY, E),
    "off by 1e-9 in a special function": (
        f.gamma(X, K, S),
        UNIFORM,
        special.gammaincinv(K, U) / S * (1 + Q(1, 10**9)),
    ),
    "a jump": (UNIFORM.substituted({U: X}), UNIFORM, sp.Piecewise((U + Q(1, 2), Q(1, 2) > U), (U - Q(1, 2), True))),
    "not a number": (f.half_normal(X, 1), NORMAL, sp.sqrt(-1 - E**2)),
}
NO_WITNESS = {"a jump", "not a number"}  # the first has the right law; it is only no continuous function


@pytest.mark.parametrize("name", FALSE)
def test_the_known_traps_are_neither_proved_nor_certified(name: str) -> None:
    verdict = verify(FALSE[name][0], Rewrite((FALSE[name][1],), FALSE[name][2]))
    assert verdict.status not in (Status.PROVED, Status.CERTIFIED)
    assert name in NO_WITNESS or (verdict.status is Status.REFUTED and verdict.witness)


@pytest.mark.parametrize("name", FALSE)
def test_the_known_traps_do_not_pass_ball_arithmetic_alone(name: str) -> None:
    """Without the search for witnesses: the certificate itself must not be given."""
    made = claim(*FALSE[name])
    for point in stated_points(made.parameters)[:3]:
        assert not isinstance(at_one(made, point, time.process_time() + 10), Certificate)


def test_what_balls_refute_has_a_larger_density_at_the_witness() -> None:
    made = claim(*FALSE["scale off by 1e-9"])
    found = at_one(made, {}, time.process_time() + 10)
    assert isinstance(found, Difference)
    e, off = mp.mpf(found.noise), Q(1, 10**9)
    with mp.workdps(40):
        r = mp.log(1 + mp.mpf(off.p) / off.q) - e**2 / 2 + e**2 / 2 / (1 + mp.mpf(off.p) / off.q) ** 2
    assert r > 0 and mp.almosteq(r, mp.mpf(found.residual), rel_eps=1e-4)


def test_a_fold_has_a_zero_residual_and_is_still_found() -> None:
    made = claim(*FALSE["folded map"])
    with pytest.raises(Hopeless, match="turns back"):
        covered(at_point(made, {}), time.process_time() + 10)


def test_a_branch_that_a_parameter_chooses_is_not_certified() -> None:
    switched = sp.Piecewise((MU + S * E, MU > 7), (MU - S * E, True))
    assert certified(claim(f.normal(Z, MU, S), NORMAL, switched), "not tried") is None


# ---------------------------------------------------------------------------------------------------- points and words


def test_points_are_fixed_honour_conditions_and_have_extremes() -> None:
    points = stated_points([S, MU, K], [S < K + 20])
    assert points == stated_points([K, S, MU], [S < K + 20]) and len(points) >= 5
    assert {p[S] for p in points} >= {Q(1, 5), Q(12)}


def test_a_certificate_moves_with_its_parameters_and_not_beyond() -> None:
    found = Verdict(Status.CERTIFIED, ("by balls",), ("s = 1", "s = 2"), (), (((S, Q(1)),), ((S, Q(2)),)))
    assert found.about({S: sp.Integer(2)}, ("all",)) == Verdict(Status.CERTIFIED, ("by balls",), ("all",))
    assert found.about({S: sp.Integer(3)}, ()).status is Status.SAMPLED
    both = Verdict(Status.CERTIFIED, (), (), (), (((S, Q(1)), (K, Q(5))), ((S, Q(3)), (K, Q(5)))))
    assert weakest(found, both).points == (((S, Q(1)), (K, Q(5))),)
    assert weakest(found, Verdict(Status.PROVED)) == found
    apart = Verdict(Status.CERTIFIED, (), (), (), (((S, Q(7)),),))
    assert not weakest(found, apart)


def test_an_implicit_quantile_is_judged_by_the_numbers_it_returns() -> None:
    logistic = f.logistic(Z, 0, 1)
    assert enclosed_level(logistic, 1.0).overlaps(1 / (1 + arb(-1).exp()))
    pairs = [(u, float(mp.log(mp.mpf(u) / (1 - mp.mpf(u))))) for u in (1e-9, 0.1, 0.5, 0.9)]
    assert levels(logistic, pairs) < 5e-16
    assert levels(logistic, [(0.5, 1e-6)]) > 2e-7


@pytest.mark.long
def test_generated_inverses_are_enclosed() -> None:
    import symaux as sa

    with mp.workdps(30):
        total = mp.quad(lambda t: mp.exp(-(t**4) / 4 - t**2 / 2), [-mp.inf, 0, mp.inf])
    of = sa.law(Z, sp.exp(-(Z**4) / 4 - Z**2 / 2) / sp.Float(total, 20))
    form = sa.derive(of, noise="uniform")
    assert form.value.has(ImplicitQuantile) and form.verdict.status is Status.CERTIFIED
    us = [1e-6, 0.01, 0.3, 0.5, 0.9, 0.999]
    assert levels(of, [(u, float(form.quantile(u))) for u in us]) < 1e-12
