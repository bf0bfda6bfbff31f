import pytest
import sympy as sp

from symaux.formulas.numeric.balls.signs import Undecided
from symaux.formulas.symbols.support import REALS, Interval
from symaux.trusted.density import Density, Pushforward
from symaux.trusted.fold import cover_fold

Z, E = sp.Symbol("z", positive=True), sp.Symbol("e", real=True)
NORMAL = Density(E, -(E**2) / 2 - sp.log(2 * sp.pi) / 2, REALS)
HALF = Density(Z, -(Z**2) / 2 + sp.log(2 / sp.pi) / 2, Interval(sp.S.Zero, sp.oo))
ROOT = sp.sqrt(Z)
CHI_SQUARE = Density(Z, -Z / 2 - sp.log(2 * sp.pi * Z) / 2, Interval(sp.S.Zero, sp.oo))


def test_all_branches_of_a_fold_cover_the_law() -> None:
    assert cover_fold(Pushforward(HALF, NORMAL, sp.Abs(E)), (-Z, Z)) > 10
    assert cover_fold(Pushforward(CHI_SQUARE, NORMAL, E**2), (-ROOT, ROOT)) > 10


@pytest.mark.parametrize(
    ("law", "value", "inverses"),
    [
        (HALF, sp.Abs(E), (Z,)),  # a branch is missing
        (HALF, sp.Abs(E), (Z, -Z)),  # not in order
        (HALF, sp.Abs(E), (-Z, Z + sp.Rational(1, 10**8))),  # not an inverse
        (HALF, sp.Abs(E) * (1 + sp.Rational(1, 10**7)), (-Z, Z)),
        (Density(Z, HALF.log_density + sp.Rational(1, 10**9), HALF.support), sp.Abs(E), (-Z, Z)),
        (CHI_SQUARE, E**2, (-Z, Z)),
    ],
)
def test_a_fold_with_anything_wrong_is_not_covered(law: Density, value: sp.Expr, inverses: tuple[sp.Expr, ...]) -> None:
    with pytest.raises(Undecided):
        cover_fold(Pushforward(law, NORMAL, value), inverses)
