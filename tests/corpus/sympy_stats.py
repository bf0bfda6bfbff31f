"""The 53 continuous univariate distributions of sympy.stats, by the densities that sympy itself prints.

A guard that only repeats the support is dropped, since the support says it. Two supports are corrected: sympy's
Kumaraswamy lives on (0, 1), and its Davis and Frechet begin at their location.
"""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp
import sympy.stats.crv_types as crv

from corpus.entry import Entry, Point, grid

X = sp.Symbol("x", real=True)  # a symbol that satisfies no guard by accident
HALF = sp.Rational(1, 2)


def unguarded(formula: sp.Expr, value: sp.Symbol, support: tuple[Any, Any]) -> sp.Expr:
    """Branches that are zero are outside the support, single points carry no mass, and a bound says nothing new."""
    if not isinstance(formula, sp.Piecewise):
        return formula
    kept = [(branch, _inner(condition, support)) for branch, condition in formula.args if branch != 0]
    kept = [(branch, condition) for branch, condition in kept if not isinstance(condition, sp.Eq)]
    if len(kept) == 1:
        return kept[0][0]
    return sp.Piecewise(*((b, c) for b, c in kept[:-1]), (kept[-1][0], True))


def _inner(condition: Any, support: tuple[Any, Any]) -> Any:
    """What a condition says beyond the support, for branches that are tried from left to right."""
    told = [c for c in sp.And.make_args(condition) if not any(end in c.args for end in support)]
    upper = [c for c in told if c.has(X) and isinstance(c, sp.Lt | sp.Le) and c.lhs == X]
    return sp.And(*(upper or told))


def entry(
    name: str,
    points: tuple[Point, ...],
    support: tuple[Any, Any] | None = None,
    *,
    arguments: dict[str, Any],
    value: str = "real",
    conditions: tuple[Any, ...] = (),
    breaks: tuple[Any, ...] = (),
    numeric: Any = None,
    quantile: Any = None,
    about: str = "",
) -> Entry:
    """An entry by the name of a distribution: its density at a symbol with the assumptions of its support."""
    z = sp.Symbol("z", **{value: True})
    distribution = getattr(crv, name)("v", *arguments.values()).pspace.distribution
    if support is None:
        where = distribution.set
        support = (where.start, where.end) if isinstance(where, sp.Interval) else (-sp.oo, sp.oo)
    formula = unguarded(distribution.pdf(X), X, support).xreplace({X: z})
    return Entry(name, z, formula, support, points, conditions, breaks, numeric, quantile, about)


def real(name: str) -> sp.Symbol:
    return sp.Symbol(name, real=True)


def positive(name: str) -> sp.Symbol:
    return sp.Symbol(name, positive=True)


def whole(name: str) -> sp.Symbol:
    return sp.Symbol(name, integer=True, positive=True)


def symbols(**kinds: Any) -> dict[str, sp.Symbol]:
    """Symbols by name, in the order of the distribution's arguments.

    >>> symbols(mu=real, s=positive)["s"].is_positive
    True
    """
    return {name: kind(name) for name, kind in kinds.items()}


SHAPE = [1, "0.3", 30, "2.5", "0.7"]
OTHER = ["1.5", 30, "0.3", "0.4", 6]
SCALE = [1, "2.5", "0.2", 12, "0.9"]
PLACE = [0, "-1.3", "4.2", "0.3", -10]
LEFT, RIGHT = [0, "-1.3", "0.2", -3, 1], [1, "2.1", "0.7", 9, "1.25"]
ABOVE, BEYOND = ["0.5", "0.1", "0.3", 2, 1], ["0.8", 3, "2.5", "2.1", 40]


def _interval(low: str, high: str) -> tuple[dict[str, sp.Symbol], tuple[Any, ...]]:
    made = symbols(**{low: real, high: real})
    return made, (made[low] < made[high],)


def _noncentral_beta(z: Any, alpha: Any, beta: Any, lamda: Any) -> Any:
    bulk = z ** (alpha - 1) * (1 - z) ** (beta - 1) / mp.beta(alpha, beta)
    return mp.exp(-lamda / 2) * bulk * mp.hyp1f1(alpha + beta, alpha, lamda * z / 2)


def _uniform_sum(z: Any, n: Any) -> Any:
    n = int(n)
    terms = ((-1) ** k * mp.binomial(n, k) * (z - k) ** (n - 1) for k in range(int(mp.floor(z)) + 1))
    return mp.fsum(terms) / mp.factorial(n - 1)


def _uniform_sum_quantile(u: Any, n: Any) -> Any:
    """By halving the interval in which the distribution function, a polynomial between integers, reaches u."""
    n = int(n)
    if u > 0.5:
        return n - _uniform_sum_quantile(1 - u, n)

    def below(z: Any) -> Any:
        return mp.fsum((-1) ** k * mp.binomial(n, k) * (z - k) ** n for k in range(int(mp.floor(z)) + 1))

    low, high, goal = mp.mpf(0), mp.mpf(n) / 2, u * mp.factorial(n)
    for _ in range(mp.mp.prec):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < goal else (low, middle)
    return high


def _two_ended() -> list[Entry]:
    """On an interval whose ends are parameters."""
    ends, ordered = _interval("a", "b")
    a, b = ends["a"], ends["b"]
    lr, lr_ordered = _interval("left", "right")
    over = symbols(alpha=positive, left=positive, right=positive)
    power = symbols(alpha=positive, a=real, b=real)
    c, d = real("c"), real("d")
    inner = ["0.25", "0.1", "0.21", "8.5", "1.1"]
    logs = symbols(a=positive, b=positive)
    circle = symbols(mu=real, s=positive)
    return [
        entry("Arcsin", grid(a=LEFT, b=RIGHT), arguments=ends, conditions=ordered),
        entry(
            "BoundedPareto",
            grid(alpha=SHAPE, left=ABOVE, right=BEYOND),
            arguments=over,
            value="positive",
            conditions=(over["left"] < over["right"],),
        ),
        entry(
            "PowerFunction", grid(alpha=SHAPE, a=LEFT, b=RIGHT), arguments=power, conditions=(power["a"] < power["b"],)
        ),
        entry("QuadraticU", grid(a=LEFT, b=RIGHT), arguments=ends, conditions=ordered),
        entry("RaisedCosine", grid(mu=PLACE, s=SCALE), arguments=circle),
        entry(
            "Reciprocal",
            grid(a=ABOVE, b=BEYOND),
            arguments=logs,
            value="positive",
            conditions=(logs["a"] < logs["b"],),
        ),
        entry(
            "Trapezoidal",
            grid(
                a=[0, "-1.3", "0.2", -3, 1],
                b=["0.25", 0, "0.21", -2, "1.1"],
                c=["0.5", 1, "0.6", 8, "1.2"],
                d=[1, "2.1", "0.7", 9, 40],
            ),
            arguments={"a": a, "b": b, "c": c, "d": d},
            conditions=(a < b, b < c, c < d),
            breaks=(b, c),
        ),
        entry(
            "Triangular",
            grid(a=LEFT, b=RIGHT, c=inner),
            arguments={"a": a, "b": b, "c": c},
            conditions=(a < c, c < b),
            breaks=(c,),
        ),
        entry("Uniform", grid(left=LEFT, right=RIGHT), arguments=lr, conditions=lr_ordered),
        entry("WignerSemicircle", grid(R=SCALE), arguments=symbols(R=positive)),
    ]


def _on_the_unit_interval() -> list[Entry]:
    shapes = symbols(alpha=positive, beta=positive)
    return [
        entry("Beta", grid(alpha=SHAPE, beta=OTHER), arguments=shapes, value="positive"),
        entry(
            "BetaNoncentral",
            grid(alpha=SHAPE, beta=OTHER, lamda=[1, "0.1", 8, 3, 30]),
            arguments=symbols(alpha=positive, beta=positive, lamda=positive),
            value="positive",
            numeric=_noncentral_beta,
            about="an infinite sum over k",
        ),
        entry(
            "Kumaraswamy",
            grid(a=SHAPE, b=OTHER),
            (0, 1),
            arguments=symbols(a=positive, b=positive),
            value="positive",
            about="sympy says (0, oo), where the density is not one",
        ),
        entry(
            "LogitNormal",
            grid(mu=[0, "-1.3", 2, "0.3", -3], s=["1", "2.5", "0.2", 5, "0.9"]),
            arguments=symbols(mu=real, s=positive),
            value="positive",
        ),
    ]


def _on_the_line() -> list[Entry]:
    place_scale = {"arguments": symbols(mu=real, s=positive)}
    mu_sigma = grid(mu=PLACE, sigma=SCALE)
    power = symbols(mu=real, alpha=positive, beta=positive)
    return [
        entry("Cauchy", grid(x0=PLACE, gamma=SCALE), arguments=symbols(x0=real, gamma=positive)),
        entry(
            "ExGaussian",
            grid(mean=PLACE, std=SCALE, rate=[1, "0.3", 5, "0.1", 2]),
            arguments=symbols(mean=real, std=positive, rate=positive),
        ),
        entry(
            "ExponentialPower",
            grid(mu=PLACE, alpha=SCALE, beta=[2, "0.5", 12, 1, "1.4"]),
            arguments=power,
            breaks=(power["mu"],),
        ),
        entry(
            "FisherZ",
            grid(d1=[1, "0.6", 30, 5, 7], d2=[3, 30, "0.6", 2, 9]),
            arguments=symbols(d1=positive, d2=positive),
        ),
        entry(
            "Gumbel",
            grid(beta=SCALE, mu=PLACE),
            arguments=symbols(beta=positive, mu=real) | {"minimum": False},
        ),
        entry("Laplace", grid(mu=PLACE, b=SCALE), arguments=symbols(mu=real, b=positive), breaks=(real("mu"),)),
        entry("Logistic", grid(mu=PLACE, s=SCALE), **place_scale),
        entry("Moyal", mu_sigma, arguments=symbols(mu=real, sigma=positive)),
        entry("Normal", grid(mean=PLACE, std=SCALE), arguments=symbols(mean=real, std=positive)),
        entry("StudentT", grid(nu=[3, "0.5", 30, "2.5", 1]), arguments=symbols(nu=positive)),
        entry(
            "VonMises",
            grid(mu=[3, "0.5", 6, 2, "3.1"], k=SHAPE),
            arguments=symbols(mu=real, k=positive),
            about="on (0, 2*pi) whatever mu is",
        ),
    ]


def _on_the_half_line() -> list[Entry]:
    located = symbols(a=positive, s=positive, m=real)
    davis = symbols(b=positive, n=positive, mu=real)
    shapes2 = symbols(alpha=positive, beta=positive)
    benini = symbols(alpha=positive, beta=positive, sigma=positive)
    degrees = grid(d1=[1, "0.6", 30, 5, 7], d2=[3, 30, "0.6", 2, 9])
    b_eta = grid(b=SCALE, eta=SHAPE)
    mean_shape = grid(mean=SCALE, shape=OTHER)
    n = whole("n")
    listed: list[tuple[str, tuple[Point, ...], dict[str, Any], dict[str, Any]]] = [
        ("Benini", grid(alpha=SHAPE, beta=OTHER, sigma=SCALE), benini, {}),
        ("BetaPrime", grid(alpha=SHAPE, beta=OTHER), shapes2, {}),
        ("Chi", grid(k=[1, 3, "0.6", 30, 8]), symbols(k=positive), {}),
        ("ChiNoncentral", grid(k=[1, 3, "0.6", 30, 8], l=[1, "0.2", 5, 2, 10]), symbols(k=positive, l=positive), {}),
        ("ChiSquared", grid(k=[1, 3, 2, 30, 8]), {"k": whole("k")}, {}),
        ("Dagum", grid(p=SHAPE, a=OTHER, b=SCALE), symbols(p=positive, a=positive, b=positive), {}),
        (
            "Davis",
            grid(b=SCALE, n=["2.5", "1.3", 30, 4, 2], mu=["0.5", 1, 2, "3.5", "0.1"]),
            davis,
            {"support": (davis["mu"], sp.oo), "value": "real", "conditions": (davis["n"] > 1,)},
        ),
        ("Erlang", grid(k=[1, 3, 30, 2, 8], l=SCALE), {"k": whole("k"), "l": positive("l")}, {}),
        ("Exponential", grid(rate=SCALE), symbols(rate=positive), {}),
        ("FDistribution", degrees, symbols(d1=positive, d2=positive), {}),
        ("Frechet", grid(a=SHAPE, s=SCALE, m=PLACE), located, {"support": (located["m"], sp.oo), "value": "real"}),
        ("Gamma", grid(k=SHAPE, theta=SCALE), symbols(k=positive, theta=positive), {}),
        ("GammaInverse", grid(a=SHAPE, b=SCALE), symbols(a=positive, b=positive), {}),
        ("GaussianInverse", mean_shape, symbols(mean=positive, shape=positive), {}),
        ("Gompertz", b_eta, symbols(b=positive, eta=positive), {}),
        ("Levy", grid(mu=PLACE, c=SCALE), symbols(mu=real, c=positive), {"value": "real"}),
        ("LogCauchy", grid(mu=["0", "-1.3", 2, "0.3", -3], sigma=SCALE), symbols(mu=real, sigma=positive), {}),
        ("LogLogistic", grid(alpha=SCALE, beta=SHAPE), shapes2, {}),
        ("LogNormal", grid(mean=PLACE, std=[1, "2.5", "0.2", 6, "0.9"]), symbols(mean=real, std=positive), {}),
        ("Lomax", grid(alpha=SHAPE, lamda=SCALE), symbols(alpha=positive, lamda=positive), {}),
        ("Maxwell", grid(a=SCALE), symbols(a=positive), {}),
        (
            "Nakagami",
            grid(mu=[1, "0.5", 30, "2.5", "0.7"], omega=SCALE),
            symbols(mu=positive, omega=positive),
            {"conditions": (positive("mu") >= HALF,)},
        ),
        ("Pareto", grid(xm=SCALE, alpha=SHAPE), symbols(xm=positive, alpha=positive), {}),
        ("Rayleigh", grid(sigma=SCALE), symbols(sigma=positive), {}),
        ("ShiftedGompertz", b_eta, symbols(b=positive, eta=positive), {}),
        (
            "UniformSum",
            grid(n=[1, 2, 3, 5, 12]),
            {"n": n},
            {
                "numeric": _uniform_sum,
                "quantile": _uniform_sum_quantile,
                "breaks": tuple(sp.Integer(k) for k in range(1, 12)),
                "about": "a sum up to floor(z)",
            },
        ),
        ("Wald", mean_shape, symbols(mean=positive, shape=positive), {}),
        ("Weibull", grid(alpha=SCALE, beta=SHAPE), shapes2, {}),
    ]
    return [
        entry(name, points, arguments=made, **({"value": "positive"} | more)) for name, points, made, more in listed
    ]


def entries() -> list[Entry]:
    """All 53, by name.

    >>> len(entries())
    53
    """
    made = [*_two_ended(), *_on_the_unit_interval(), *_on_the_line(), *_on_the_half_line()]
    return sorted(made, key=lambda found: found.name)
