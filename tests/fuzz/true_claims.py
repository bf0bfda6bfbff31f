"""True claims by construction: monotone maps of noises, whose density follows from the inverse, in disguise.

$z = g(e)$ with the inverse h has the density $q(h(z))\\,|h'(z)|$. It is then written in another way: expanded, with another
parameter, with branches for moduli, with exponentials for hyperbolic functions. The oracle compares probabilities of intervals
by quadrature. Nothing here comes from the checker.
"""

# ruff: noqa: SIM300  (symbols in capitals are not constants)
from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import mpmath as mp
import sympy as sp

import symaux as sa
from fuzz.claim import Claim, Given, ask_density, ask_form, density_text, draw, form_text, numeric, transports
from fuzz.false_files import _forms, _models, ask_record
from symaux.exchange.archive.records import with_words

Z, E, M = sp.symbols("z e m", real=True)
X, U, S, K, T = sp.symbols("x u s k t", positive=True)
HALF, PI = sp.S.Half, sp.pi
LINE, RAY, UNIT = (-sp.oo, sp.oo), (0, sp.oo), (0, 1)
POINT = {M: sp.Rational(1, 3), S: sp.Rational(7, 5), K: sp.Rational(9, 4), T: sp.Rational(6, 5)}

NOISES: dict[tuple, list[Callable[[sp.Symbol], sp.Expr]]] = {
    LINE: [
        lambda v: sp.exp(-(v**2) / 2) / sp.sqrt(2 * PI),
        lambda v: sp.exp(-v) / (1 + sp.exp(-v)) ** 2,
        lambda v: sp.exp(-v - sp.exp(-v)),
        lambda v: 1 / (PI * (1 + v**2)),
    ],
    RAY: [
        lambda v: sp.exp(-v),
        lambda v: v * sp.exp(-(v**2) / 2),
        lambda v: sp.sqrt(2 / PI) * sp.exp(-(v**2) / 2),
        lambda v: 1 / (1 + v) ** 2,
    ],
    UNIT: [lambda v: sp.Integer(1), lambda v: 2 * v, lambda v: 6 * v * (1 - v**2) ** 2],
}
PLACES = {
    LINE: [sp.Rational(n, 4) for n in (-5, -1, 2, 6)],
    RAY: [sp.Rational(n, 4) for n in (1, 3, 7)],
    UNIT: [sp.Rational(n, 10) for n in (2, 5, 9)],
}


@dataclass(frozen=True)
class Map:
    """An increasing or decreasing map between two supports, and its inverse."""

    name: str
    start: tuple
    end: tuple
    g: Callable[[Any], Any]
    h: Callable[[Any], Any]


MAPS = [
    Map("affine", LINE, LINE, lambda e: M + S * e, lambda z: (z - M) / S),
    Map("reflected", LINE, LINE, lambda e: M - S * e, lambda z: (M - z) / S),
    Map("exp", LINE, RAY, lambda e: sp.exp(M + S * e), lambda z: (sp.log(z) - M) / S),
    Map("sinh", LINE, LINE, lambda e: M + S * sp.sinh(e), lambda z: sp.asinh((z - M) / S)),
    Map("sigmoid", LINE, UNIT, lambda e: 1 / (1 + sp.exp(-M - S * e)), lambda z: (sp.log(z) - sp.log(1 - z) - M) / S),
    Map("softplus", LINE, RAY, lambda e: sp.log(1 + sp.exp(e)), lambda z: sp.log(sp.exp(z) - 1)),
    Map("scale", RAY, RAY, lambda e: S * e, lambda z: z / S),
    Map("power", RAY, RAY, lambda e: S * e ** (1 / K), lambda z: (z / S) ** K),
    Map("reciprocal", RAY, RAY, lambda e: S / e, lambda z: S / z),
    Map("log", RAY, LINE, lambda e: M + S * sp.log(e), lambda z: sp.exp((z - M) / S)),
    Map("odds", RAY, UNIT, lambda e: e / (1 + e), lambda z: z / (1 - z)),
    Map("saturation", RAY, UNIT, lambda e: 1 - sp.exp(-S * e), lambda z: -sp.log(1 - z) / S),
    Map("log1p", RAY, RAY, lambda e: S * sp.log(1 + e), lambda z: sp.exp(z / S) - 1),
    Map("quadratic", RAY, RAY, lambda e: e + e**2, lambda z: (sp.sqrt(1 + 4 * z) - 1) / 2),
    Map("minus log", UNIT, RAY, lambda e: -S * sp.log(e), lambda z: sp.exp(-z / S)),
    Map("logit", UNIT, LINE, lambda e: M + S * sp.log(e / (1 - e)), lambda z: 1 / (1 + sp.exp(-(z - M) / S))),
    Map("root", UNIT, UNIT, lambda e: e ** (1 / K), lambda z: z**K),
    Map("complement", UNIT, UNIT, lambda e: 1 - e, lambda z: 1 - z),
    Map("tan", UNIT, LINE, lambda e: M + S * sp.tan(PI * (e - HALF)), lambda z: HALF + sp.atan((z - M) / S) / PI),
    Map("ratio", UNIT, RAY, lambda e: S * e / (1 - e), lambda z: z / (z + S)),
]


def _symbol(support: tuple, names: str) -> sp.Symbol:
    return sp.Symbol(names[0], real=True) if support == LINE else sp.Symbol(names[1], positive=True)


def _made(rng: random.Random, maps: list[Map]) -> tuple[sp.Expr, sp.Symbol, tuple, Given, sp.Expr]:
    """Return the log-density, the variable, the support, the noise and g for maps one after the other."""
    noise = _symbol(maps[0].start, "eu")
    density = rng.choice(NOISES[maps[0].start])
    value = _symbol(maps[-1].end, "zx")
    g: Any = noise
    for each in maps:
        g = each.g(g)
    h: Any = value
    for each in reversed(maps):
        h = each.h(h)
    slope = sp.Abs(sp.simplify(sp.diff(h, value)))
    return sp.log(density(h)) + sp.log(slope), value, maps[-1].end, Given(noise, density(noise), maps[0].start), g


def _claim(
    kind: str, rng: random.Random, maps: list[Map], disguise: Callable[[sp.Expr], sp.Expr], **more: Any
) -> Claim:
    log_density, value, support, noise, g = _made(rng, maps)
    change = more.get("change", {})
    written = disguise(log_density.subs(change))
    g = g.subs(change)
    law = Given(value, written, support, more.get("conditions", ()), True)
    if more.get("plain"):
        law = Given(value, written, support, more.get("conditions", ()))
    point = {**POINT, **more.get("point", {})}
    places = PLACES[maps[0].start]
    oracle = lambda: transports(law.at(point), noise.at(point), g.subs(point), places)  # noqa: E731
    why = f"{' then '.join(m.name for m in maps)} of {noise.density}"
    return Claim(kind, form_text(law, [noise], g), why, ask_form(law, [noise], g), oracle)


def expanded(rng: random.Random) -> Claim:
    """A log-density with every product and logarithm taken apart."""
    return _claim("expanded", rng, [rng.choice(MAPS)], lambda f: sp.expand(sp.expand_log(f)))


def density_form(rng: random.Random) -> Claim:
    """A density, not its logarithm, put over one denominator or powers collected."""
    tidy = rng.choice((sp.together, sp.powsimp, sp.factor_terms, lambda f: f))
    return _claim("density_form", rng, [rng.choice(MAPS)], lambda f: tidy(sp.exp(sp.expand_log(f))), plain=True)


def reparametrised(rng: random.Random) -> Claim:
    """Another parameter: a precision, a rate, a logarithm of the scale, a square."""
    maps = [m for m in MAPS if S in sp.sympify(m.g(E)).free_symbols]
    change = rng.choice(({S: 1 / sp.sqrt(T)}, {S: 1 / T}, {S: sp.exp(M)}, {S: T**2}, {S: sp.sqrt(T / 2)}, {S: T + K}))
    return _claim("reparametrised", rng, [rng.choice(maps)], lambda f: sp.expand_log(f), change=change)


def composed(rng: random.Random) -> Claim:
    """Two maps, one after the other, the second with numbers for its parameters."""
    first = rng.choice(MAPS)
    second = rng.choice([m for m in MAPS if m.start == first.end])
    numbers = {M: draw(rng, -5, 5, 3), S: draw(rng, 1, 9, 3), K: draw(rng, 2, 9, 3)}
    fixed = replace(second, g=lambda e: _at(second.g, e, numbers), h=lambda z: _at(second.h, z, numbers))
    return _claim("composed", rng, [first, fixed], sp.expand_log)


def _at(f: Callable[[Any], Any], value: Any, numbers: dict) -> Any:
    place = sp.Dummy(positive=True) if sp.sympify(value).is_positive else sp.Dummy(real=True)
    return sp.sympify(f(place)).subs(numbers).xreplace({place: value})


def far_region(rng: random.Random) -> Claim:
    """Conditions that keep ordinary parameters out, or that concern a symbol which the law does not read."""
    limit = sp.Integer(rng.choice((1000, 10**6)))
    maps = [m for m in MAPS if m.name in ("affine", "scale", "minus log", "ratio", "logit", "log1p", "reciprocal")]
    conditions, point = rng.choice(
        (
            ((S > limit,), {S: limit + 1}),
            ((S > limit, S < limit + 1), {S: limit + HALF}),
            ((T > 5,), {}),
            ((S < 1 / limit,), {S: 1 / (2 * limit)}),
        )
    )
    return _claim("far_region", rng, [rng.choice(maps)], sp.expand_log, conditions=conditions, point=point)


def far_numbers(rng: random.Random) -> Claim:
    """A density by its formula with a large mean and a small deviation, and nothing but numbers."""
    mean, scale = sp.Integer(rng.randint(100, 5000)), draw(rng, 1, 50, 5)
    tidy = rng.choice((sp.expand, lambda f: f))
    w = (Z - mean) / scale
    density, standard = rng.choice(
        (
            (sp.exp(tidy(-(w**2) / 2)) / (scale * sp.sqrt(2 * PI)), NOISES[LINE][0]),
            (sp.exp(-w) / (scale * (1 + sp.exp(-w)) ** 2), NOISES[LINE][1]),
            (sp.exp(-w - sp.exp(-w)) / scale, NOISES[LINE][2]),
            (1 / (PI * scale * (1 + w**2)), NOISES[LINE][3]),
        )
    )
    law = Given(Z, density, LINE)
    moved = sp.lambdify([E], (density.subs(Z, mean + scale * E) * scale / standard(E)), modules=["mpmath"])
    oracle = lambda: all(abs(moved(mp.mpf(k) / 2) - 1) < mp.mpf(10) ** -20 for k in (-4, -1, 0, 3))  # noqa: E731
    return Claim("far_numbers", density_text(law), f"mean {mean}, scale {scale}", ask_density(law), oracle)


def branches(rng: random.Random) -> Claim:
    """Moduli as branches: Laplace, its asymmetric form, a triangle, a tent of exponentials, with g in branches."""
    up, down = draw(rng, 1, 9, 4), draw(rng, 1, 9, 4)
    cut = draw(rng, 1, 9, 10)
    way = rng.randrange(4)
    if way == 0:  # weights p below and 1 - p above, with scales of their own
        density = sp.Piecewise((cut / (down * S) * sp.exp((Z - M) / (down * S)), Z < M),
                               ((1 - cut) / (up * S) * sp.exp(-(Z - M) / (up * S)), True))  # fmt: skip
        g = sp.Piecewise((M + down * S * sp.log(U / cut), U < cut), (M - up * S * sp.log((1 - U) / (1 - cut)), True))
        support = LINE
    elif way == 1:  # a triangle on (0, 1) with its top at the cut
        density = sp.Piecewise((2 * X / cut, X < cut), (2 * (1 - X) / (1 - cut), True))
        g = sp.Piecewise((sp.sqrt(cut * U), U < cut), (1 - sp.sqrt((1 - cut) * (1 - U)), True))
        support = UNIT
    elif way == 2:  # two constant heights
        low = draw(rng, 1, 9, 10)
        density = sp.Piecewise((low / cut, X < cut), ((1 - low) / (1 - cut), True))
        g = sp.Piecewise((cut * U / low, U < low), (cut + (1 - cut) * (U - low) / (1 - low), True))
        support = UNIT
    else:  # Laplace, the branches in the other order and the exponent by max and min
        density = sp.Piecewise((sp.exp(-(Z - M) / S), Z > M), (sp.exp((Z - M) / S), True)) / (2 * S)
        g = sp.Piecewise((M - S * sp.log(2 - 2 * U), U > HALF), (M + S * sp.log(2 * U), True))
        support = LINE
    law, noise = Given(Z if support == LINE else X, density, support), Given(U, sp.Integer(1), UNIT)
    cuts = [cut, POINT[M]]
    places = [sp.Rational(n, 20) for n in (1, 5, 9, 13, 19)]
    oracle = lambda: transports(law.at(POINT), noise, g.subs(POINT), places, cuts)  # noqa: E731
    return Claim("branches", form_text(law, [noise], g), f"branches, way {way}", ask_form(law, [noise], g), oracle)


def exponential_sums(rng: random.Random) -> Claim:
    """Hyperbolic functions by their exponentials, and exponentials by hyperbolic functions."""
    w = (Z - M) / S
    sech2 = 1 / sp.cosh(w / 2) ** 2 / (4 * S)
    way = rng.randrange(5)
    density, g = (
        (sech2, M + S * sp.log(U / (1 - U))),
        (1 / (S * (2 + sp.exp(w) + sp.exp(-w))), M + S * sp.log(U / (1 - U))),
        (1 / (PI * S * sp.cosh(w)), M + S * sp.log(sp.tan(PI * U / 2))),
        (2 / (PI * S * (sp.exp(w) + sp.exp(-w))), M + S * sp.log(sp.tan(PI * U / 2))),
        ((1 - sp.tanh(w / 2) ** 2) / (4 * S), M + 2 * S * sp.atanh(2 * U - 1)),
    )[way]
    law, noise = Given(Z, density, LINE), Given(U, sp.Integer(1), UNIT)
    places = [sp.Rational(n, 10) for n in (1, 4, 8)]
    oracle = lambda: transports(law.at(POINT), noise, g.subs(POINT), places)  # noqa: E731
    return Claim("exponential_sums", form_text(law, [noise], g), f"way {way}", ask_form(law, [noise], g), oracle)


def polynomial(rng: random.Random) -> Claim:
    """A positive polynomial on (0, 1) as the noise of a uniform law, by its own distribution function."""
    root, floor = draw(rng, 1, 9, 10), draw(rng, 1, 9, 20)
    slope = ((U - root) ** 2 + floor) * (1 + draw(rng, 0, 4, 3) * U)
    total = sp.integrate(sp.expand(slope), (U, 0, 1))
    g = sp.integrate(sp.expand(slope), U) / total
    noise, law = Given(U, sp.expand(slope / total), UNIT), Given(Z, sp.Integer(1), UNIT)
    if rng.random() < 0.4:
        law, g = Given(X, sp.exp(-X), RAY), -sp.log(1 - g)
    oracle = lambda: transports(law, noise, g, PLACES[UNIT])  # noqa: E731
    return Claim("polynomial", form_text(law, [noise], g), "a distribution function", ask_form(law, [noise], g), oracle)


def two_noises(rng: random.Random) -> Claim:
    """Sums and differences of two noises, checked by their convolution."""
    d = sp.Symbol("d", real=True)
    a, b = draw(rng, 1, 9, 4), draw(rng, 1, 9, 4)
    if rng.random() < 0.6:
        one, two = (Given(v, NOISES[LINE][0](v), LINE) for v in (E, d))
        law = Given(Z, sp.exp(-((Z - M) ** 2) / (2 * (a**2 + b**2))) / sp.sqrt(2 * PI * (a**2 + b**2)), LINE)
        g, low = M + a * E + b * d, -mp.inf
    else:
        v, b = sp.Symbol("v", positive=True), a
        one, two = Given(U, sp.exp(-U), RAY), Given(v, sp.exp(-v), RAY)
        law = Given(Z, sp.exp(-sp.Abs(Z - M) / a) / (2 * a), LINE)
        g, low = M + a * U - a * v, mp.mpf(0)

    def oracle() -> bool:
        q1, q2, p = (
            numeric([one.value], one.density),
            numeric([two.value], two.density),
            numeric([Z], law.density.subs(POINT)),
        )
        at, x, y = mp.mpf(str(sp.N(POINT[M] - 1, 45))), mp.mpf(a.p) / a.q, mp.mpf(b.p) / b.q
        if low == 0:  # a u - a v = -1 with u > 0: v from 1/a on
            found = mp.quad(lambda w: q1(w - 1 / x) * q2(w) / x, [1 / x, mp.inf])
        else:
            found = mp.quad(lambda w: q1((-1 - y * w) / x) * q2(w) / x, [-mp.inf, 0, mp.inf])
        return abs(found - p(at)) < mp.mpf(10) ** -15

    return Claim("two_noises", form_text(law, [one, two], g), "a convolution", ask_form(law, [one, two], g), oracle)


def records(rng: random.Random) -> Claim:
    """The record of a form, as it was written."""
    form = _forms(rng)
    return Claim("records", str(form), "not tampered with", ask_record(with_words(form)), lambda: True)


def models(rng: random.Random) -> Claim:
    """A model and its auxiliary form."""
    made: sa.Derivation = _models(rng)
    return Claim("models", str(made.before), "as symaux derived it", made.verify, lambda: True)


CLASSES = {
    f.__name__: f
    for f in (
        expanded, density_form, reparametrised, composed, far_region, far_numbers, branches, exponential_sums, polynomial,
        two_noises, records, models,
    )
}  # fmt: skip
