"""False claims by construction, about names, records, domains of parameters and whole models.

Each says why it is false; where the reason is not exact (a name read twice, a missing statement), the oracle computes
both sides by numbers. See ``false_claims`` for densities.
"""

from __future__ import annotations

import copy
import json
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import mpmath as mp
import sympy as sp

import symaux as sa
from fuzz.claim import REFUSED, Claim, Given, ask_form, draw, form_text, numeric
from fuzz.false_claims import BASES, tiny
from symaux.cli.targets import read_records
from symaux.exchange.archive import recheck_record
from symaux.exchange.archive.records import with_words

LOOKALIKES = (
    ("K", "\u212a"),
    ("fi", "\ufb01"),
    ("e", "\uff45"),
    ("\u03bc", "\u00b5"),
    ("x2", "x\u00b2"),
    ("\u00e9", "e\u0301"),
)


def normal(value: sp.Expr, mean: Any = 0, scale: Any = 1) -> sp.Expr:
    return sp.exp(-((value - mean) ** 2) / (2 * scale**2)) / (scale * sp.sqrt(2 * sp.pi))


REALS = (-sp.oo, sp.oo)


def captured_names(rng: random.Random) -> Claim:
    """A noise that has the name of a parent, of another noise or of the variable, as a reader reads names."""
    z, s = sp.Symbol("z", real=True), sp.Symbol("s", positive=True)
    name = rng.choice(("eps_z", "eps", "e", "mu", "x1"))
    noise, parent = sp.Symbol(name, real=True), sp.Symbol(name, real=True)
    way = rng.randrange(6)
    loc = draw(rng, 1, 9, 3)
    if way == 1:
        parent = rng.choice((sp.Symbol(name), sp.Symbol(name, positive=True), sp.Symbol(name, finite=True)))
    if way == 2:
        one, other = rng.choice(LOOKALIKES)
        noise, parent = sp.Symbol(one, real=True), sp.Symbol(other, real=True)
    law = Given(z, normal(z, loc * parent, s), REALS)
    noises, g = [Given(noise, normal(noise), REALS)], loc * parent + s * noise
    # read by names, z = (loc + s) e has variance (loc + s)^2 around 0, and not s^2 around the parent
    sides = (((loc + s) ** 2).subs(s, 2), sp.Integer(4))
    if way == 3:  # two noises under one name: (a + b) e has variance (a + b)^2
        twin = sp.Symbol(name, positive=True) if rng.random() < 0.5 else noise
        a, b = draw(rng, 1, 9, 4), draw(rng, 1, 9, 4)
        law = Given(z, normal(z, 0, sp.sqrt(a**2 + b**2)), REALS)
        noises, g = [Given(noise, normal(noise), REALS), Given(twin, normal(twin), REALS)], a * noise + b * twin
        sides = ((a + b) ** 2, a**2 + b**2)
    elif way == 4:  # the noise reads the variable that it is to make
        law = Given(z, normal(z, 0, s), REALS)
        noises, g = [Given(noise, normal(noise, rng.choice((z, loc * z, z**2)), 1), REALS)], s * noise
        sides = (sp.Integer(2), sp.Integer(1))
    elif way == 5:  # the map is the variable itself, or reads it
        law = Given(z, normal(z, 0, s), REALS)
        g = rng.choice((z, s * noise + z, z + 0 * s, noise * z))
        noises, sides = [Given(sp.Symbol(name, real=True), normal(noise), REALS)], (sp.Integer(2), sp.Integer(1))
    return Claim("captured_names", form_text(law, noises, g), f"names, way {way}", ask_form(law, noises, g),
                 lambda: sides[0] != sides[1], True)  # fmt: skip


def _forms(rng: random.Random) -> sa.AuxiliaryForm:
    """A true form of a law with numbers and symbols, to be tampered with."""
    z, x = sp.Symbol("z", real=True), sp.Symbol("x", positive=True)
    m, s, k = sp.Symbol("m", real=True), sp.Symbol("s", positive=True), draw(rng, 3, 20, 7)
    laws = (
        lambda: sa.normal(z, m, k * s),
        lambda: sa.exponential(x, k * s),
        lambda: sa.logistic(z, m + k, s),
        lambda: sa.gumbel(z, k * m, s),
        lambda: sa.weibull(x, k, s),
        lambda: sa.rayleigh(x, k * s),
        lambda: sa.cauchy(z, m, k * s),
        lambda: sa.log_normal(x, m, k),
        lambda: sa.kumaraswamy(x, s, k),
        lambda: sa.laplace(z, m, k * s),
    )
    return sa.derive(rng.choice(laws)())


def _leaves(data: Any, path: tuple = ()) -> Iterator[tuple[tuple, Any]]:
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in pairs:
        yield from _leaves(part, (*path, key))
    if not isinstance(data, dict | list):
        yield path, data


def _put(data: Any, path: tuple, value: Any) -> None:
    for key in path[:-1]:
        data = data[key]
    data[path[-1]] = value


def ask_record(data: Any) -> Callable[[], Any]:
    """Ask of a file what ``symaux verify FILE.json`` asks; a record that does not hold is refused."""

    def ask() -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "record.json")
            path.write_text(json.dumps(data))
            found = [recheck_record(record) for record in read_records(str(path))]
        if all(each.holds and bool(each.verdict) for each in found):
            return found[0].verdict
        return REFUSED

    return ask


def tampered_record(rng: random.Random) -> Claim:
    """The JSON of a true form with one number, name, end of support, region, status or word changed."""
    data = json.loads(json.dumps(with_words(_forms(rng))))
    before = copy.deepcopy(data)
    way = rng.choice(("number", "number everywhere", "words", "name", "region", "status", "support", "assumption"))
    leaves = list(_leaves(data))
    checked = [(p, v) for p, v in leaves if p[0] == "record" and not {"verdict", "family"} & set(p)]
    if way == "number":  # one formula in one place: steps, form and law no longer belong together
        numbers = [(p, v) for p, v in checked if isinstance(v, int) and not isinstance(v, bool)]
        path, value = rng.choice(numbers)
        _put(data, path, value + rng.choice((1, -1, 2, 7)))
    elif way == "number everywhere":  # g = ... (1 + tiny) in the form and in its last step, and in the words
        by, _ = tiny(rng)
        factor = [["Rational", int(by.p + by.q), int(by.q)]]
        for place in (data["record"], data["record"]["steps"][-1]):
            place["value"] = ["Mul", *factor, place["value"]]
        for place in (data, data["steps"][-1]):
            place["value"] = f"{by.p + by.q}*({place['value']})/{by.q}"
    elif way == "words":
        words = [(p, v) for p, v in leaves if p[0] != "record" and p[-1] in ("value", "log_density", "support")]
        path, value = rng.choice(words)
        _put(data, path, value.replace("1", "2") if "1" in value else f"2*{value}")
    elif way == "name":  # the noise is renamed to a parameter, or a parameter to the noise, everywhere
        names = sorted({v for p, v in checked if isinstance(v, str) and p[-1] == 1 and v not in ("z", "x", "oo")})
        old, new = rng.sample(names, 2) if len(names) > 1 else (names[0], "z" if "z" in json.dumps(checked) else "x")
        data = json.loads(json.dumps(data).replace(f'"{old}"', f'"{new}"'))
    elif way == "region":
        places = [data["record"]["verdict"], data["verdict"], *(s["verdict"] for s in data["record"]["steps"])]
        rng.choice(places)["region"] = rng.choice(
            (["s > 1000"], [], ["s real"], ["m = 0"], ["s positive", "m positive"])
        )
    elif way == "status":
        places = [data["record"]["verdict"], data["verdict"], *(s["verdict"] for s in data["record"]["steps"])]
        rng.choice(places)["status"] = "REFUTED"
    elif way == "support":
        place = rng.choice((data["record"]["law"], data["record"]["noise"][0], data["record"]["steps"][0]["before"]))
        place["support"][rng.choice((1, 2))] = ["Rational", rng.randint(1, 9), 10 ** rng.randint(1, 9)]
    else:
        signs = [p for p, v in checked if v in ("positive", "real") and isinstance(p[-1], int)]
        path = rng.choice(signs)
        _put(data, path, rng.choice(("negative", "integer", "imaginary", "zero")))
    why = f"{way}: {next(iter(_changes(before, data)), '')}"
    return Claim("tampered_record", json.dumps(data)[:3000], why, ask_record(data), lambda: data != before, True)


def _changes(before: Any, after: Any) -> Iterator[str]:
    old, new = dict(_leaves(before)), dict(_leaves(after))
    yield from (f"{'.'.join(map(str, p))}: {old.get(p)} -> {v}" for p, v in new.items() if old.get(p) != v)


def domain(rng: random.Random) -> Claim:
    """A law by its formula whose conditions let a parameter a little out of its domain, where it is not a density."""
    z, r = sp.symbols("z r", real=True)
    x, u = sp.symbols("x u", positive=True)
    b = sp.Symbol("b", real=True)
    width = sp.Rational(rng.randint(1, 9), 10 ** rng.choice((1, 4, 5, 7)))
    uniform, unit = Given(u, sp.Integer(1), (0, 1)), Given(u, sp.exp(-u), (0, sp.oo))
    laws = {
        "exponential": (Given(x, r * sp.exp(-r * x), (0, sp.oo)), unit, u / r),
        "normal": (Given(z, normal(z, 0, r), REALS), Given(b, normal(b), REALS), r * b),
        "power": (Given(x, r * x ** (r - 1), (0, 1)), uniform, u ** (1 / r)),
        "weibull": (Given(x, r * x ** (r - 1) * sp.exp(-(x**r)), (0, sp.oo)), unit, u ** (1 / r)),
        "pareto": (Given(x, r * x ** (-r - 1), (1, sp.oo)), uniform, u ** (-1 / r)),
        "logistic": (Given(z, BASES["logistic"][0](z / r) / r, REALS), uniform, r * sp.log(u / (1 - u))),
        "cauchy": (Given(z, r / (sp.pi * (r**2 + z**2)), REALS), uniform, r * sp.tan(sp.pi * (u - sp.S.Half))),
        "uniform": (Given(z, 1 / r, (0, r)), uniform, r * u),
        "gumbel": (Given(z, sp.exp(-z / r - sp.exp(-z / r)) / r, REALS), unit, -r * sp.log(u)),
    }
    name = rng.choice(list(laws))
    law, noise, g = laws[name]
    conditions = () if rng.random() < 0.2 else (r > -width,) if rng.random() < 0.7 else (r > -width, r < 5)
    law = replace(law, conditions=conditions)
    at = -width / 2
    density = numeric([law.value], law.density.subs(r, at))
    places = {"uniform": at / 2, "pareto": sp.Rational(3, 2), "gumbel": sp.Integer(0), "logistic": sp.Integer(0)}
    inside = mp.mpf(str(sp.N(places.get(name, sp.S.Half), 45)))
    small = bool(conditions) and width <= sp.Rational(1, 1000)
    excuses = ("r > 0", "r positive", "0 < r")
    return Claim("domain", form_text(law, [noise], g), f"{name}: negative at r = {at}", ask_form(law, [noise], g),
                 lambda: density(inside) < 0, small, excuses, r < 0)  # fmt: skip


def _models(rng: random.Random) -> sa.Derivation:
    a, b, y, w = sp.symbols("a b y w", real=True)
    s = sp.Symbol("s", positive=True)
    k = draw(rng, 2, 9, 4)
    laws = rng.choice(
        (
            (sa.normal(a, 0, 1), sa.normal(b, a, k), sa.normal(y, b, 1)),
            (sa.normal(a, 0, 1), sa.logistic(b, k * a, 1), sa.normal(y, a + b, k)),
            (sa.half_normal(s, 1), sa.normal(b, 0, s), sa.normal(y, b, k)),
            (sa.normal(a, 0, 1), sa.gumbel(b, a, k), sa.normal(w, b, 1), sa.normal(y, w, 1)),
        )
    )
    return sa.auxiliary(sa.Model.of(*laws, observed=[y]))


def _altered(statement: Any, change: Callable[[sp.Expr], sp.Expr]) -> Any:
    return sa.Law(statement.value, change(statement.log_density), statement.support, statement.conditions)


def structural_lie(rng: random.Random) -> Claim:
    """A derivation of a model whose last model says something else than its steps."""
    derivation = _models(rng)
    after = derivation.after
    statements, observed = list(after.statements), list(after.observed)
    latent = [i for i, s in enumerate(statements) if isinstance(s, sa.Law) and str(s.value) not in observed]
    maps = [i for i, s in enumerate(statements) if isinstance(s, sa.Deterministic)]
    seen = [i for i, s in enumerate(statements) if isinstance(s, sa.Law) and str(s.value) in observed]
    by, small = tiny(rng)
    way = rng.choice(("map", "edge", "noise", "observed", "kept", "factor", "shared", "unobserved", "before"))
    if way == "map":
        i = rng.choice(maps)
        statements[i] = sa.deterministic(statements[i].target, statements[i].formula * (1 + by))
    elif way == "edge":
        i = rng.choice(maps)
        formula = statements[i].formula
        reads = sorted((v for v in formula.free_symbols if not str(v).startswith("eps")), key=str)
        statements[i] = sa.deterministic(statements[i].target, formula.subs(rng.choice(reads), 1))
        small = False
    elif way in ("noise", "kept", "observed"):
        i = rng.choice(seen if way == "observed" else latent)
        value = statements[i].value
        statements[i] = _altered(statements[i], lambda f: f.subs(value, value * (1 + by)) + sp.log(1 + by))
    elif way == "factor":
        statements.append(sa.factor(by * statements[latent[0]].value))
    elif way == "shared":
        i = rng.choice(seen)
        noise = statements[latent[-1]].value
        statements[i] = _altered(statements[i], lambda f: f.subs(statements[i].value, statements[i].value - by * noise))
    elif way == "unobserved":
        observed, small = [], False
    lie = sa.Model.of(*statements, observed=observed, auxiliary=after.auxiliary) if way != "before" else after
    changed = replace(derivation, after=lie)
    if way == "before":  # the steps are those of another model: an observed scale is not what it was
        first, i = list(derivation.before.statements), -1
        first[i] = _altered(first[i], lambda f: f.subs(first[i].value, first[i].value * (1 + by)) + sp.log(1 + by))
        changed = replace(derivation, before=sa.Model.of(*first, observed=observed))
    text = f"before:\n{changed.before}\nafter:\n{changed.after}"
    differs = lambda: changed.before != derivation.before or changed.after != derivation.after  # noqa: E731
    return Claim("structural_lie", text, f"{way}, by {by}", changed.verify, differs, small)


CLASSES = {f.__name__: f for f in (captured_names, tampered_record, domain, structural_lie)}
