from typing import Any

import pytest
import sympy as sp
from flint import arb

from symaux.formulas.numeric.balls.intervals import INFINITE, Span
from symaux.formulas.numeric.balls.signs import Undecided
from symaux.formulas.symbols.support import Interval
from symaux.trusted.density import Density
from symaux.trusted.mass_bound import LOOSE, enclose_mass
from symaux.trusted.tail_continuity import require_continuous, resolve_steps

Y = sp.Symbol("y", positive=True)
TAIL, NEAR = Span(arb(10), INFINITE), Span(arb(0), arb(0.25))
JUMPING = [
    sp.atan(1 / (Y - 50)),
    sp.sqrt((Y - 50) ** 2) / (Y - 50),
    sp.acot(Y - 50),
    sp.sign(Y - 50),
    sp.floor(Y),
    sp.tan(Y),
    sp.Piecewise((1, Y < 50), (2, True)),
    sp.log(sp.Abs(Y - 50)),
    sp.coth(Y - 50),
    sp.exp(1 / (50 - Y)),
    sp.atan2(Y - 50, -1),
]
CONTINUOUS = [
    sp.atan(1 / Y),
    -Y - 2 * sp.log(1 + sp.exp(-Y)),
    sp.log(Y**2 - 2 * Y + 5),
    sp.log(sp.cosh(Y) + sp.cos(2)),
    sp.Piecewise((1, Y < 5), (Y, True)),
    sp.log(3 * sp.exp(-Y) - 2 * sp.exp(-2 * Y)),
    sp.erfc(Y) * sp.sin(Y) ** 2,
    sp.Abs(Y - 50),
]


@pytest.mark.parametrize("formula", JUMPING, ids=str)
def test_what_jumps_in_the_tail_is_not_called_continuous(formula: Any) -> None:
    with pytest.raises(Undecided):
        require_continuous(formula, {Y: TAIL}, Y)


@pytest.mark.parametrize("formula", CONTINUOUS, ids=str)
def test_what_does_not_jump_is(formula: Any) -> None:
    require_continuous(formula, {Y: TAIL}, Y)


def test_a_formula_that_vanishes_at_the_end_keeps_its_sign_near_it() -> None:
    require_continuous(sp.log(1 - sp.exp(-Y)), {Y: NEAR}, Y)
    with pytest.raises(Undecided):
        require_continuous(sp.log(Y - Y**2 * 8), {Y: NEAR}, Y)


def test_a_jump_far_out_in_a_tail_is_not_passed_over() -> None:
    """The factor exp(20 atan(1/(z - 40))) is smooth but for z = 40, where it jumps by exp(20 pi): a tail of 1e-17 is large."""
    z = sp.Symbol("z", positive=True)
    hidden = Density(z, -z + 20 * sp.atan(1 / (z - 40)), Interval(sp.S.Zero, sp.oo))
    try:
        found = enclose_mass(hidden, LOOSE)
    except Undecided:
        return
    assert found > 10**6


def test_a_branch_that_a_hidden_jump_decides_is_not_decided_by_a_slope() -> None:
    """2*y - atan(1/(y - c)) - atan(1/c) is zero at y = 0 and rises, but for a jump down by pi at y = c."""
    c = sp.Rational(1, 10**6)
    deceiving = 2 * Y - sp.atan(1 / (Y - c)) - sp.atan(1 / c)
    assert float(deceiving.xreplace({Y: 2 * c})) < 0 < float(deceiving.xreplace({Y: c / 2}))
    with pytest.raises(Undecided):
        require_continuous(sp.Piecewise((Y, deceiving > 0), (Y + 1, True)), {Y: NEAR}, Y)


@pytest.mark.parametrize(
    ("formula", "resolved"),
    [
        (sp.Abs(Y - 2), Y - 2),
        (sp.sign(2 - Y) * Y, -Y),
        (sp.Max(Y, 3) + sp.Min(Y, 3), Y + 3),
        (sp.Piecewise((1, Y < 5), (Y, True)), Y),
        (sp.Abs(Y - 50), sp.Abs(Y - 50)),  # its sign changes in the tail
        (sp.sign(sp.sin(Y)), sp.sign(sp.sin(Y))),
    ],
    ids=str,
)
def test_steps_are_resolved_where_one_sign_holds_on_the_whole_tail(formula: Any, resolved: Any) -> None:
    assert resolve_steps(formula, {Y: TAIL}, Y) == resolved


def test_a_sum_with_a_square_root_has_the_sign_of_its_larger_part() -> None:
    """1 - y/sqrt(y**2 + c) goes to zero; the difference of the squares, c/(y**2 + c), tells its sign."""
    for c, positive in ((3, True), (-3, False)):
        formula = 1 - Y / sp.sqrt(Y**2 + c)
        if positive:
            require_continuous(sp.log(formula), {Y: TAIL}, Y)
            resolved = resolve_steps(sp.log(formula), {Y: TAIL}, Y)
            assert resolved == sp.log(c / (Y**2 + c)) - sp.log(1 + Y / sp.sqrt(Y**2 + c))
        else:
            with pytest.raises(Undecided):
                require_continuous(sp.log(formula), {Y: TAIL}, Y)


def test_the_logarithm_of_a_mixture_is_written_about_its_largest_part() -> None:
    mixture = sp.log(sp.exp(-sp.Abs(Y - 2)) / 4 + sp.exp(-(Y**2) / 2))
    resolved = resolve_steps(mixture, {Y: TAIL}, Y)
    assert resolved == 2 - Y + sp.log(sp.Rational(1, 4) + sp.exp(-(Y**2) / 2 + Y - 2))
    x, line = sp.Symbol("x", real=True), Interval(-sp.oo, sp.oo)
    log_density = sp.log(sp.exp(-sp.Abs(x)) / 4 + sp.exp(-(x**2) / 2) / (2 * sp.sqrt(2 * sp.pi)))
    assert enclose_mass(Density(x, log_density, line), LOOSE).contains(1)
    wrong = enclose_mass(Density(x, log_density + sp.Rational(1, 10**5), line), LOOSE)
    assert not wrong.contains(1)
