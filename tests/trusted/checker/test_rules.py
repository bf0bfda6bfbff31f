"""Inference rules: facts cannot be forged, premises are looked at, names are kept apart, and conditions need a witness."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.trusted.checker import rules
from symaux.trusted.checker.facts import Bijective, Fact, Mass, Region, Unproved
from symaux.trusted.checker.rules import RULES

X, Y, U, T, M = sp.symbols("x y u t m", real=True)
A, B = sp.symbols("a b", positive=True)
oo, log, exp = sp.oo, sp.log, sp.exp
UNIT, RIGHT = Region(X, sp.S(0), sp.S(1)), Region(X, sp.S(0), oo)


def test_a_fact_cannot_be_made_by_hand() -> None:
    with pytest.raises(TypeError, match="inference rule"):
        Fact(Mass(sp.S.Zero, UNIT, sp.Integer(7)), "mass_axiom", (), object())


def test_a_statement_is_not_a_fact() -> None:
    with pytest.raises(Unproved):
        rules.mass_total(Mass(sp.S.Zero, UNIT, sp.S.One), sp.S.One)


def test_every_rule_has_its_paragraph() -> None:
    assert all(rule.__doc__ and rule.__doc__.startswith("Conclude ") for rule in RULES.values())


def test_a_region_knows_its_variable_as_real_only() -> None:
    for variable in (sp.Symbol("x", positive=True), sp.Symbol("x"), sp.Dummy("x", real=True)):
        with pytest.raises(Unproved):
            Region(variable, sp.S(0), sp.S(1))
    with pytest.raises(Unproved):
        Region(X, sp.S(0), X + 1)
    with pytest.raises(Unproved):
        Region(X, oo, sp.S(1))


def test_bijections() -> None:
    assert rules.bijective(-log(X), UNIT).statement == Bijective(-log(X), UNIT, sp.S(0), oo, -1)
    for formula in (sp.Abs(X - sp.Rational(1, 2)), X * (1 - X), A + 0 * X, sp.sin(7 * X)):
        with pytest.raises(Unproved):
            rules.bijective(formula, UNIT)


def test_equal_needs_definedness() -> None:
    assert rules.equal(log(X * A), log(X) + log(A), UNIT).statement.region == UNIT
    for left, right in ((sp.Abs(M) ** A, M**A), (2 * log(sp.Abs(M)), log(M**2)), (log(X - 2), log(X - 2) + X * 0)):
        with pytest.raises(Unproved):
            rules.equal(left, right, UNIT)


def test_positive_needs_definedness() -> None:
    assert rules.positive(1 - X**2, UNIT)
    for formula in (X - sp.Rational(1, 2), log(X - 2) ** 2 + 1, M):
        with pytest.raises(Unproved):
            rules.positive(formula, UNIT)


def axiom(name: str, *values: Any, conditions: Any = ()) -> Fact:
    return rules.mass_axiom(name, X, tuple(map(sp.sympify, values)), tuple(conditions))


def test_axioms_check_their_conditions() -> None:
    assert axiom("gamma", A).statement.total == 1
    assert axiom("bose", A, conditions=(A > 2,))
    for name, values in (
        ("gamma", [M]),
        ("gamma", [0]),
        ("beta", [A, -1]),
        ("bose", [A]),
        ("gamma", [A, B]),
        ("gamma", [X]),
    ):
        with pytest.raises(Unproved):
            axiom(name, *values)
    with pytest.raises(Unproved):
        axiom("gamma", log(M) ** 2 + 1)  # not a number where m is negative


def test_masses_of_pieces_must_follow_each_other() -> None:
    half = sp.Rational(1, 2)

    def piece(low: Any, high: Any) -> Fact:
        region = Region(X, sp.sympify(low), sp.sympify(high))
        unit = rules.mass_axiom("length", Y, (), ())
        carried = rules.transports(
            -log(high - low), region, (X - low) / (high - low), sp.S.Zero, unit.statement.region, ()
        )
        return rules.mass_scaled(sp.S.Zero, rules.mass_backward(carried, unit), sp.sympify(high - low))

    whole = rules.mass_split(sp.S.Zero, UNIT, (piece(sp.S(0), half), piece(half, sp.S(1))))
    assert rules.mass_total(whole, sp.S.One).statement.total == 1
    for pieces in (
        (piece(sp.S(0), half),),
        (piece(half, sp.S(1)), piece(sp.S(0), half)),
        (piece(sp.S(0), half), piece(sp.S(0), half), piece(half, sp.S(1))),
        (),
    ):
        with pytest.raises(Unproved):
            rules.mass_split(sp.S.Zero, UNIT, pieces)
    with pytest.raises(Unproved):
        rules.mass_split(X, UNIT, (piece(sp.S(0), half), piece(half, sp.S(1))))
    with pytest.raises(Unproved):
        rules.mass_total(piece(sp.S(0), half), sp.S.One)


def test_scales_and_mixtures_are_checked() -> None:
    one, two = axiom("gamma", 1), axiom("gamma", 2)
    log_one, log_two = (fact.statement.log_density for fact in (one, two))
    third = sp.Rational(1, 3)
    mixed = log(third * exp(log_one) + 2 * third * exp(log_two))
    assert rules.mass_mixture(mixed, (one, two), (third, 2 * third)).statement.total == 1
    with pytest.raises(Unproved):
        rules.mass_mixture(mixed, (one, two), (2 * third, third))
    with pytest.raises(Unproved):
        rules.mass_scaled(log_one + log(2), one, sp.Integer(3))
    with pytest.raises(Unproved):
        rules.mass_scaled(log_one + log(X), one, X)
    with pytest.raises(Unproved):
        rules.mass_scaled(log_one + log(M), one, M)


def test_a_witness_must_satisfy_every_condition_and_assumption() -> None:
    region = Region(X, sp.S(0), B, (A > 3, A < B))
    assert rules.inhabited(region, ((A, sp.Integer(4)), (B, sp.Integer(5))))
    for witness in (
        ((A, sp.Integer(2)), (B, sp.Integer(5))),
        ((A, sp.Integer(4)),),
        ((A, sp.Integer(4)), (B, sp.Integer(-5))),
        ((A, sp.Integer(4)), (B, sp.Float(5))),
        ((A, sp.Integer(4)), (B, M)),
        ((A, sp.Integer(4)), (B, oo)),
    ):
        with pytest.raises(Unproved):
            rules.inhabited(region, witness)
    with pytest.raises(Unproved):
        rules.inhabited(Region(X, sp.S(1), sp.S(0)), ())


def test_a_bound_variable_does_not_capture_a_parameter() -> None:
    line = Region(T, -oo, oo)
    gauss = rules.mass_axiom("gauss", T, (), ())
    quantile = rules.quantile(gauss, U)
    assert (
        quantile.statement.value == ImplicitQuantile(U, T, gauss.statement.log_density)
        and quantile.statement.law == line
    )
    with pytest.raises(Unproved):
        rules.quantile(gauss, T)
    noise = Region(X, sp.S(0), sp.S(1))
    first = rules.transports(sp.S.Zero, noise, 1 - X, sp.S.Zero, Region(U, sp.S(0), sp.S(1)), ())
    assert rules.composed(first, quantile).statement.value.free_symbols == {X}
    shift = Region(X, T, T + 1)
    captured = rules.transports(sp.S.Zero, shift, X - T, sp.S.Zero, Region(U, sp.S(0), sp.S(1)), ())
    with pytest.raises(Unproved, match="captured"):
        rules.composed(captured, quantile)


def test_regions_with_different_conditions_do_not_mix() -> None:
    law = Region(Y, sp.S(0), sp.S(1), (A > 1,))
    with pytest.raises(Unproved):
        rules.transports(sp.S.Zero, UNIT, X, sp.S.Zero, law, ())
