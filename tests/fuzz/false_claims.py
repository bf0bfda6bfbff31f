"""False claims by construction, about densities and regions of parameters: one function for each way to be wrong.

At least half are wrong by 1e-6 or less, or only on an interval of 1e-3 or less. Every claim says why it is false and has an
oracle: a mass, a probability or a sign by mpmath at 40 digits, or an exact argument. Maps are in ``false_maps``; names,
records, domains and whole models in ``false_files``. Written from the mathematics, not from the checker.
"""

# ruff: noqa: SIM300  (symbols in capitals are not constants)
from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import mpmath as mp
import sympy as sp

from fuzz.claim import Claim, Given, ask_density, ask_form, density_text, draw, form_text, numeric, transports

Z, E = sp.symbols("z e", real=True)
U, S, A, Q = sp.symbols("u s a q", positive=True)
B = sp.Symbol("b", real=True)
SMALLEST = mp.mpf(10) ** -20  # what the oracles tell apart from rounding at 40 digits

# a density of v, its support, its distribution function, and where it may be cut
BASES: dict[str, tuple[Callable, tuple, Callable, tuple[int, int]]] = {
    "exponential": (lambda v: sp.exp(-v), (0, sp.oo), lambda v: 1 - sp.exp(-v), (100, 2000)),
    "uniform": (lambda v: sp.Integer(1) + 0 * v, (0, 1), lambda v: v, (50, 950)),
    "normal": (
        lambda v: sp.exp(-(v**2) / 2) / sp.sqrt(2 * sp.pi),
        (-sp.oo, sp.oo),
        lambda v: (1 + sp.erf(v / sp.sqrt(2))) / 2,
        (-1500, 1500),
    ),
    "logistic": (
        lambda v: sp.exp(-v) / (1 + sp.exp(-v)) ** 2,
        (-sp.oo, sp.oo),
        lambda v: 1 / (1 + sp.exp(-v)),
        (-1500, 1500),
    ),
    "kumaraswamy": (lambda v: 6 * v * (1 - v**2) ** 2, (0, 1), lambda v: 1 - (1 - v**2) ** 3, (100, 900)),
    "cauchy": (
        lambda v: 1 / (sp.pi * (1 + v**2)),
        (-sp.oo, sp.oo),
        lambda v: sp.atan(v) / sp.pi + sp.S.Half,
        (-1500, 1500),
    ),
    "lomax": (lambda v: 2 / (1 + v) ** 3, (0, sp.oo), lambda v: 1 - (1 + v) ** -2, (100, 2000)),
    "rayleigh": (lambda v: v * sp.exp(-(v**2) / 2), (0, sp.oo), lambda v: 1 - sp.exp(-(v**2) / 2), (300, 2000)),
}

# functions of y that are constant but for a step at 0: -1 below, 1 above
STEPS: dict[str, Callable[[sp.Expr], sp.Expr]] = {
    "two arctangents": lambda y: (sp.atan(y) + sp.atan(1 / y)) * 2 / sp.pi,
    "acot": lambda y: (sp.atan(y) + sp.acot(y)) * 2 / sp.pi,
    "modulus": lambda y: sp.Abs(y) / y,
    "root of a square": lambda y: sp.sqrt(1 / y**2) * y,
    "fourth root": lambda y: (y**4) ** sp.Rational(1, 4) / y,
    "arctangents of other sizes": lambda y: (sp.atan(3 * y) + sp.atan(1 / (3 * y))) * 2 / sp.pi,
    "arctangent of a cube": lambda y: (sp.atan(y**3) + sp.acot(y**3)) * 2 / sp.pi,
    "floor": lambda y: 2 * sp.floor(y / (1 + sp.Abs(y)) + 1) - 1,
    "heaviside": lambda y: 2 * sp.Heaviside(y, sp.S.Half) - 1,
    "sign": sp.sign,
    "arcsine of a modulus": lambda y: sp.asin(y / sp.Abs(y)) * 2 / sp.pi,
    "logarithm": lambda y: sp.exp(sp.log(sp.Abs(y))) / y,
    "branches": lambda y: sp.Piecewise((-1, y < 0), (1, True)),
}


def tiny(rng: random.Random) -> tuple[sp.Rational, bool]:
    """Return a relative error: 1e-6 to 1e-10 in two of three cases, else plain to see."""
    if rng.random() < 0.66:
        return sp.Rational(rng.randint(1, 9), 10 ** rng.randint(7, 10)), True
    return sp.Rational(rng.randint(1, 9), 10 ** rng.randint(1, 3)), False


def asked(kind: str, why: str, noise: Given, rng: random.Random, oracle: Callable[[], bool], small: bool) -> Claim:
    """Claim a density by itself, as the noise of a law with the same formula, or as the law of a scaled noise."""
    way = rng.randrange(3)
    if way == 0:
        law = noise
        return Claim(kind, density_text(law), why, ask_density(law), oracle, small)
    other = Z if noise.value != Z else E
    if way == 1:
        law = Given(other, noise.density.subs(noise.value, other), noise.support, noise.conditions)
        return Claim(
            kind, form_text(law, [noise], noise.value), why, ask_form(law, [noise], noise.value), oracle, small
        )
    ends = tuple(sp.sympify(end) * S for end in noise.support)
    law = Given(other, noise.density.subs(noise.value, other / S) / S, ends, noise.conditions)
    g = S * noise.value
    return Claim(kind, form_text(law, [noise], g), why, ask_form(law, [noise], g), oracle, small)


def _base(rng: random.Random) -> tuple[str, Callable, tuple, sp.Rational]:
    name = rng.choice(list(BASES))
    density, support, _, (low, high) = BASES[name]
    round_cut = rng.choice(
        (sp.S.Half, sp.Rational(1, 3)) if support == (0, 1) else (sp.Integer(1), sp.S.Half, sp.Rational(3, 2))
    )
    return name, density, support, round_cut if rng.random() < 0.5 else draw(rng, low, high, 1000)


def branch_mass(rng: random.Random) -> Claim:
    """A density that is changed on one branch, or has a gap, so that its mass is not one."""
    name, density, support, cut = _base(rng)
    by, small = tiny(rng)
    shape = rng.randrange(4)
    if shape == 0:  # all to one side
        factor = sp.Piecewise((1 + by * rng.choice((1, -1)), E < cut), (1, True))
    elif shape == 1:  # a narrow bump or gap
        width, small = sp.Rational(1, 10 ** rng.randint(3, 8)), True
        factor = sp.Piecewise((rng.choice((0, 2, 5, sp.S.Half)), (E > cut) & (E < cut + width)), (1, True))
    elif shape == 2:  # both sides wrong, in opposite directions, and not by as much
        factor = sp.Piecewise((1 + by, E < cut), (1 - 3 * by, True))
    else:  # a branch with another formula
        factor = sp.Piecewise((1 + by * (E - cut) ** 2, E < cut), (1, True))
    given = Given(E, density(E) * factor, support)
    cuts = [cut, *(cut + sp.Rational(1, 10**k) for k in range(3, 9)), cut + 3, cut - 3]
    oracle = lambda: abs(given.mass(cuts) - 1) > SMALLEST  # noqa: E731
    if shape == 3 and name == "cauchy":
        return branch_mass(rng)  # no mass at all
    return asked("branch_mass", f"mass of {name} is not 1", given, rng, oracle, small)


def parameter_branch(rng: random.Random) -> Claim:
    """A branch in a parameter's hands: right for most parameters, wrong for the others."""
    _, density, support, cut = _base(rng)
    by, small = tiny(rng)
    limit = sp.Rational(rng.choice((1, 5, 1000, 10**6)), rng.choice((1, 3)))
    shape = rng.randrange(4)
    condition = (
        A > limit,
        A < limit / 10**3,
        (A > limit) & (A < limit + sp.Rational(1, 1000)),
        (A > limit) & (E < cut),
    )[shape]
    small = small or shape == 2
    given = Given(E, density(E) * sp.Piecewise((1 + by, condition), (1, True)), support)
    bad = {0: limit + 1, 1: limit / 2000, 2: limit + sp.Rational(1, 2000), 3: limit + 1}[shape]
    oracle = lambda: abs(given.at({A: bad}).mass([cut, 0]) - 1) > SMALLEST  # noqa: E731
    claim = asked("parameter_branch", f"mass is not 1 at a = {bad}", given, rng, oracle, small)
    return replace(claim, wrong_where=condition if shape < 3 else A > limit)


def negative_dip(rng: random.Random) -> Claim:
    """A density of mass one that is negative on a short interval."""
    width = sp.Rational(rng.randint(1, 5), 10 ** rng.choice((1, 4, 4, 5, 6)))
    name = rng.choice(("uniform", "exponential", "normal", "signs", "even"))
    if name == "signs":
        low = draw(rng, 10, 80, 100)
        density = (E - low) / sp.Abs(E - low) * (E - low - width) / sp.Abs(E - low - width) / (1 - 2 * width)
        support, centre = (0, 1), low + width / 2
    else:
        base, support, _, (a, b) = BASES["uniform" if name == "even" else name]
        centre = draw(rng, max(a, 200), min(b, 800), 1000)
        dip = (E - centre) ** 2 - (width / 2) ** 2
        dip = dip if name != "even" else dip * (1 + E**2)
        total = sp.integrate(sp.expand(base(E) * dip), (E, *support))
        density = (sp.expand(dip) if rng.random() < 0.5 else dip) * base(E) / total
    given = Given(E, density, support)
    oracle = lambda: numeric([E], density)(mp.mpf(str(sp.N(centre, 45)))) < 0  # noqa: E731
    return asked("negative_dip", f"negative at {centre}", given, rng, oracle, width <= sp.Rational(1, 1000))


def step_in_density(rng: random.Random) -> Claim:
    """A density with a hidden step, so that its mass is not one."""
    name, density, support, cut = _base(rng)
    step = rng.choice(list(STEPS))
    by, small = tiny(rng)
    given = Given(E, density(E) * (1 + by * (STEPS[step](E - cut) + 1) / 2), support)
    oracle = lambda: abs(given.mass([cut, cut + 3, cut - 3]) - 1) > SMALLEST  # noqa: E731
    return asked("step_in_density", f"{name} is heavier above {cut} ({step})", given, rng, oracle, small)


def wrong_region(rng: random.Random) -> Claim:
    """A false law, or form, whose conditions keep ordinary parameters out, or speak of symbols that it does not read."""
    by, small = tiny(rng)
    limit = sp.Rational(rng.choice((1000, 10**6, 10**9)))
    conditions, at = rng.choice(
        (
            ((A > limit,), limit + 1),
            ((A > limit, A < limit + 1), limit + sp.S.Half),
            ((A > limit, Q > 0), limit + 2),
            ((Q > 5,), sp.Integer(2)),
            ((B < -limit,), sp.Integer(2)),
            ((A < 1 / limit,), 1 / (2 * limit)),
            ((sp.exp(A) > limit, A**2 < limit), sp.log(limit) + sp.S.Half),
            ((A + Q > limit, Q < 1), limit),
        )
    )
    sign = rng.random() < 0.3
    factor = -1 if sign else 1 + by
    shape = rng.choice(("exponential", "normal", "uniform", "power"))
    given = {
        "exponential": Given(E, factor * A * sp.exp(-A * E), (0, sp.oo), conditions),
        "normal": Given(
            E, factor * sp.exp(-(E**2) / (2 * A**2)) / (A * sp.sqrt(2 * sp.pi)), (-sp.oo, sp.oo), conditions
        ),
        "uniform": Given(E, factor / A, (0, A), conditions),
        "power": Given(E, factor * A * E ** (A - 1), (0, 1), conditions),
    }[shape]
    scale = {"exponential": 1 / A, "normal": A, "uniform": A, "power": sp.Integer(1)}[shape].subs(A, at)
    cuts = [scale, -scale, 10 * scale, 1 - 1 / at if at > 1 else sp.S.Half]
    oracle = lambda: abs(given.at({A: at}).mass(cuts) - 1) > SMALLEST  # noqa: E731
    if not sign and rng.random() < 0.4:  # the density is right and the map is not
        right = Given(Z, given.density.subs(E, Z) / factor, given.support, conditions)
        noise, g = {
            "exponential": (Given(U, sp.exp(-U), (0, sp.oo)), U / A),
            "normal": (Given(E, BASES["normal"][0](E), (-sp.oo, sp.oo)), A * E),
            "uniform": (Given(U, sp.Integer(1), (0, 1)), A * U),
            "power": (Given(U, sp.Integer(1), (0, 1)), U ** (1 / A)),
        }[shape]
        wrong = g * (1 + by)  # a scale too large: every interval has another probability
        places = [sp.Rational(n, 7) for n in (1, 3, 5)]
        moved = lambda: not transports(right.at({A: at}), noise, wrong.subs(A, at), places)  # noqa: E731
        ask = ask_form(right, [noise], wrong)
        return Claim("wrong_region", form_text(right, [noise], wrong), "g is too large", ask, moved, small)
    return asked(
        "wrong_region", f"mass is {'-1' if sign else '1 + ' + str(by)}", given, rng, oracle, small and not sign
    )


def empty_region(rng: random.Random) -> Claim:
    """A claim about no parameters at all: nothing can be looked at, so nothing was shown."""
    limit = draw(rng, 1, 50, 7)
    conditions = rng.choice(
        (
            (A > limit, A < limit / 2),
            (A < -limit,),
            (sp.exp(A) < sp.S.Half,),
            (A**2 + B**2 < -limit,),
            (sp.cos(B) > 1 + limit,),
            (A > limit, A * B > 0, B < -1),
        )
    )
    by, _ = tiny(rng)
    given = Given(E, (1 + by) * A * sp.exp(-A * E), (0, sp.oo), conditions)
    tried = [{A: draw(rng, 1, 10**4, 100), B: draw(rng, -(10**4), 10**4, 100)} for _ in range(100)]
    oracle = lambda: not any(all(c.subs(p) is sp.true for c in conditions) for p in tried)  # noqa: E731
    return asked("empty_region", "the conditions contradict each other", given, rng, oracle, True)


def far_tail(rng: random.Random) -> Claim:
    """A density that is wrong only far out, where hardly any mass is."""
    name = rng.choice(("cauchy", "lomax", "exponential", "logistic", "normal"))
    density, support, cdf, _ = BASES[name]
    far = {"normal": rng.randint(5, 9), "exponential": rng.randint(16, 40), "logistic": rng.randint(16, 40)}
    place = sp.Integer(far.get(name, 10 ** rng.randint(4, 9)))
    factor = sp.Piecewise((rng.choice((0, 2, 1 + sp.Rational(1, 7))), E > place), (1, True))
    given = Given(E, density(E) * factor, support)
    inner, outer = numeric([E], cdf(E)), numeric([E], factor)
    oracle = lambda: inner(mp.mpf(int(place))) < 1 and outer(mp.mpf(int(place) + 1)) != 1  # noqa: E731
    return asked("far_tail", f"{name} is changed beyond {place}", given, rng, oracle, True)


def smooth_bump(rng: random.Random) -> Claim:
    """A density with a smooth bump, so narrow or so flat that points are unlikely to meet it."""
    name, density, support, cut = _base(rng)
    sharp = 10 ** rng.choice((2, 8, 10))
    by = sp.Rational(1, 10 ** rng.randint(1, 3)) if sharp > 100 else sp.Rational(1, 10 ** rng.randint(7, 9))
    w = sp.sqrt(sharp) * (E - cut)
    shape = rng.choice((sp.exp(-(w**2)), 1 / (1 + w**2), 1 / sp.cosh(w)))
    given = Given(E, density(E) * (1 + by * shape), support)
    # the base is a density, and a positive function is added to it
    oracle = lambda: numeric([E], shape)(mp.mpf(cut.p) / cut.q) == 1  # noqa: E731
    return asked("smooth_bump", f"{name} with a bump at {cut}", given, rng, oracle, True)


CLASSES = {
    f.__name__: f
    for f in (
        branch_mass, parameter_branch, negative_dip, step_in_density, wrong_region, empty_region, far_tail, smooth_bump
    )
}  # fmt: skip
