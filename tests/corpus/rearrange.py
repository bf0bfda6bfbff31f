"""The same law in other words: parameters renamed and chosen anew, the formula expanded, put together or taken apart.

Every step is an identity on the support; one that changes the number at a point (a root taken apart on the wrong branch) is
undone, so the density stays the same function.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import mpmath as mp
import sympy as sp

from corpus.entry import Entry, Point
from corpus.reference import FAILURES, compiled, laid_out, number

LETTERS = [*"qrvgh", "xi", "eta", "theta", "zeta", "tau", "psi", "omega", "lam", "delta", "n0", "m0", "k1", "p2", "w3"]
VALUES = ["y", "t", "v", "x", "r"]
LONGEST = 220  # operations; a step that makes a formula longer is undone
Step = Callable[[sp.Expr], sp.Expr]


def powers_as_exponentials(f: sp.Expr) -> sp.Expr:
    """b**e with a symbol in e, as exp(e*log(b))."""
    return f.replace(
        lambda e: isinstance(e, sp.Pow) and bool(e.exp.free_symbols),
        lambda e: sp.exp(e.exp * sp.log(e.base), evaluate=False),
    )


def one_exponential(f: sp.Expr) -> sp.Expr:
    """The whole density as the exponential of its logarithm, taken apart."""
    if f.has(sp.Piecewise):
        return f
    return sp.exp(sp.expand_log(sp.log(f), force=True), evaluate=False)


def hyperbolic_as_exponentials(f: sp.Expr) -> sp.Expr:
    return f.replace(sp.cosh, lambda t: (sp.exp(t) + sp.exp(-t)) / 2).replace(
        sp.asinh, lambda t: sp.log(t + sp.sqrt(t**2 + 1))
    )


def other_error_function(f: sp.Expr) -> sp.Expr:
    return f.replace(sp.erfc, lambda t: 1 - sp.erf(t))


def moduli_as_pieces(f: sp.Expr) -> sp.Expr:
    return f.replace(sp.Abs, lambda t: sp.Piecewise((t, t >= 0), (-t, True)))


def betas_as_gammas(f: sp.Expr) -> sp.Expr:
    return f.replace(sp.beta, lambda a, b: sp.gamma(a) * sp.gamma(b) / sp.gamma(a + b))


def factored(f: sp.Expr) -> sp.Expr:
    return sp.factor_terms(f)


STEPS: tuple[Step, ...] = (
    sp.expand,
    sp.expand_power_base,
    sp.expand_power_exp,
    sp.together,
    sp.powsimp,
    factored,
    powers_as_exponentials,
    one_exponential,
    hyperbolic_as_exponentials,
    other_error_function,
    moduli_as_pieces,
    betas_as_gammas,
)


def rearranged(entry: Entry, seed: int, steps: int = 7) -> Entry:
    """An equal law with other names, other parameters and another formula; the same for the same seed."""
    rng = random.Random(f"{entry.name} {seed}")
    made = _reparameterised(entry, rng)
    if made.density.has(sp.Sum):
        return made
    density = made.density
    for step in rng.sample(STEPS, len(STEPS))[:steps]:
        density = _kept(density, step, made)
    return replace(made, density=density)


def _kept(density: sp.Expr, step: Step, entry: Entry) -> sp.Expr:
    changed = step(density)
    if changed == density or sp.count_ops(changed) > LONGEST:
        return density
    return changed if same(density, changed, entry) else density


def same(one: sp.Expr, other: sp.Expr, entry: Entry) -> bool:
    """Whether two formulas have the same values, to twenty digits, at every place where the first has one."""
    for at, places in samples(entry):
        with mp.workdps(40):
            given = [mp.mpf(int(v.p)) / int(v.q) for v in at.values()]
            for z in places:
                p, q = (_at(f, entry, given, z) for f in (one, other))
                if p is not None and (q is None or abs(p - q) > mp.mpf(10) ** -20 * abs(p)):
                    return False
    return True


def _at(formula: sp.Expr, entry: Entry, given: list[Any], z: Any) -> Any:
    try:
        found = compiled(formula, entry.value, entry.parameters)(*given)(z)
    except FAILURES:
        return None
    return found if mp.isfinite(found) else None


def samples(entry: Entry) -> Iterator[tuple[dict[sp.Symbol, sp.Rational], list[Any]]]:
    """Every point of an entry with places inside the support."""
    for point in entry.points:
        at = entry.at(point)
        with mp.workdps(40):
            given = {s: mp.mpf(int(v.p)) / int(v.q) for s, v in at.items()}
            place = laid_out(*(number(sp.sympify(end), given) for end in entry.support))
            yield at, [place(mp.mpf(t))[0] for t in ("-1.7", "-0.41", "0.83")]


# ------------------------------------------------------------------------------------------------------------- parameters


def _positive(symbol: sp.Symbol, name: str, rng: random.Random) -> tuple[sp.Expr, Callable[[Any], Any]]:
    """A positive parameter as a new one, a reciprocal, a root or an exponential, with the way back for points."""
    new, line = sp.Symbol(name, positive=True), sp.Symbol(name, real=True)
    ways: list[tuple[sp.Expr, Callable[[Any], Any]]] = [
        (new, lambda v: v),
        (1 / new, lambda v: 1 / v),
        (sp.sqrt(new), lambda v: v**2),
        (sp.exp(line), lambda v: sp.Rational(str(round(float(sp.log(v)), 6)))),
    ]
    return rng.choice(ways if symbol.name == "scale" else ways[:2] + ways[3:])


def _any(symbol: sp.Symbol, name: str, rng: random.Random) -> tuple[sp.Expr, Callable[[Any], Any]]:
    if symbol.is_integer:
        return sp.Symbol(name, integer=True, positive=True), lambda v: v
    if symbol.is_positive:
        return _positive(symbol, name, rng)
    new = sp.Symbol(name, real=True)
    return rng.choice([(new, lambda v: v), (-new, lambda v: -v), (2 * new, lambda v: v / 2)])


def _reparameterised(entry: Entry, rng: random.Random) -> Entry:
    names, value = rng.sample(LETTERS, len(entry.parameters)), rng.choice(VALUES)
    names = [n + "0" if n == value else n for n in names]
    chosen = {symbol: _any(symbol, name, rng) for symbol, name in zip(entry.parameters, names, strict=True)}
    z = sp.Symbol(value, **entry.value.assumptions0)
    mapping: dict[Any, Any] = {s: formula for s, (formula, _) in chosen.items()} | {entry.value: z}
    back = {s.name: (next(iter(formula.free_symbols)).name, way) for s, (formula, way) in chosen.items()}
    points = tuple(_moved(point, back) for point in entry.points)

    def renamed(given: dict[str, Any]) -> dict[str, Any]:
        """New parameter values as those of the original."""
        numbers = {}
        for symbol, (formula, _) in chosen.items():
            (new,) = formula.free_symbols
            numbers[symbol.name] = sp.lambdify(new, formula, "mpmath")(given[new.name])
        return numbers

    own, quantile = entry.numeric, entry.quantile
    return replace(
        entry,
        value=z,
        density=entry.density.subs(mapping, simultaneous=True),
        support=tuple(sp.sympify(end).subs(mapping, simultaneous=True) for end in entry.support),
        points=points,
        conditions=tuple(c.subs(mapping, simultaneous=True) for c in entry.conditions),
        breaks=tuple(b.subs(mapping, simultaneous=True) for b in entry.breaks),
        numeric=None if own is None else lambda z, **given: own(z, **renamed(given)),
        quantile=None if quantile is None else lambda u, **given: quantile(u, **renamed(given)),
    )


def _moved(point: Point, back: dict[str, Any]) -> Point:
    return {back[name][0]: back[name][1](value) for name, value in point.items() if name in back}
