"""Propose proofs: where to cut a region, which integral a density is, how to decompose a map. Nothing here is trusted.

Whatever is proposed goes through the rules of ``rules.py``, which refuse what is wrong; a bad proposal costs time only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker import rules
from symaux.trusted.checker.facts import Fact, Region, Unproved
from symaux.trusted.checker.mass_strategy import breakpoints, ordered, prove_mass
from symaux.trusted.checker.normal_form import NormalForm
from symaux.trusted.checker.signs import Signs
from symaux.trusted.checker.unwind import preimage

Cuts = tuple[tuple[Formula, Formula], ...]


def prove_transport(q: Formula, noise: Region, value: Formula, p: Formula, law: Region) -> Fact:
    """Return the fact that a map carries a noise to a law, trying one proposal of cuts after the other."""
    if any(isinstance(e, ImplicitQuantile) for e in sp.preorder_traversal(value)):
        return _through_quantile(q, noise, value, p, law)
    failure = Unproved("nothing was tried")
    for cuts in _proposed_cuts(q, noise, value, p, law):
        try:
            return rules.transports(q, noise, value, p, law, cuts)
        except Unproved as reason:
            failure = reason
    raise failure


def _proposed_cuts(q: Formula, noise: Region, value: Formula, p: Formula, law: Region) -> Iterator[Cuts]:
    inner, outer = ordered(breakpoints((q, value), noise), noise), ordered(breakpoints((p,), law), law)
    if not inner and not outer:
        yield ()
        return
    if len(inner) == len(outer):
        yield tuple(zip(inner, outer, strict=True))
        yield tuple(zip(inner, outer[::-1], strict=True))
    levels = [(cut, value.xreplace({noise.variable: cut})) for cut in inner]
    levels += [(cut, level) for level in outer if (cut := preimage(value, noise.variable, level)) is not None]
    signs, merged = Signs(noise), []
    for cut, level in levels:
        if not any(NormalForm(signs).is_zero(cut - other) for other, _ in merged):
            merged.append((cut, level))
    order = ordered([cut for cut, _ in merged], noise)
    yield tuple((cut, dict(merged)[cut]) for cut in order)
    if not breakpoints((value,), noise):
        yield ()


def _through_quantile(q: Formula, noise: Region, value: Formula, p: Formula, law: Region) -> Fact:
    """Return the transport by an implicit quantile function, followed by a map of the line onto the support."""
    (inner,) = {e for e in sp.preorder_traversal(value) if isinstance(e, ImplicitQuantile)} or {None}
    if inner is None or inner.args[0] != noise.variable:
        raise Unproved("the implicit quantile function is not one of the noise itself")
    line = Region(inner.args[1], -sp.oo, sp.oo, noise.conditions)
    outer = prove_transport(inner.args[2], line, value.xreplace({inner: line.variable}), p, law)
    mass = rules.mass_backward(outer, prove_mass(p, law))
    return rules.composed(rules.quantile(rules.mass_total(mass, sp.S.One), noise.variable), outer)


def find_witness(region: Region, most: int = 4000) -> Fact:
    """Return the fact that the conditions of a region can be satisfied, by numbers near those that the conditions mention."""
    order = sp.StrictLessThan(region.lower, region.upper, evaluate=False)
    relations = [*(c for r in region.conditions for c in sp.And.make_args(r)), order]
    symbols = sorted({s for c in relations for s in c.free_symbols}, key=str)
    numbers = {n for c in relations for n in c.atoms(sp.Rational)}
    steps = [sp.Integer(k) for k in (0, 1, -1, 2, -2, 3, 4, 10)] + [
        sp.Rational(1, 2),
        sp.Rational(1, 4),
        sp.Rational(-1, 2),
    ]
    values = list(dict.fromkeys([*steps, *(n + k for n in sorted(numbers) for k in steps), *(-n for n in numbers)]))
    spent = [0]

    def search(point: dict[Any, Any], rest: list[Any]) -> dict[Any, Any] | None:
        if not rest:
            return point
        for value in values:
            spent[0] += 1
            if spent[0] > most:
                return None
            trial = point | {rest[0]: value}
            if _fits(rest[0], value) and all(_may_hold(c, trial) for c in relations):
                found = search(trial, rest[1:])
                if found is not None:
                    return found
        return None

    point = search({}, symbols)
    if point is None:
        raise Unproved(f"no parameters were found that satisfy {', '.join(map(str, relations))}")
    return rules.inhabited(region, tuple(sorted(point.items(), key=str)))


def _fits(symbol: Any, value: Any) -> bool:
    return all(getattr(value, f"is_{word}", known) == known for word, known in symbol.assumptions0.items())


def _may_hold(condition: Any, point: dict[Any, Any]) -> bool:
    if not condition.free_symbols <= set(point):
        return True
    return condition.has(sp.oo, -sp.oo) or condition.func(*(side.xreplace(point) for side in condition.args)) == sp.true
