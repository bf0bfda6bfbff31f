"""False claims by construction, about maps: folds, hidden steps, wrong ends of a support, changes that few points meet.

See ``false_claims`` for what all have in common.
"""

# ruff: noqa: SIM300  (symbols in capitals are not constants)
from __future__ import annotations

import random
from typing import Any

import mpmath as mp
import sympy as sp

from fuzz.claim import Claim, Given, ask_form, draw, form_text, numeric
from fuzz.false_claims import BASES, SMALLEST, STEPS, E, U, Z, tiny

M, S = sp.Symbol("m", real=True), sp.Symbol("s", positive=True)


def fold(rng: random.Random) -> Claim:
    """A map that turns back on a short interval, with the noise |g'| p(g), which the change of variables cannot tell."""
    width = sp.Rational(rng.randint(1, 5), 10 ** rng.choice((1, 3, 4, 4)))
    centre = draw(rng, 200, 800, 1000)
    slope = (U - centre) ** 2 - (width / 2) ** 2
    total = sp.integrate(sp.expand(slope), (U, 0, 1))
    inner = sp.integrate(sp.expand(slope), U) / total  # from 0 to 1, down a little around the centre
    target = rng.choice(("uniform", "exponential", "logistic", "power"))
    if target == "uniform":
        law, g = Given(Z, sp.Integer(1), (0, 1)), inner
    elif target == "exponential":
        law, g = Given(Z, sp.exp(-Z), (0, sp.oo)), -sp.log(1 - inner)
    elif target == "logistic":
        law, g = Given(Z, BASES["logistic"][0](Z), (-sp.oo, sp.oo)), sp.log(inner) - sp.log(1 - inner)
    else:
        law, g = Given(Z, 2 * Z, (0, 1)), sp.sqrt(inner)
    noise = Given(U, sp.Abs(slope / total), (0, 1))
    if rng.random() < 0.4:  # an honest noise, and the residual is wrong instead
        noise = Given(U, slope / total + 0, (0, 1)) if rng.random() < 0.3 else Given(U, sp.Integer(1), (0, 1))
    f = numeric([U], inner)

    def oracle() -> bool:
        a, b = (mp.mpf(str(sp.N(centre + k * width / 2, 45))) for k in (-1, 1))
        return f(a) > f(b) and 0 < f(b) and f(a) < 1  # it goes down in between

    small = width <= sp.Rational(1, 1000)
    return Claim(
        "fold", form_text(law, [noise], g), f"g falls around {centre}", ask_form(law, [noise], g), oracle, small
    )


def hidden_step(rng: random.Random) -> Claim:
    """A map with a step that its derivative does not see: two to one, or with a gap, around the step."""
    name = rng.choice(list(STEPS))
    base = rng.choice(("uniform", "normal", "exponential", "logistic"))
    density, support, cdf, (low, high) = BASES[base]
    cut, (by, small) = draw(rng, low, high, 1000), tiny(rng)
    step = (STEPS[name](E - cut) + 1) / 2  # 0 below the cut, 1 above
    g = E - by * step if rng.random() < 0.7 else E + by * step
    down = g.subs(E, cut + 10) < cut + 10
    noise = Given(E, density(E), support)
    law = Given(Z, density(Z), support)
    if base == "uniform" and down and rng.random() < 0.7:
        law = Given(Z, sp.Integer(1), (0, 1 - by))  # no residual at all; its mass is 1 - by
    elif rng.random() < 0.4:  # the density follows the step: no residual, and again not a density of mass one
        law = Given(Z, sp.Piecewise((density(Z), Z < cut), (density(Z + by if down else Z - by), True)), support)
        if support[1] == 1:
            law = Given(Z, density(Z), (0, 1 - by if down else 1 + by))
    value = numeric([E], g)

    def oracle() -> bool:
        delta = mp.mpf(10) ** -25
        at = mp.mpf(str(sp.N(cut, 45)))
        jump = value(at + delta) - value(at - delta)
        if abs(abs(jump) - mp.mpf(str(sp.N(by, 45)))) > mp.mpf(10) ** -20:
            return False
        # below the cut g is the identity; what comes from above lands elsewhere than the law says
        place = cut - by / 2 if down else cut + by / 2
        truly = numeric([E], cdf(E))
        mass = truly(at) if not down else truly(at) + (truly(at + mp.mpf(str(sp.N(by / 2, 45)))) - truly(at))
        if down:  # P(g <= cut - by/2) = F(cut - by/2) + F(cut + by/2) - F(cut)
            half = mp.mpf(str(sp.N(by / 2, 45)))
            mass = truly(at - half) + truly(at + half) - truly(at)
        claimed = law.probability(support[0], place, [cut, cut - 3])
        return abs(mass - claimed) > SMALLEST

    why = f"g steps by {'-' if down else ''}{by} at {cut} ({name})"
    return Claim("hidden_step", form_text(law, [noise], g), why, ask_form(law, [noise], g), oracle, small)


def wrong_support(rng: random.Random) -> Claim:
    """A support that is a little too long or too short for the map, or for the mass of the density."""
    by, small = tiny(rng)
    end = 1 + by * rng.choice((1, -1))
    one: Any = sp.Integer(1)
    law, noise, g = rng.choice(
        (
            (Given(Z, one, (0, 1)), Given(U, 1 / end, (0, end)), U),
            (Given(Z, 1 / end, (0, end)), Given(U, one, (0, 1)), U),
            (Given(Z, sp.exp(-Z), (0, sp.oo)), Given(U, 1 / (1 - by), (0, 1 - by)), -sp.log(1 - U)),
            (Given(Z, sp.exp(-(Z - by)), (by, sp.oo)), Given(U, sp.exp(-U), (0, sp.oo)), U),
        )
    )
    ends = [sp.limit(g, U, place, "+-"[k]) for k, place in enumerate(noise.support)]
    oracle = lambda: tuple(ends) != tuple(map(sp.sympify, law.support))  # noqa: E731  (not onto)
    ask = ask_form(law, [noise], g)
    return Claim("wrong_support", form_text(law, [noise], g), f"g is not onto: {ends}", ask, oracle, small)


def perturbed_map(rng: random.Random) -> Claim:
    """A right map with a term that is tiny, narrow, or zero at every number with few digits."""
    name = rng.choice(("normal", "logistic", "cauchy"))
    density, support, cdf, (low, high) = BASES[name]
    cut = draw(rng, low, high, 1000)
    by = sp.Rational(1, 10 ** rng.randint(7, 11))
    term = rng.choice(
        (
            by * sp.sin(1000 * sp.pi * E),
            by * sp.sin(sp.pi * E) ** 2,
            sp.exp(-(10**10) * (E - cut) ** 2) / 10**7,
            by / (1 + 10**8 * (E - cut) ** 2),
            by * sp.tanh(E),
            by * E**3 / (1 + E**2),
            by * sp.Max(0, E - cut),
            by * sp.Piecewise(((E - cut) ** 2, (E > cut) & (E < cut + sp.Rational(1, 1000))), (0, True)),
        )
    )
    law = Given(Z, density((Z - M) / S) / S, support)
    noise, g = Given(E, density(E), support), M + S * (E + term)
    f, shift = numeric([E], cdf(E)), numeric([E], term)

    def oracle() -> bool:  # 1 + term' > 0, so that P(g(e) <= g(c)) = F(c), and the law says F(c + term(c))
        places = [mp.mpf(str(sp.N(cut + sp.Rational(k, 7000) + sp.Rational(1, 10**6), 45))) for k in (0, 1, 9)]
        return any(abs(f(c + shift(c)) - f(c)) > mp.mpf(10) ** -30 for c in places)

    ask = ask_form(law, [noise], g)
    return Claim("perturbed_map", form_text(law, [noise], g), f"{term} is added", ask, oracle, True)


def wrong_sum(rng: random.Random) -> Claim:
    """Two noises whose sum has another scale, or another shape, than the law says."""
    d, v = sp.Symbol("d", real=True), sp.Symbol("v", positive=True)
    a, b = draw(rng, 1, 9, 4), draw(rng, 1, 9, 4)
    by, small = tiny(rng)
    if rng.random() < 0.6:
        variance = (a**2 + b**2) * (1 + by)
        law = Given(Z, sp.exp(-((Z - M) ** 2) / (2 * variance)) / sp.sqrt(2 * sp.pi * variance), (-sp.oo, sp.oo))
        noises = [Given(w, BASES["normal"][0](w), (-sp.oo, sp.oo)) for w in (E, d)]
        g, sides = M + a * E + b * d, (variance, a**2 + b**2)
    else:  # a u - b v has variance a^2 + b^2; Laplace with scale a has 2 a^2
        b = a * (1 + by)
        law = Given(Z, sp.exp(-sp.Abs(Z - M) / a) / (2 * a), (-sp.oo, sp.oo))
        noises = [Given(w, sp.exp(-w), (0, sp.oo)) for w in (U, v)]
        g, sides = M + a * U - b * v, (2 * a**2, a**2 + b**2)
    oracle = lambda: sides[0] != sides[1]  # noqa: E731
    return Claim("wrong_sum", form_text(law, noises, g), f"variances {sides}", ask_form(law, noises, g), oracle, small)


CLASSES = {f.__name__: f for f in (fold, hidden_step, wrong_support, perturbed_map, wrong_sum)}
