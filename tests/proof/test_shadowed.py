"""False claims of the kinds that a symbolic argument was seen to pass: no one of them may be proved or certified."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

import symaux as sa
from symaux.errors import SymauxError
from symaux.laws.law import Law
from symaux.proof.shadowed import shadow_of_composition, shadow_of_form, shadow_of_law
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite

R = sp.Rational
Z, U, A, B, Q = sp.symbols("z u a b q", positive=True)
X, E, M = sp.symbols("x e m", real=True)
NORMAL, UNIFORM = sa.normal(E, 0, 1), sa.uniform(U, 0, 1)
OO = sp.oo


def where(condition: Any, yes: Any, no: Any) -> Any:
    return sp.Piecewise((yes, condition), (no, True))


WRONG_MASS: dict[str, tuple[Any, Any, tuple[Any, Any], tuple[Any, ...]]] = {
    "a branch of mass 1.39": (Z, sp.exp(-Z) * where(R(1, 2) > Z, 2, 1), (0, OO), ()),
    "two levels": (Z, where(R(1, 3) > Z, 1, 5), (0, 1), ()),
    "a gap": (Z, where(R(1, 4) > Z, 3, 0), (0, 1), ()),
    "a branch in a parameter's hands": (Z, sp.exp(-Z) * where(A < 3, 1, 2), (0, OO), ()),
    "a branch far out": (X, sp.exp(-X - 2 * sp.log(1 + sp.exp(-X))) * where(X < 9, 1, 2), (-OO, OO), ()),
    "a branch with a scale": (Z, A * sp.exp(-A * Z) * where(R(1, 2) > A * Z, 2, 1), (0, OO), ()),
    "a region without points at hand": (Z, 2 * A * sp.exp(-A * Z), (0, OO), (A > 1000,)),
    "a region of another symbol": (Z, A * sp.exp(-A * Z) * R(10**6 + 3, 10**6), (0, OO), (Q > 5000,)),
    "a narrow region": (Z, 2 * A * sp.exp(-A * Z), (0, OO), (A > 7, R(7001, 1000) > A)),
    "a step hidden by arc tangents": (Z, sp.exp(-Z) * (1 + (sp.atan(Z - 3) + sp.atan(1 / (Z - 3))) / 9), (0, OO), ()),
    "a step hidden by a root": (Z, sp.exp(-Z) * (1 + sp.sqrt((Z - 1) ** 2) / (Z - 1) / 3), (0, OO), ()),
}
NEGATIVE: dict[str, tuple[Any, Any, tuple[Any, Any], tuple[Any, ...]]] = {
    "two signs": (X, (X - R(27, 100)) / sp.Abs(X - R(27, 100)) * (X - R(3, 10)) / sp.Abs(X - R(3, 10)), (0, 1), ()),
    "a minus and a region": (Z, -A * sp.exp(-A * Z), (0, OO), (A > 1000,)),
    "a line": (Z, 4 * Z - 1, (0, 1), ()),
    "a dip": (Z, 3 * (2 * Z - 1) ** 2 * 2 - 1, (0, 1), ()),
    "a difference of exponentials": (Z, 3 * sp.exp(-Z) - 4 * sp.exp(-2 * Z), (0, OO), ()),
}


@pytest.mark.parametrize("name", [*WRONG_MASS, *NEGATIVE])
def test_a_formula_that_is_not_a_density_is_not_derived(name: str) -> None:
    value, density, support, conditions = {**WRONG_MASS, **NEGATIVE}[name]
    with pytest.raises(SymauxError):
        sa.derive(sa.law(value, density, support=support, conditions=conditions))


STEP = sp.atan(E) + sp.atan(1 / E)  # -pi/2 below zero and pi/2 above, with the derivative zero
FALSE_MAPS: dict[str, tuple[Law, Law, Any]] = {
    "a step up": (NORMAL.substituted({E: X}), NORMAL, E + STEP / 10**7),
    "a step down": (NORMAL.substituted({E: X}), NORMAL, E - STEP / 10**7),
    "acot": (NORMAL.substituted({E: X}), NORMAL, E + (sp.acot(E) - sp.pi / 2 + sp.atan(E)) / 50),
    "a root over its argument": (NORMAL.substituted({E: X}), NORMAL, E + sp.sqrt((E - 2) ** 2) / (E - 2) / 100),
    "a fold": (sa.uniform(Z, 0, R(1, 2)), UNIFORM, sp.Abs(U - R(1, 2)) + R(1, 10**9)),
    "a square and a law on both sides": (
        Law(X, -sp.Abs(X) / 2 - sp.log(2 * sp.pi * sp.Abs(X)) / 2 - sp.log(2), sa.normal(X, 0, 1).support),
        NORMAL,
        E**2,
    ),
}


@pytest.mark.parametrize("name", FALSE_MAPS)
def test_a_map_with_a_hidden_step_is_not_proved(name: str) -> None:
    law, noise, value = FALSE_MAPS[name]
    assert not verify(law, Rewrite((noise,), value)), name


def test_regions_far_from_one_are_looked_at() -> None:
    found = sa.derive(sa.law(Z, A * sp.exp(-A * Z), support=(0, OO), conditions=(A > 1000,)))
    assert found.verdict.status.name == "PROVED"


def test_shadows_say_what_they_covered() -> None:
    s = sp.Symbol("s", positive=True)
    shadow = shadow_of_form(sa.normal(X, M, s), NORMAL, M + s * E)
    assert shadow and shadow.confirmed >= 5 and shadow.cells > 50
    assert shadow_of_form(sa.normal(X, M, s), NORMAL, M + s * E * R(10**8 + 1, 10**8)).contradiction is not None
    assert shadow_of_law(sa.gamma(Z, A, B))
    t = sp.Symbol("t", positive=True)
    assert shadow_of_composition(sa.cauchy(X, 0, 1), (NORMAL, sa.half_normal(t, 1)), E / t)
    assert shadow_of_composition(
        sa.cauchy(X, 0, R(10**7 + 1, 10**7)), (NORMAL, sa.half_normal(t, 1)), E / t
    ).contradiction


def test_the_mass_of_a_law_on_a_plate_is_examined_in_its_own_variable() -> None:
    """An element z[j] contains the symbols z and j, which are not parameters."""
    z, j = sp.IndexedBase("z", real=True), sp.Idx("j", 3)
    right = sa.law(z[j], log_density=-z[j], support=(0, OO))
    assert shadow_of_law(right).confirmed == 1
    assert not shadow_of_law(Law(z[j], R(1, 10**5) - z[j], right.support))
