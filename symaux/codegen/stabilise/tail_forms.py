r"""The formula that generated code evaluates: the plain one, or one written for an end of the noise, by measured error.

A generating function of one uniform u has two ends, and near each an equal formula in the distance to it (see
``calculus.offsets``). What each of the three loses at either end is measured, and the plain one stays unless another keeps
many more digits there.

>>> from symaux.laws.standard_noise import standard_uniform
>>> u = sp.Symbol("u", positive=True)
>>> steady(-sp.log(1 - u), standard_uniform(u), (), lambda f: f)
-log1p(-u)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import sympy as sp

from symaux.codegen.stabilise.simplify import Simplify
from symaux.codegen.stabilise.tail_error import Ends, lost, truths
from symaux.formulas.algebra.limits import Charted, cancels, settled, sign_at
from symaux.formulas.algebra.tail_expansion import Facts, near, opened
from symaux.formulas.functions.elementary import ImplicitQuantile, complement, ndtr
from symaux.formulas.functions.special_function import Special
from symaux.formulas.numeric.points import Point, holds, points
from symaux.formulas.symbols.indices import references
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_normal, is_standard_uniform

U, V = sp.symbols("u_ v_", positive=True)
POINTS, FAR, LONG = 4, sp.Integer(10), 400
FINE, BETTER = 2e-14, 30  # an error as small as any, and how many times smaller that of another formula must be
LOST = 1e-2  # where every formula is as far off as this, none is better


@lru_cache(maxsize=512)
def steady(
    formula: Any, noise: Law, conditions: Sequence[Any], simplify: Simplify, charted: Charted = lambda f: f
) -> Any:
    """Return an equal formula that loses as few digits as may be; ``charted`` puts parameters in which signs are
    visible."""
    there, back = _names(formula, noise.value)
    own = noise.substituted({noise.value: there[noise.value]}) if noise.value in there else None
    if own is None or not _usual(formula):
        return formula
    stated = tuple(c.xreplace(there) for c in conditions)
    best = _best(formula.xreplace(there), own, stated, simplify, lambda f: charted(f.xreplace(back)))
    return formula if best is None else best.xreplace(back)


def _names(formula: Any, noise: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Return names of our own for everything that a formula reads, and the way back: users' names never reach code
    from here."""
    read = sorted(set(references(formula)), key=str)
    there = {r: sp.Symbol("e_" if r == noise else f"p{k}_", **_assumed(r)) for k, r in enumerate(read)}
    return there, {symbol: r for r, symbol in there.items()}


def _assumed(reference: Any) -> dict[str, bool]:
    known = {"positive": reference.is_positive, "negative": reference.is_negative, "integer": reference.is_integer}
    return {"real": True, **{name: True for name, value in known.items() if value}}


def _usual(plain: Any) -> bool:
    """Return whether a formula is one that can be measured."""
    return not plain.has(ImplicitQuantile, sp.Piecewise, sp.Sum) and sp.count_ops(plain) < LONG


def _levels(noise: Law) -> list[tuple[Any, Any]]:
    """Return the uniform variables of a noise, each with its distance to one."""
    e = noise.value
    if is_standard_uniform(noise):
        return [(e, complement(e))]
    return [(ndtr(e), ndtr(-e)), (ndtr(-e), ndtr(e))] if is_standard_normal(noise) else []


def _best(formula: Any, noise: Law, conditions: tuple[Any, ...], simplify: Simplify, charted: Charted) -> Any | None:
    """None for the plain formula; else one for both ends, or one for each."""
    for level, other in _levels(noise):
        plain = opened(formula.xreplace({level: U, other: 1 - U}))
        if not plain.has(noise.value) and not plain.is_polynomial(U):
            at = list(points(plain.free_symbols - {U}, conditions=conditions, seed=11, count=POINTS))
            at += [{}] if not at else _far(at[0], conditions) if not plain.has(Special) else []
            return _measured(formula, plain, noise, {U: level, V: other}, at, simplify, charted)
    return None


def _far(point: Point, conditions: tuple[Any, ...]) -> list[Point]:
    """Return points with one positive parameter, or all in turn, a tenth or ten times of what it is: others do not
    show all."""
    sizes = [s for s in sorted(point, key=str) if s.is_positive and not s.is_integer][:POINTS]
    single = [point | {s: point[s] * FAR**sign} for s in sizes for sign in (-1, 1)]
    turns = [point | {s: point[s] * FAR ** (sign * (-1) ** n) for n, s in enumerate(sizes)} for sign in (-1, 1)]
    return [far for far in single + turns * (len(sizes) > 1) if all(holds(c, far) for c in conditions)]


def _measured(
    formula: Any, plain: Any, noise: Law, back: dict[Any, Any], at: list[Point], simplify: Simplify, charted: Charted
) -> Any | None:
    e = noise.value
    exact = truths(formula, noise, at)
    first = lost(formula, e, exact, simplify) if exact else ([], [])
    if max(first[0] + first[1], default=0) < FINE:
        return None
    known = facts(at, charted)
    ways = near(plain, U, known), near(plain.xreplace({U: 1 - V}), V, known)
    others = [f.xreplace(back) for f in ways if sp.count_ops(f) < LONG]
    return _chosen(
        [(formula, first), *((f, lost(f, e, exact, simplify)) for f in others)], sp.StrictLessThan(e, _middle(noise))
    )


def _middle(noise: Law) -> Any:
    return sp.S.Zero if is_standard_normal(noise) else sp.S.Half


def _chosen(measured: list[tuple[Any, Ends]], below: Any) -> Any | None:
    """Return the first formula that is about as good as any at both ends; else the best at each."""
    behind = [_behind([ends[end] for _, ends in measured]) for end in (0, 1)]
    for (formula, _), low, high in zip(measured, *behind, strict=True):
        if max(low, high) <= BETTER:
            return None if formula is measured[0][0] else formula
    lower, upper = (measured[excess.index(min(excess))][0] for excess in behind)
    return sp.Piecewise((lower, below), (upper, True), evaluate=False)


def _behind(errors: list[list[float]]) -> list[float]:
    """By how much each formula is worse than the best one, at the level and the point where it is most so."""
    least = [max(FINE, min(case)) for case in zip(*errors, strict=True)]
    return [max((e / x for e, x in zip(own, least, strict=True) if x < LOST), default=1.0) for own in errors]


def facts(at: list[Point], charted: Charted) -> Facts:
    """Limits by proof, and signs as they are at a few points: those decide how a formula is written, not what it is."""
    return Facts(lambda c: settled(c, at, charted), lambda c: sign_at(c, at), lambda c, parts: cancels(c, parts, at))
