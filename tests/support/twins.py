"""True claims for mutation testing: a law, the laws of its noises, and a generating function, each written by hand."""

from __future__ import annotations

import sympy as sp

from symaux.formulas.functions.elementary import ndtr, ndtri
from symaux.formulas.functions.registry import betaincinv, gammaincinv, student_t_ppf
from symaux.laws import families as f
from symaux.laws.law import Law, law

Z, E, M, D = sp.symbols("z e m d", real=True)
X, U, S, K, W, V, R, T = sp.symbols("x u s k w v r t", positive=True)
UNIFORM, NORMAL, UNIT = f.uniform(U, 0, 1), f.normal(E, 0, 1), f.exponential(W, 1)
OTHER, SECOND, HALF_NORMAL = f.exponential(V, 1), f.normal(D, 0, 1), f.half_normal(T, 1)
HALF = sp.Rational(1, 2)
CENTRED = -sp.log(S) - sp.log(2 * sp.pi) / 2 - (Z - M) ** 2 / (2 * S**2)

Twin = tuple[Law, tuple[Law, ...], sp.Expr]


def _above(bound: sp.Expr) -> Law:
    """A normal law cut off below."""
    return law(
        X,
        log_density=-(X**2) / (2 * S**2) - sp.log(S) - sp.log(2 * sp.pi) / 2 - sp.log(ndtr(-bound / S)),
        support=(bound, sp.oo),
    )


def _short() -> Law:
    """An exponential law cut off above."""
    return law(X, log_density=sp.log(R) - R * X - sp.log(1 - sp.exp(-R * S)), support=(0, S))


ONE_NOISE: dict[str, tuple[Law, Law, sp.Expr]] = {
    "normal": (f.normal(Z, M, S), NORMAL, M + S * E),
    "normal from a uniform": (f.normal(Z, M, S), UNIFORM, M + S * ndtri(U)),
    "log_normal": (f.log_normal(X, M, S), NORMAL, sp.exp(M + S * E)),
    "log_normal from a uniform": (f.log_normal(X, M, S), UNIFORM, sp.exp(M + S * ndtri(U))),
    "cauchy": (f.cauchy(Z, M, S), UNIFORM, M + S * sp.tan(sp.pi * (U - HALF))),
    "half_cauchy": (f.half_cauchy(X, S), UNIFORM, S * sp.tan(sp.pi * U / 2)),
    "logistic": (f.logistic(Z, M, S), UNIFORM, M + S * (sp.log(U) - sp.log(1 - U))),
    "log_logistic": (
        law(X, log_density=sp.log(K) - sp.log(S) + (K - 1) * sp.log(X / S) - 2 * sp.log(1 + (X / S) ** K)),
        UNIFORM,
        S * (U / (1 - U)) ** (1 / K),
    ),
    "gumbel": (f.gumbel(Z, M, S), UNIFORM, M - S * sp.log(-sp.log(U))),
    "gumbel from an exponential": (f.gumbel(Z, M, S), UNIT, M - S * sp.log(W)),
    "exponential": (f.exponential(X, S), UNIT, W / S),
    "weibull": (f.weibull(X, K, S), UNIT, S * W ** (1 / K)),
    "pareto": (f.pareto(X, S, K), UNIFORM, S * U ** (-1 / K)),
    "frechet": (f.frechet(X, K, S), UNIT, S * W ** (-1 / K)),
    "rayleigh": (f.rayleigh(X, S), UNIT, S * sp.sqrt(2 * W)),
    "kumaraswamy": (f.kumaraswamy(X, S, K), UNIFORM, (1 - U ** (1 / K)) ** (1 / S)),
    "uniform": (f.uniform(Z, M, M + S), UNIFORM, M + S * U),
    "power": (law(X, K * X ** (K - 1) / S**K, support=(0, S)), UNIFORM, S * U ** (1 / K)),
    "arcsine": (law(X, 1 / (sp.pi * sp.sqrt(X * (1 - X))), support=(0, 1)), UNIFORM, sp.sin(sp.pi * U / 2) ** 2),
    "logit_normal": (
        law(X, log_density=CENTRED.xreplace({Z: sp.log(X / (1 - X))}) - sp.log(X) - sp.log(1 - X), support=(0, 1)),
        NORMAL,
        1 / (1 + sp.exp(-M - S * E)),
    ),
    "sinh_normal": (
        law(Z, log_density=CENTRED.xreplace({Z: sp.asinh(Z)}) - sp.log(1 + Z**2) / 2),
        NORMAL,
        sp.sinh(M + S * E),
    ),
    "laplace": (
        f.laplace(Z, M, S),
        UNIFORM,
        sp.Piecewise((M + S * sp.log(2 * U), U < HALF), (M - S * sp.log(2 - 2 * U), True)),
    ),
    "triangular": (
        f.triangular(Z, M, M + S, M + S + K),
        UNIFORM,
        sp.Piecewise(
            (M + sp.sqrt(U * (S + K) * S), U < S / (S + K)),
            (M + S + K - sp.sqrt((1 - U) * (S + K) * K), True),
        ),
    ),
    "truncated exponential": (_short(), UNIFORM, -sp.log(1 - U * (1 - sp.exp(-R * S))) / R),
    "truncated normal": (_above(K), UNIFORM, -S * ndtri(U * ndtr(-K / S))),
    "gamma": (f.gamma(X, K, S), UNIFORM, gammaincinv(K, U) / S),
    "inverse_gamma": (f.inverse_gamma(X, K, S), UNIFORM, S / gammaincinv(K, U)),
    "beta": (f.beta(X, S, K), UNIFORM, betaincinv(S, K, U)),
    "student_t": (f.student_t(Z, K, M, S), UNIFORM, M + S * student_t_ppf(U, K)),
}

SEVERAL: dict[str, Twin] = {
    "sum of normals": (f.normal(Z, M, sp.sqrt(1 + S**2)), (NORMAL, SECOND), M + E + S * D),
    "cauchy as a ratio": (f.cauchy(Z, M, S), (NORMAL, HALF_NORMAL), M + S * E / T),
    "laplace as a difference": (f.laplace(Z, M, S), (UNIT, OTHER), M + S * (W - V)),
    "logarithm of a ratio": (f.logistic(Z, M, S), (UNIT, OTHER), M + S * (sp.log(W) - sp.log(V))),
    "laplace as a mixture": (f.laplace(Z, M, S), (NORMAL, UNIT), M + S * sp.sqrt(2 * W) * E),
}

TWINS: dict[str, Twin] = {name: (of, (noise,), g) for name, (of, noise, g) in ONE_NOISE.items()} | SEVERAL
