r"""Densities that nobody has named, from a seed: a base, a chain of parameterised monotone maps, and operations on its CDF.

Each construction carries along the distribution function F, the density p and, kept secret from the engine, the quantile
function: $F_Y = F_X \circ h^{-1}$, $p_Y = p_X(h^{-1})\,|(h^{-1})'|$, $Q_Y = h \circ Q_X$ for a map, and $F^a$, Marshall-Olkin,
transmutation and truncation on the way. At the end the parameters are renamed and chosen anew and the formula is rearranged.

>>> one, again = made(3), made(3)
>>> one.density == again.density, one.points == again.points
(True, True)
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import mpmath as mp
import sympy as sp
from sympy import exp, log, oo, pi, sqrt

from corpus.entry import Entry
from corpus.rearrange import rearranged
from corpus.reference import FAILURES, compiled

COUNT, SEED, LONGEST = 200, 2013, 90
X, U = sp.Symbol("z", real=True), sp.Symbol("u", positive=True)
LINE, POSITIVE, UNIT, HALF = (-oo, oo), (0, oo), (0, 1), sp.Rational(1, 2)


@dataclass(frozen=True)
class Built:
    """A law in the making; ``below`` is F(z), ``quantile`` a formula in u."""

    below: sp.Expr
    density: sp.Expr
    quantile: sp.Expr
    support: tuple[Any, Any]
    story: tuple[str, ...]
    values: dict[sp.Symbol, list[Any]] = field(default_factory=dict)  # every parameter at the five points
    conditions: tuple[Any, ...] = ()


def _bases() -> dict[str, tuple[sp.Expr, sp.Expr, sp.Expr, tuple[Any, Any]]]:
    """F, p, Q and support of laws without parameters."""
    normal = exp(-(X**2) / 2) / sqrt(2 * pi)
    return {
        "normal": (sp.erfc(-X / sqrt(2)) / 2, normal, sqrt(2) * sp.erfinv(2 * U - 1), LINE),
        "logistic": (1 / (1 + exp(-X)), exp(-X) / (1 + exp(-X)) ** 2, log(U / (1 - U)), LINE),
        "gumbel": (exp(-exp(-X)), exp(-X - exp(-X)), -log(-log(U)), LINE),
        "cauchy": (HALF + sp.atan(X) / pi, 1 / (pi * (1 + X**2)), -sp.cot(pi * U), LINE),
        "hyperbolic secant": (2 / pi * sp.atan(exp(X)), 1 / (pi * sp.cosh(X)), log(sp.tan(pi * U / 2)), LINE),
        "exponential": (1 - exp(-X), exp(-X), -log(1 - U), POSITIVE),
        "half-logistic": (sp.tanh(X / 2), sp.sech(X / 2) ** 2 / 2, 2 * sp.atanh(U), POSITIVE),
        "rayleigh": (1 - exp(-(X**2) / 2), X * exp(-(X**2) / 2), sqrt(-2 * log(1 - U)), POSITIVE),
        "uniform": (X, sp.S.One, U, UNIT),
    }


def _sinh_arcsinh() -> tuple[Any, Any]:
    return lambda t, e, k: sp.sinh((sp.asinh(t) + e) / k), lambda y, e, k: sp.sinh(k * sp.asinh(y) - e)


# name, where from, where to, h and its inverse (as functions of X and of parameters), kinds of the parameters, direction
def _maps() -> list[tuple[str, Any, Any, Any, Any, str, int]]:
    return [
        ("affine", LINE, LINE, lambda t, m, s: m + s * t, lambda y, m, s: (y - m) / s, "ls", 1),
        ("exp", LINE, POSITIVE, lambda t: exp(t), lambda y: log(y), "", 1),
        ("softplus", LINE, POSITIVE, lambda t: log(1 + exp(t)), lambda y: log(exp(y) - 1), "", 1),
        ("sigmoid", LINE, UNIT, lambda t: 1 / (1 + exp(-t)), lambda y: log(y / (1 - y)), "", 1),
        ("arctan", LINE, UNIT, lambda t: HALF + sp.atan(t) / pi, lambda y: sp.tan(pi * (y - HALF)), "", 1),
        ("sinh-arcsinh", LINE, LINE, *_sinh_arcsinh(), "lk", 1),
        ("sinh", LINE, LINE, lambda t: sp.sinh(t), lambda y: sp.asinh(y), "", 1),
        ("scale", POSITIVE, POSITIVE, lambda t, s: s * t, lambda y, s: y / s, "s", 1),
        ("power", POSITIVE, POSITIVE, lambda t, k: t ** (1 / k), lambda y, k: y**k, "k", 1),
        ("reciprocal", POSITIVE, POSITIVE, lambda t: 1 / t, lambda y: 1 / y, "", -1),
        ("log1p", POSITIVE, POSITIVE, lambda t, s: log(1 + s * t), lambda y, s: (exp(y) - 1) / s, "s", 1),
        ("expm1", POSITIVE, POSITIVE, lambda t, s: (exp(s * t) - 1) / s, lambda y, s: log(1 + s * y) / s, "s", 1),
        ("log", POSITIVE, LINE, lambda t: log(t), lambda y: exp(y), "", 1),
        ("1 - exp", POSITIVE, UNIT, lambda t, s: 1 - exp(-t / s), lambda y, s: -s * log(1 - y), "s", 1),
        ("odds", POSITIVE, UNIT, lambda t: t / (1 + t), lambda y: y / (1 - y), "", 1),
        ("power", UNIT, UNIT, lambda t, k: t ** (1 / k), lambda y, k: y**k, "k", 1),
        ("logit", UNIT, LINE, lambda t: log(t / (1 - t)), lambda y: 1 / (1 + exp(-y)), "", 1),
        ("-log", UNIT, POSITIVE, lambda t, s: -s * log(t), lambda y, s: exp(-y / s), "s", -1),
        ("tan", UNIT, LINE, lambda t: sp.tan(pi * (t - HALF)), lambda y: HALF + sp.atan(y) / pi, "", 1),
        ("interval", UNIT, "interval", lambda t, m, s: m + s * t, lambda y, m, s: (y - m) / s, "ls", 1),
    ]  # fmt: skip


POINTS = {
    "l": [0, "-1.3", "0.8", "0.3", -2],
    "s": [1, "2.5", "0.4", 3, "0.7"],
    "k": [1, "0.5", 5, "2.5", "0.7"],
    "a": [2, "0.4", 8, "1.5", "0.8"],
    "t": ["0.5", "-0.4", "0.9", "-0.8", "0.2"],
}


def _parameter(built: Built, kind: str, rng: random.Random) -> tuple[sp.Symbol, Built]:
    """A new parameter with its values at the five points, in an order of its own."""
    symbol = sp.Symbol(f"p{len(built.values)}", **({"real": True} if kind in "lt" else {"positive": True}))
    values = [POINTS[kind][0], *rng.sample(POINTS[kind][1:], 4)]
    return symbol, replace(built, values=built.values | {symbol: values})


def mapped(built: Built, rng: random.Random) -> Built:
    """The law of h(X) for a random h that starts where X lives."""
    name, _, to, forth, back, kinds, direction = rng.choice([m for m in _maps() if m[1] == built.support])
    parameters = []
    for kind in kinds:
        symbol, built = _parameter(built, kind, rng)
        parameters.append(symbol)
    inverse = back(X, *parameters)
    below = built.below.xreplace({X: inverse})
    level = U if direction == 1 else 1 - U
    return replace(
        built,
        below=below if direction == 1 else 1 - below,
        density=built.density.xreplace({X: inverse}) * direction * sp.diff(inverse, X),
        quantile=forth(built.quantile.xreplace({U: level}), *parameters),
        support=(parameters[0], sum(parameters)) if to == "interval" else to,
        story=(*built.story, name),
    )


def powered(built: Built, rng: random.Random) -> Built:
    """F^a or 1 - (1 - F)^a."""
    a, built = _parameter(built, "a", rng)
    f, p = built.below, built.density
    if rng.random() < 0.5:
        below, density, level = f**a, a * f ** (a - 1) * p, U ** (1 / a)
    else:
        below, density, level = 1 - (1 - f) ** a, a * (1 - f) ** (a - 1) * p, 1 - (1 - U) ** (1 / a)
    return _operated(built, below, density, level, "power of F")


def tilted(built: Built, rng: random.Random) -> Built:
    """Marshall-Olkin: F / (F + a (1 - F))."""
    a, built = _parameter(built, "a", rng)
    f, p = built.below, built.density
    return _operated(
        built, f / (f + a * (1 - f)), a * p / (f + a * (1 - f)) ** 2, a * U / (1 - U + a * U), "Marshall-Olkin"
    )


def transmuted(built: Built, rng: random.Random) -> Built:
    """(1 + t) F - t F^2 for t in (-1, 1)."""
    t, built = _parameter(built, "t", rng)
    f, p = built.below, built.density
    level = 2 * U / (1 + t + sqrt((1 + t) ** 2 - 4 * t * U))
    made = _operated(built, (1 + t) * f - t * f**2, (1 + t - 2 * t * f) * p, level, "transmuted")
    return replace(made, conditions=(*built.conditions, t < 1, t > -1))


def truncated(built: Built, rng: random.Random) -> Built:
    """Between two parameters, or above one."""
    lower, upper = built.support
    low, built = _parameter(built, "l" if lower == -oo else "s", rng)
    f, p = built.below, built.density
    at_low = f.xreplace({X: low})
    if rng.random() < 0.5:
        below, density, level = (f - at_low) / (1 - at_low), p / (1 - at_low), at_low + U * (1 - at_low)
        return replace(_operated(built, below, density, level, "truncated"), support=(low, upper))
    width, built = _parameter(built, "s", rng)
    mass = f.xreplace({X: low + width}) - at_low
    made = _operated(built, (f - at_low) / mass, p / mass, at_low + U * mass, "truncated on both sides")
    return replace(made, support=(low, low + width))


def _operated(built: Built, below: sp.Expr, density: sp.Expr, level: sp.Expr, word: str) -> Built:
    return replace(
        built, below=below, density=density, quantile=built.quantile.xreplace({U: level}), story=(*built.story, word)
    )


@lru_cache(maxsize=COUNT)
def made(seed: int) -> Entry:
    """One law; formulas that came out too long for a person to write are thrown away and drawn again."""
    rng = random.Random(seed)
    while True:
        built = _drawn(rng)
        if built.values and sp.count_ops(built.density) <= LONGEST and _sound(entry := _entry(built, seed)):
            return rearranged(entry, seed, steps=rng.randint(3, 6))


def _sound(entry: Entry) -> bool:
    """Whether the formula has a value at every point, in the middle of the law and in its tails."""
    own: Any = entry.quantile
    with mp.workdps(40):
        for point in entry.points:
            at = {s.name: mp.mpf(int(v.p)) / int(v.q) for s, v in entry.at(point).items()}
            try:
                density = compiled(entry.density, entry.value, entry.parameters)(*at.values())
                heights = [density(own(mp.mpf(u), **at)) for u in ("1e-4", "0.3", "0.99")]
            except FAILURES:
                return False
            if not all(mp.isfinite(h) and mp.re(h) > 0 for h in heights):
                return False
    return True


def _drawn(rng: random.Random) -> Built:
    name = rng.choice(sorted(_bases()))
    below, density, quantile, support = _bases()[name]
    built = Built(below, density, quantile, support, (name,))
    plan = ["map"] * rng.randint(1, 3) + rng.sample(
        ["power", "tilt", "transmute", "truncate"], rng.choice([0, 0, 1, 1, 2])
    )
    rng.shuffle(plan)
    for step in plan:
        if step == "map" and built.support in (LINE, POSITIVE, UNIT):
            built = mapped(built, rng)
        elif step == "truncate" and built.support in (LINE, POSITIVE):
            built = truncated(built, rng)
        elif step != "map" and step != "truncate":
            built = {"power": powered, "tilt": tilted, "transmute": transmuted}[step](built, rng)
    return built


def _entry(built: Built, seed: int) -> Entry:
    names = list(built.values)
    points = tuple({s.name: sp.Rational(str(built.values[s][k])) for s in names} for k in range(5))
    secret = sp.lambdify([U, *names], built.quantile, "mpmath")

    def quantile(u: Any, **given: Any) -> Any:
        return mp.re(secret(u, *(given[s.name] for s in names)))

    story = " > ".join(built.story)
    return Entry(f"u{seed}", X, built.density, built.support, points, built.conditions, quantile=quantile, about=story)


def entries(count: int = COUNT, seed: int = SEED) -> list[Entry]:
    """``count`` laws from one seed."""
    return [made(1000 * seed + number) for number in range(count)]
