"""Check claims about laws: that z = g(eps) has a law, and that a density has mass one.

>>> from symaux.formulas.symbols.support import Interval
>>> from types import SimpleNamespace as Density
>>> z, m, eps = sp.symbols("z m eps", real=True)
>>> s = sp.Symbol("s", positive=True)
>>> line = Interval(-sp.oo, sp.oo)
>>> law = Density(value=z, log_density=-((z - m)/s)**2/2 - sp.log(s) - sp.log(2*sp.pi)/2, support=line)
>>> noise = Density(value=eps, log_density=-eps**2/2 - sp.log(2*sp.pi)/2, support=line)
>>> check_pushforward(law, noise, m + s*eps).statement.value
eps*s + m
>>> check_pushforward(law, noise, m + 2*s*eps).reason
"the change of variables log p(g) + log|g'| - log q does not have the normal form zero"
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import sympy as sp

from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker import rules
from symaux.trusted.checker.facts import Fact, Region, Unproved, check_symbols
from symaux.trusted.checker.mass_strategy import prove_mass
from symaux.trusted.checker.strategy import find_witness, prove_transport

# What sympy raises for formulas that are not real numbers, such as a comparison with i*oo; a refusal is always sound.
FAILURES = (
    *(ArithmeticError, AttributeError, LookupError, NotImplementedError, RecursionError, TypeError, ValueError),
    sp.PolynomialError,
)


class Density(Protocol):
    """A density of one variable by its logarithm, on an interval."""

    @property
    def value(self) -> Any: ...
    @property
    def log_density(self) -> Any: ...
    @property
    def support(self) -> Any: ...


@dataclass(frozen=True)
class Refusal:
    """A claim that is not proved, and why; nothing is said about whether it is true."""

    reason: str


def check_pushforward(law: Density, noise: Density, value: Formula, conditions: tuple[Any, ...] = ()) -> Fact | Refusal:
    """Return the fact that g(eps) has the law if eps has the noise's density, under conditions on parameters; or a refusal.

    Both variables are replaced by symbols of their names that are real and nothing else, since what a symbol assumes may
    contradict the support; they are bound, so that the claim is the same.
    """
    try:
        return _check(law, noise, _formula(value), conditions)
    except Unproved as reason:
        return Refusal(str(reason))
    except FAILURES as failure:
        return Refusal(f"the formulas cannot be read: {type(failure).__name__}: {failure}")


def check_mass(density: Density, conditions: tuple[Any, ...] = ()) -> Fact | Refusal:
    """Return the fact that a density has mass one on its support, under conditions on parameters; or a refusal."""
    try:
        log_density, region = _region(density, conditions)
        return rules.normalised(prove_mass(log_density, region), find_witness(region))
    except Unproved as reason:
        return Refusal(str(reason))
    except FAILURES as failure:
        return Refusal(f"the formulas cannot be read: {type(failure).__name__}: {failure}")


def _check(law: Density, noise: Density, value: Formula, conditions: tuple[Any, ...]) -> Fact:
    check_symbols((law.value, noise.value, law.log_density, noise.log_density, value))
    if noise.value in law.log_density.free_symbols or law.value in value.free_symbols:
        raise Unproved("the law contains the noise, or the generating function the value of the law")
    orders = tuple(_order(d.support) for d in (law, noise))
    conditions = _flat((*conditions, *orders))
    q, source = _region(noise, conditions)
    p, target = _region(law, conditions)
    g = _bound(value.xreplace({noise.value: source.variable}))
    witness = find_witness(source)
    mapped = prove_transport(q, source, g, p, target)
    try:
        mass = prove_mass(q, source)
    except Unproved:
        mass = rules.mass_total(rules.mass_backward(mapped, prove_mass(p, target)), sp.S.One)
    return rules.pushforward(mapped, mass, witness)


def _bound(value: Formula) -> Formula:
    """Return the map with bound variables that are real and nothing else."""

    def plain(e: Any) -> Any:
        u, variable, log_density = e.args
        line = sp.Symbol(variable.name, real=True)
        return ImplicitQuantile(u, line, log_density.xreplace({variable: line}))

    return value.replace(lambda e: isinstance(e, ImplicitQuantile), plain)


def _region(density: Density, conditions: tuple[Any, ...]) -> tuple[Formula, Region]:
    support = density.support
    if not all(hasattr(support, bound) for bound in ("lower", "upper")) or getattr(support, "discrete", False):
        raise Unproved(f"{support} is not an interval")
    variable = sp.Symbol(density.value.name, real=True)
    region = Region(variable, _formula(support.lower), _formula(support.upper), _flat(conditions))
    return _formula(density.log_density).xreplace({density.value: variable}), region


def _formula(given: Any) -> Formula:
    """Return a formula, or a whole number as one; text is never read."""
    if isinstance(given, bool | int):
        return sp.true if given is True else sp.false if given is False else sp.Integer(given)
    if not isinstance(given, sp.Basic):
        raise Unproved(f"{given!r} is not a formula")
    return given


def _order(support: Any) -> Any:
    return sp.StrictLessThan(_formula(support.lower), _formula(support.upper))


def _flat(conditions: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return conditions without conjunctions, repetitions and what is always true; false ones stay and have no witness."""
    parts = (part for condition in conditions for part in sp.And.make_args(_formula(condition)))
    return tuple(dict.fromkeys(part for part in parts if part != sp.true))
