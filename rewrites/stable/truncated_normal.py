r"""Quantiles of a normal law cut off at one end or at both, by the tail that is small.

$$\Phi^{-1}(\Phi(a) + u(\Phi(b) - \Phi(a))),\qquad \Phi^{-1}(u\,\Phi(b)),\qquad \Phi^{-1}(\Phi(a) + u\,\Phi(-a)),\qquad
b - \Phi^{-1}(u\,\Phi(b)),$$

and $\mu + s\,\Phi^{-1}(\dots)$ by its distance from the nearer cut $\mu + sa$ or $\mu + sb$.

Applies where the level is a mean of two values of $\Phi$, of which one may be 0 or 1.

>>> u, a, b = sp.Symbol("u", positive=True), *sp.symbols("a b", real=True)
>>> truncated_normal(ndtri(ndtr(a) + u*(ndtr(b) - ndtr(a))))
normal_between(u, 1 - u, a, b, 0, 1)
>>> truncated_normal(ndtri(u*ndtr(b))), truncated_normal(ndtri(ndtr(a) + u*ndtr(-a)))
(ndtri_below(u, 1 - u, b), -ndtri_below(1 - u, u, -a))
>>> truncated_normal(b - ndtri_below(u, 1 - u, b))
ndtri_gap(u, 1 - u, b)
>>> s = sp.Symbol("s", positive=True)
>>> truncated_normal(a + s*normal_between(u, 1 - u, -a/s, (b - a)/s, 0, 1))
normal_between(u, 1 - u, 0, b, a, s)
"""

from __future__ import annotations

import itertools
from typing import Any

import sympy as sp

from symaux.rules.toolkit import ndtr, ndtri, ndtri_below, ndtri_gap, normal_between


def truncated_normal(formula: Any) -> Any | None:
    """A quantile between cuts, or its distance from a cut."""
    match formula:
        case ndtri() if formula.args[0].has(ndtr):
            return _cut(formula.args[0])
        case sp.Add():
            return _gap(formula) or _moved(formula)
        case sp.Mul():
            return _moved(formula)
    return None


def _cut(level: Any) -> Any | None:
    """The quantile at a level that is a mean of two values of the normal distribution function, 0 and 1 included."""
    turned = level.replace(lambda f: isinstance(f, ndtr) and f.args[0].could_extract_minus_sign(), _mirrored)
    for spelled in (level, turned):
        values = sorted(spelled.atoms(ndtr), key=str)
        for number in (2, 1):
            for points in itertools.combinations(values, number):
                found = _mean(spelled, points)
                if found is not None:
                    return found
    return None


def _mirrored(value: Any) -> Any:
    return 1 - ndtr(-value.args[0])


def _mean(level: Any, points: tuple[Any, ...]) -> Any | None:
    """The quantile, where the level is linear in the given values, with weights that add up to one."""
    plain = sp.expand(level.xreplace({p: sp.Dummy(f"p{k}") for k, p in enumerate(points)}))
    marks = sorted(plain.atoms(sp.Dummy), key=str)
    weights = [plain.diff(mark) for mark in marks]
    rest = plain.xreplace(dict.fromkeys(marks, sp.S.Zero))
    if len(marks) < len(points) or any(w == 0 or w.has(*marks) for w in weights) or rest.has(*marks):
        return None
    ends = [p.args[0] for p in points]
    match weights:
        case [u] if rest == 0 and u.free_symbols:
            return ndtri_below(u, 1 - u, ends[0])
        case [v] if v.free_symbols and sp.expand(rest + v - 1) == 0:
            return -ndtri_below(v, _other(v), -ends[0])
        case [v, u] if rest == 0 and sp.expand(u + v - 1) == 0:
            u = 1 - v if isinstance(u, sp.Add) else u
            return normal_between(u, 1 - u, *ends, 0, 1)
    return None


def _other(weight: Any) -> Any:
    return sp.expand(1 - weight)


def _gap(formula: Any) -> Any | None:
    """c b - c times a quantile below b, among the terms of a sum."""
    for term in formula.args:
        for quantile in (f for f in sp.Mul.make_args(term) if isinstance(f, ndtri_below)):
            for u, b in _readings(quantile):
                other = -term / quantile * b
                if other in formula.args:
                    left = (t for t in formula.args if t not in (term, other))
                    return sp.Add(*left, -term / quantile * ndtri_gap(u, 1 - u, b))
    return None


def _moved(formula: Any) -> Any | None:
    """R + k times a quantile, as one between the cuts R + k a and R + k b, where one of these is a name or a number."""
    for term in sp.Add.make_args(formula):
        for quantile in (f for f in sp.Mul.make_args(term) if isinstance(f, normal_between | ndtri_below)):
            k = sp.Mul(*(f for f in sp.Mul.make_args(term) if f is not quantile))
            way = 1 if k.is_positive else -1 if k.is_negative else 0
            u, v, *places = quantile.args if isinstance(quantile, normal_between) else _one_cut(quantile)
            move = sp.Add(*(t for t in sp.Add.make_args(formula) if t is not term))
            *cuts, mean = (sp.expand(move + k * x) for x in places[:3])
            simple = [c for c in cuts if c.is_Atom and not c.is_infinite]
            if way and (k != 1 or move != 0) and simple and not move.has(normal_between, ndtri_below):
                ends = cuts if way == 1 else cuts[::-1]
                return normal_between(*((u, v) if way == 1 else (v, u)), *ends, mean, way * k * places[3])
    return None


def _one_cut(quantile: Any) -> tuple[Any, ...]:
    """The arguments of a quantile below a cut, as one between two cuts."""
    u, v, b = quantile.args
    return u, v, -sp.oo, b, sp.S.Zero, sp.S.One


def _readings(quantile: Any) -> list[tuple[Any, Any]]:
    """Of a product of two values of the normal distribution function, either may be the level."""
    u, _, b = quantile.args
    return [(u, b), *([(ndtr(b), u.args[0])] if isinstance(u, ndtr) else [])]
