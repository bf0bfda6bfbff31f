r"""Choose the formula that generated code evaluates: the plain one, or one expanded at a tail of the noise, by measured error.

A generating function of one uniform u has two tails, and for each an equal formula in the distance to its end (see
``formulas.algebra.tail_expansion``). The error of each of the three is measured in both tails, and the plain one stays
unless another is far more accurate there.

>>> from symaux.laws.standard_noise import standard_uniform
>>> u = sp.Symbol("u", positive=True)
>>> most_accurate_form(-sp.log(1 - u), standard_uniform(u), (), lambda f: f)
-log1p(-u)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import sympy as sp

from symaux.codegen.stabilise.simplify import Simplify
from symaux.codegen.stabilise.tail_error import Ends, reference_values, tail_errors
from symaux.formulas.algebra.limits import Charted, has_cancellation, sign_at_points, simplify_limit
from symaux.formulas.algebra.tail_expansion import Facts, expand_at_tail, split_powers
from symaux.formulas.functions.elementary import ImplicitQuantile, complement, ndtr
from symaux.formulas.functions.special_function import Special
from symaux.formulas.numeric.points import Point, holds, points
from symaux.formulas.symbols.indices import references
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_normal, is_standard_uniform

U, V = sp.symbols("u_ v_", positive=True)
POINTS, FAR, LONG = 4, sp.Integer(10), 400
FINE, BETTER = (
    2e-14,
    30,
)  # an error that needs no improvement, and how many times smaller that of another formula must be
LOST = 1e-2  # where the error of every formula is at least this, none is better


@lru_cache(maxsize=512)
def most_accurate_form(
    formula: Any, noise: Law, conditions: Sequence[Any], simplify: Simplify, charted: Charted = lambda f: f
) -> Any:
    """Return the most accurate of several equal formulas; ``charted`` substitutes parameters in which signs are visible."""
    there, back = _names(formula, noise.value)
    own = noise.substituted({noise.value: there[noise.value]}) if noise.value in there else None
    if own is None or not _is_measurable(formula):
        return formula
    stated = tuple(c.xreplace(there) for c in conditions)
    best = _find_better(formula.xreplace(there), own, stated, simplify, lambda f: charted(f.xreplace(back)))
    return formula if best is None else best.xreplace(back)


def _names(formula: Any, noise: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Return symbols of our own for all that a formula reads, and the inverse: users' names never reach code from here."""
    read = sorted(set(references(formula)), key=str)
    there = {r: sp.Symbol("e_" if r == noise else f"p{k}_", **_assumed(r)) for k, r in enumerate(read)}
    return there, {symbol: r for r, symbol in there.items()}


def _assumed(reference: Any) -> dict[str, bool]:
    known = {"positive": reference.is_positive, "negative": reference.is_negative, "integer": reference.is_integer}
    return {"real": True, **{name: True for name, value in known.items() if value}}


def _is_measurable(plain: Any) -> bool:
    """Return whether the error of a formula can be measured: it is short, without solvers, branches and sums."""
    return not plain.has(ImplicitQuantile, sp.Piecewise, sp.Sum) and sp.count_ops(plain) < LONG


def _levels(noise: Law) -> list[tuple[Any, Any]]:
    """Return the uniform variables of a noise, each with its complement."""
    e = noise.value
    if is_standard_uniform(noise):
        return [(e, complement(e))]
    return [(ndtr(e), ndtr(-e)), (ndtr(-e), ndtr(e))] if is_standard_normal(noise) else []


def _find_better(
    formula: Any, noise: Law, conditions: tuple[Any, ...], simplify: Simplify, charted: Charted
) -> Any | None:
    """Return the better formula, for both tails or by branches for each; None for the plain one."""
    for level, other in _levels(noise):
        plain = split_powers(formula.xreplace({level: U, other: 1 - U}))
        if not plain.has(noise.value) and not plain.is_polynomial(U):
            at = list(points(plain.free_symbols - {U}, conditions=conditions, seed=11, count=POINTS))
            at += [{}] if not at else _far(at[0], conditions) if not plain.has(Special) else []
            return _compare_errors(formula, plain, noise, {U: level, V: other}, at, simplify, charted)
    return None


def _far(point: Point, conditions: tuple[Any, ...]) -> list[Point]:
    """Return the point with one positive parameter scaled by ten or a tenth, and with all of them scaled in alternation.

    Ordinary points do not show all errors.
    """
    sizes = [s for s in sorted(point, key=str) if s.is_positive and not s.is_integer][:POINTS]
    single = [point | {s: point[s] * FAR**sign} for s in sizes for sign in (-1, 1)]
    turns = [point | {s: point[s] * FAR ** (sign * (-1) ** n) for n, s in enumerate(sizes)} for sign in (-1, 1)]
    return [far for far in single + turns * (len(sizes) > 1) if all(holds(c, far) for c in conditions)]


def _compare_errors(
    formula: Any, plain: Any, noise: Law, back: dict[Any, Any], at: list[Point], simplify: Simplify, charted: Charted
) -> Any | None:
    e = noise.value
    exact = reference_values(formula, noise, at)
    first = tail_errors(formula, e, exact, simplify) if exact else ([], [])
    if max(first[0] + first[1], default=0) < FINE:
        return None
    known = limits_and_signs(at, charted)
    ways = expand_at_tail(plain, U, known), expand_at_tail(plain.xreplace({U: 1 - V}), V, known)
    others = [f.xreplace(back) for f in ways if sp.count_ops(f) < LONG]
    return _most_accurate(
        [(formula, first), *((f, tail_errors(f, e, exact, simplify)) for f in others)],
        sp.StrictLessThan(e, _middle(noise)),
    )


def _middle(noise: Law) -> Any:
    return sp.S.Zero if is_standard_normal(noise) else sp.S.Half


def _most_accurate(measured: list[tuple[Any, Ends]], below: Any) -> Any | None:
    """Return the first formula about as accurate as any in both tails; else the best for each; None for the plain one."""
    behind = [_worst_ratios([ends[end] for _, ends in measured]) for end in (0, 1)]
    for (formula, _), low, high in zip(measured, *behind, strict=True):
        if max(low, high) <= BETTER:
            return None if formula is measured[0][0] else formula
    lower, upper = (measured[excess.index(min(excess))][0] for excess in behind)
    return sp.Piecewise((lower, below), (upper, True), evaluate=False)


def _worst_ratios(errors: list[list[float]]) -> list[float]:
    """Return the largest ratio of each formula's error to the smallest one, over levels and points."""
    least = [max(FINE, min(case)) for case in zip(*errors, strict=True)]
    return [max((e / x for e, x in zip(own, least, strict=True) if x < LOST), default=1.0) for own in errors]


def limits_and_signs(at: list[Point], charted: Charted) -> Facts:
    """Return limits by proof, and signs as seen at a few points: they decide how a formula is written, not its value."""
    return Facts(
        lambda c: simplify_limit(c, at, charted),
        lambda c: sign_at_points(c, at),
        lambda c, parts: has_cancellation(c, parts, at),
    )
