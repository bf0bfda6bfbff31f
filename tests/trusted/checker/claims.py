"""False and true claims for the trusted checker, written from the mathematics: a name, and the claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from symaux.formulas.functions.elementary import ImplicitQuantile, ndtr, ndtri, softplus
from symaux.formulas.functions.registry import betaincinv, gammainc, gammaincinv, student_t_ppf
from symaux.formulas.symbols.support import Interval

oo, pi, exp, log, sqrt, Abs, Rational = sp.oo, sp.pi, sp.exp, sp.log, sp.sqrt, sp.Abs, sp.Rational
Z, E, U, M, Q, N, C, D, T = sp.symbols("z eps u m q n c d t", real=True)
S, A, B, K = sp.symbols("s a b k", positive=True)
HALF, DIP = Rational(1, 2), Rational(27, 100)
STUDENT = sp.loggamma((A + 1) / 2) - sp.loggamma(A / 2)
BETA = sp.loggamma(A + B) - sp.loggamma(A) - sp.loggamma(B)
LINE, UNIT, RIGHT, BOTH = (
    Interval(-oo, oo),
    Interval(sp.S(0), sp.S(1)),
    Interval(sp.S(0), oo),
    Interval(-sp.S(1), sp.S(1)),
)


@dataclass(frozen=True)
class Density:
    value: Any
    log_density: Any
    support: Any


def density(value: Any, log_density: Any, support: Any) -> Density:
    return Density(value, sp.sympify(log_density), support)


def where(*branches: Any) -> Any:
    return sp.Piecewise(*branches)


NORMAL = density(E, -(E**2) / 2 - log(2 * pi) / 2, LINE)
UNIFORM = density(U, 0, UNIT)
EXPONENTIAL = density(E, -E, RIGHT)
LOGISTIC = density(E, -E - 2 * log(1 + exp(-E)), LINE)
CAUCHY = density(E, -log(1 + E**2) - log(pi), LINE)
LAPLACE = density(E, -Abs(E) - log(2), LINE)
GUMBEL = density(E, -E - exp(-E), LINE)


def normal(mean: Any, scale: Any, value: Any = Z) -> Density:
    return density(value, -(((value - mean) / scale) ** 2) / 2 - log(scale) - log(2 * pi) / 2, LINE)


def uniform(low: Any, high: Any) -> Density:
    return density(Z, -log(high - low), Interval(sp.sympify(low), sp.sympify(high)))


# Each row: a name, the law, the noise, the generating function, and the conditions.
FALSE: dict[str, tuple[Any, ...]] = {
    # maps that are not one to one
    "a fold of a uniform": (uniform(0, HALF), UNIFORM, Abs(U - HALF)),
    "a fold with the law's density doubled": (density(Z, 0, UNIT), density(E, -log(2), BOTH), Abs(E)),
    "a square for a two-sided law": (
        density(Z, -Abs(Z) / 2 - log(2 * sqrt(2 * pi * Abs(Z))), LINE), NORMAL, E**2),
    "a square on the half-line": (density(Z, -Z / 2 - log(2 * sqrt(2 * pi * Z)), RIGHT), NORMAL, E**2),
    "a cosine of a uniform over two turns": (
        density(Z, -log(4 * pi * sqrt(1 - Z**2)), BOTH), density(U, 0, UNIT), sp.cos(4 * pi * U)),
    "a tent": (density(Z, -log(2), UNIT), UNIFORM, where((2 * U, U < HALF), (2 - 2 * U, True))),
    "a saw": (density(Z, -log(2), UNIT), UNIFORM, where((2 * U, U < HALF), (2 * U - 1, True))),
    "a hidden step by arctangents": (
        density(Z, 0, Interval(sp.S(0), sp.S(1))), density(U, 0, BOTH),
        U + (sp.atan(U) + sp.atan(1 / U)) / pi + HALF),
    "a hidden step by acot": (
        density(Z, -log(2), Interval(-sp.S(1), sp.S(1))), density(E, -log(2), BOTH),
        E + (sp.acot(E) + sp.atan(E)) / pi - sp.sign(E) / 2),
    "x over its absolute value": (density(Z, -log(2), BOTH), density(E, -log(2), BOTH), E - E / Abs(E) + 1),
    "a step by floor": (density(Z, -log(2), UNIT), UNIFORM, 2 * U - sp.floor(2 * U)),
    "a step by ceiling": (density(Z, -log(3), UNIT), UNIFORM, sp.ceiling(3 * U) - 3 * U),
    "a tangent across two poles": (
        density(Z, -log(1 + Z**2) - log(2 * pi), LINE), UNIFORM, sp.tan(2 * pi * U)),
    "an odd square": (normal(0, 1), NORMAL, E * Abs(E)),
    "a map onto a part of the support": (
        density(Z, -log(1 + Z**2) - log(pi), LINE), CAUCHY, Abs(E)),
    "half of a Laplace": (LAPLACE_Z := density(Z, -Abs(Z) - log(2), LINE), EXPONENTIAL, E),
    "one half missing": (density(Z, -log(2), UNIT), UNIFORM, U / 2 + U**2 / 2),
    "a reciprocal across zero": (density(Z, -log(1 + Z**2) - log(2 * pi), LINE), CAUCHY, (E - 1 / E) / 2),
    # wrong laws
    "a scale off by two": (normal(M, S), NORMAL, M + 2 * S * E),
    "a scale off by a millionth": (normal(M, S), NORMAL, M + S * E * (1 + Rational(1, 10**6))),
    "a mean that is forgotten": (normal(M, S), NORMAL, S * E),
    "a variance for a deviation": (normal(M, S), NORMAL, M + S**2 * E),
    "a rate for a scale": (density(Z, -Z / S - log(S), RIGHT), EXPONENTIAL, E / S),
    "the wrong constant": (density(Z, -Z**2 / 2, LINE), NORMAL, E),
    "a shape off by one": (
        density(Z, (A - 1) * log(Z) - Z - sp.loggamma(A), RIGHT), UNIFORM, gammaincinv(A + 1, U)),
    "shapes exchanged": (
        density(Z, (A - 1) * log(Z) + (B - 1) * log(1 - Z) + BETA, UNIT),
        UNIFORM, betaincinv(B, A, U)),
    "degrees of freedom doubled": (
        density(Z, -(A + 1) / 2 * log(1 + Z**2 / A) + STUDENT - log(pi * A) / 2, LINE),
        UNIFORM, student_t_ppf(U, 2 * A)),
    "a noise without mass one": (density(Z, 0, UNIT), density(E, 0, Interval(sp.S(0), sp.S(2))), E / 2),
    "the same formula without mass one": (density(Z, log(2), UNIT), density(E, log(2), UNIT), E),
    "two normals of mass one half": (
        density(Z, -Z**2 / 2 - log(2 * sqrt(2 * pi)), LINE), density(E, -E**2 / 2 - log(2 * sqrt(2 * pi)), LINE), E),
    "branches with wrong masses": (
        density(Z, -Z + log(where((2, Z < HALF), (1, True))), RIGHT),
        density(E, -E + log(where((2, E < HALF), (1, True))), RIGHT), E),
    "branches as logarithms": (
        density(Z, where((-Z + log(2), Z < HALF), (-Z, True)), RIGHT),
        density(E, where((-E + log(2), E < HALF), (-E, True)), RIGHT), E),
    "a branch in a parameter's hands": (
        density(Z, where((log(2), Z < A / (1 + A)), (0, True)), UNIT),
        density(E, where((log(2), E < A / (1 + A)), (0, True)), UNIT), E),
    "a branch that differs on a thousandth": (
        density(Z, where((log(2), Rational(1, 1000) > Z), (0, True)), UNIT), UNIFORM, U),
    "one branch of the law is wrong": (
        density(Z, where((-Z - log(2), Z > 0), (2 * Z - log(2), True)), LINE), LAPLACE, E),
    # names
    "a parameter that is the noise": (normal(E, S), NORMAL, E + S * E),
    "a parameter of the noise's name": (
        normal(eps_plus := sp.Symbol("eps", positive=True), S), NORMAL, eps_plus + S * E),
    "two symbols of one name": (normal(sp.Symbol("m", positive=True), S), NORMAL, M + S * E),
    "the Kelvin sign": (normal(sp.Symbol("K", real=True), S), NORMAL, sp.Symbol("\u212a", real=True) + S * E),
    "the value of the law in the map": (normal(0, 1), NORMAL, Z),
    "a noise that reads the value": (normal(M, 1), density(E, -((E - Z) ** 2) / 2 - log(2 * pi) / 2, LINE), E + M - Z),
    "the parent captured as the noise": (normal(M, 1), density(M, -(M**2) / 2 - log(2 * pi) / 2, LINE), 2 * M),
    "a support that reads the noise": (density(Z, -log(E), Interval(sp.S(0), E)), EXPONENTIAL, E / 2),
    # regions
    "conditions that contradict each other": (normal(M, S), NORMAL, M + 2 * S * E, (M > 1, M < 0)),
    "conditions that contradict an assumption": (normal(M, S), NORMAL, M + S * E, (S < 0,)),
    "a true claim under contradictory conditions": (normal(M, S), NORMAL, M + S * E, (M > 1, M < 0)),
    "a condition on another symbol": (normal(M, S), NORMAL, M + 2 * S * E, (Q > 0,)),
    "a far region": (density(Z, log(-A) - A * Z, RIGHT), EXPONENTIAL, -E / A, (A > 1000,)),
    "bounds in the wrong order": (uniform(2, 1), UNIFORM, 2 - U),
    "bounds of unknown order, reversed": (uniform(C, D), UNIFORM, C + (D - C) * U, (D < C,)),
    "a scale of unknown sign": (normal(M, Q), NORMAL, M + Q * E),
    "a symbol that is not known to be real": (normal(sp.Symbol("w"), S), NORMAL, sp.Symbol("w") + S * E),
    "a value that is said to be positive": (
        density(z_plus := sp.Symbol("z", positive=True), -log(sp.sign(z_plus)) - z_plus**2 / 2 - log(2 * pi) / 2, LINE),
        NORMAL, Abs(E)),
    "a floating-point number": (normal(M, S), NORMAL, M + S * E * sp.Float("1.0")),
    "an exponent that may be negative": (density(Z, log(Q) + (Q - 1) * log(Z), UNIT), UNIFORM, U ** (1 / Q)),
    "a logarithm of a negative number": (density(Z, log(-Z) - log(-1), UNIT), density(E, log(-E) - log(-1), UNIT), E),
    "a root of a negative number": (density(Z, 2 * log(sqrt(Z - 2)), UNIT), density(E, 2 * log(sqrt(E - 2)), UNIT), E),
    "an implicit quantile of another density": (
        density(Z, -Z - 2 * log(1 + exp(-Z)), LINE), UNIFORM, ImplicitQuantile(U, T, -T**2 / 2 - log(2 * pi) / 2)),
    "an implicit quantile without mass one": (
        density(Z, -Z**2 / 2, LINE), UNIFORM, ImplicitQuantile(U, T, -T**2 / 2)),
}  # fmt: skip

# The law is right, but the map jumps or is not one to one: no rule for one monotone noise says so.
NOT_MONOTONE: dict[str, tuple[Any, ...]] = {
    "a tent": (uniform(0, 1), UNIFORM, where((2 * U, U < HALF), (2 - 2 * U, True))),
    "a saw": (uniform(0, 1), UNIFORM, where((2 * U, U < HALF), (2 * U - 1, True))),
    "a step by floor": (uniform(0, 1), UNIFORM, 2 * U - sp.floor(2 * U)),
    "a tangent across its pole": (density(Z, -log(1 + Z**2) - log(pi), LINE), UNIFORM, sp.tan(pi * U)),
    "a reciprocal across zero": (density(Z, -log(1 + Z**2) - log(pi), LINE), CAUCHY, 1 / E),
    "a square": (density(Z, -Z / 2 - log(2 * pi * Z) / 2, RIGHT), NORMAL, E**2),
}  # fmt: skip

FALSE_MASSES: dict[str, tuple[Any, ...]] = {
    "mass 1.39 by branches": (density(Z, -Z + log(where((2, Z < HALF), (1, True))), RIGHT),),
    "mass 11/3 by branches": (density(Z, log(where((1, Rational(1, 3) > Z), (5, True))), UNIT),),
    "a gap": (density(Z, where((log(3), Z < HALF), (log(sp.Integer(2)), True)), UNIT),),
    "a sign dip as a logarithm": (
        density(Z, log((Z - DIP) / Abs(Z - DIP) * (Z - Rational(3, 10)) / Abs(Z - Rational(3, 10))), UNIT),),
    "a sign dip, tiny": (density(Z, log(12 * (Z - HALF) * (Z - HALF - Rational(1, 1000))), UNIT),),
    "a negative density": (density(Z, log(-A * exp(-A * Z)), RIGHT), (A > 1000,)),
    "the absolute value of it, with a wrong constant": (density(Z, log(Abs(-A * exp(-2 * A * Z))), RIGHT), (A > 1000,)),
    "a normal without its root": (density(Z, -Z**2 / 2 - log(2 * pi), LINE),),
    "a gamma law with an unknown shape": (density(Z, (Q - 1) * log(Z) - Z - sp.loggamma(Q), RIGHT),),
    "a beta law with a negative shape": (density(Z, -2 * log(Z), UNIT),),
    "an improper density": (density(Z, -log(Z), RIGHT),),
    "a flat density": (density(Z, 0, LINE),),
    "Cauchy's with another constant": (density(Z, -log(1 + Z**2) - log(3), LINE),),
    "weights that add up to 11/10": (
        density(Z, log(Rational(1, 2) * exp(-Z) + Rational(6, 10) * 2 * exp(-2 * Z)), RIGHT),),
    "a zeta integral at one": (density(Z, (Q - 1) * log(Z) - log(exp(Z) - 1) - sp.loggamma(Q) - log(sp.zeta(Q)), RIGHT),),
    "a von Mises law over half a turn": (
        density(Z, A * sp.cos(Z) - log(2 * pi * sp.besseli(0, A)), Interval(sp.S(0), pi)),),
    "a Laplace law on one half": (density(Z, -Abs(Z) - log(2), RIGHT),),
    "off by a millionth": (density(Z, -Z + log(1 + Rational(1, 10**6)), RIGHT),),
}  # fmt: skip

TRUE: dict[str, tuple[Any, ...]] = {
    "a normal": (normal(M, S), NORMAL, M + S * E),
    "a normal, falling": (normal(M, S), NORMAL, M - S * E),
    "numbers": (normal(1013, 5), NORMAL, 1013 + 5 * E),
    "a normal by its quantile": (normal(M, S), UNIFORM, M + S * ndtri(U)),
    "a normal by erfinv": (normal(M, S), UNIFORM, M + S * sqrt(2) * sp.erfinv(2 * U - 1)),
    "a uniform": (uniform(C, D), UNIFORM, C + (D - C) * U, (C < D,)),
    "a uniform, falling": (uniform(C, D), UNIFORM, D - (D - C) * U, (C < D,)),
    "a uniform without its condition": (uniform(C, D), UNIFORM, C + (D - C) * U),
    "an exponential": (density(Z, log(A) - A * Z, RIGHT), EXPONENTIAL, E / A),
    "an exponential by a uniform": (density(Z, log(A) - A * Z, RIGHT), UNIFORM, -log(U) / A),
    "an exponential by 1 - u": (density(Z, log(A) - A * Z, RIGHT), UNIFORM, -log(1 - U) / A),
    "a far region": (density(Z, log(A) - A * Z, RIGHT), EXPONENTIAL, E / A, (A > 1000,)),
    "a scale with a condition": (normal(M, Q), NORMAL, M + Q * E, (Q > 2,)),
    "a Weibull": (density(Z, log(K / S) + (K - 1) * log(Z / S) - (Z / S) ** K, RIGHT), UNIFORM, S * (-log(U)) ** (1 / K)),
    "a Pareto": (density(Z, log(A) + A * log(S) - (A + 1) * log(Z), Interval(S, oo)), UNIFORM, S * U ** (-1 / A)),
    "a Gumbel": (density(Z, -(Z - M) / S - exp(-(Z - M) / S) - log(S), LINE), UNIFORM, M - S * log(-log(U))),
    "a logistic": (density(Z, -(Z - M) / S - log(S) - 2 * log(1 + exp(-(Z - M) / S)), LINE), UNIFORM, M + S * log(U / (1 - U))),
    "a Cauchy by tan": (density(Z, -log(1 + Z**2) - log(pi), LINE), UNIFORM, sp.tan(pi * (U - HALF))),
    "a Cauchy by a Cauchy": (density(Z, log(S) - log(S**2 + (Z - M) ** 2) - log(pi), LINE), CAUCHY, M + S * E),
    "a Laplace": (density(Z, -Abs(Z - M) / S - log(2 * S), LINE), LAPLACE, M + S * E),
    "a Laplace by a uniform": (
        density(Z, -Abs(Z) - log(2), LINE), UNIFORM, where((log(2 * U), U < HALF), (-log(2 - 2 * U), True))),
    "a lognormal": (density(Z, -((log(Z) - M) ** 2) / (2 * S**2) - log(Z * S * sqrt(2 * pi)), RIGHT), NORMAL, exp(M + S * E)),
    "a logit-normal": (
        density(Z, -(log(Z / (1 - Z)) ** 2) / 2 - log(Z * (1 - Z)) - log(2 * pi) / 2, UNIT), NORMAL, 1 / (1 + exp(-E))),
    "a gamma": (density(Z, (A - 1) * log(Z) - Z / S - A * log(S) - sp.loggamma(A), RIGHT), UNIFORM, S * gammaincinv(A, U)),
    "a beta": (
        density(Z, (A - 1) * log(Z) + (B - 1) * log(1 - Z) + BETA, UNIT),
        UNIFORM, betaincinv(A, B, U)),
    "a Kumaraswamy": (
        density(Z, log(A * B) + (A - 1) * log(Z) + (B - 1) * log(1 - Z**A), UNIT),
        UNIFORM, (1 - (1 - U) ** (1 / B)) ** (1 / A)),
    "a triangle": (
        density(Z, log(1 - Abs(Z)), BOTH), UNIFORM, where((sqrt(2 * U) - 1, U < HALF), (1 - sqrt(2 - 2 * U), True))),
    "branches": (
        density(Z, where((log(Rational(3, 2)), Z < HALF), (-log(2), True)), UNIT), UNIFORM,
        where((2 * U / 3, Rational(3, 4) > U), (2 * U - 1, True))),
    "a Rayleigh": (density(Z, log(Z) - 2 * log(S) - Z**2 / (2 * S**2), RIGHT), UNIFORM, S * sqrt(-2 * log(U))),
    "a half-normal": (density(Z, log(2) / 2 - log(pi) / 2 - Z**2 / 2, RIGHT), UNIFORM, ndtri((1 + U) / 2)),
    "an arcsine": (density(Z, -log(pi) - log(Z * (1 - Z)) / 2, UNIT), UNIFORM, sp.sin(pi * U / 2) ** 2),
    "a sinh": (density(Z, -log(1 + Z**2) / 2 - sp.asinh(Z) ** 2 / 2 - log(2 * pi) / 2, LINE), NORMAL, sp.sinh(E)),
    "a power function": (density(Z, log(A) + (A - 1) * log(Z), UNIT), UNIFORM, U ** (1 / A)),
    "an odd power": (
        density(Z, log(3) + 2 * log(Abs(Z)) - log(2), BOTH), density(E, -log(2), BOTH),
        sp.sign(E) * Abs(E) ** Rational(1, 3)),
    "a softplus": (density(Z, -Z, RIGHT), LOGISTIC, softplus(E)),
    "an implicit quantile": (normal(M, S), UNIFORM, M + S * ImplicitQuantile(U, T, -T**2 / 2 - log(2 * pi) / 2)),
    "a Cauchy by cot": (
        density(Z, -log(1 + Z**2) - log(pi), LINE), UNIFORM, sp.cot(pi * (1 - U))),
    "a truncated exponential": (
        density(Z, -Z - log(1 - exp(-A)), Interval(sp.S(0), A)), UNIFORM, -log(1 - U * (1 - exp(-A)))),
    "a Gompertz": (density(Z, log(A * B) + A + B * Z - A * exp(B * Z), RIGHT), UNIFORM, log(1 - log(1 - U) / A) / B),
    "an inverse gamma": (
        density(Z, A * log(S) - (A + 1) * log(Z) - S / Z - sp.loggamma(A), RIGHT), UNIFORM, S / gammaincinv(A, 1 - U)),
    "a Student": (
        density(Z, -(A + 1) / 2 * log(1 + ((Z - M) / S) ** 2 / A) + STUDENT - log(pi * A) / 2 - log(S), LINE),
        UNIFORM, M + S * student_t_ppf(U, A)),
    "a normal from a normal's quantile": (normal(0, 1), NORMAL, ndtri(1 - ndtr(E))),
    "a chi-squared": (density(Z, -Z / 2 - log(Z) / 2 - log(2 * pi) / 2, RIGHT), UNIFORM, 2 * sp.erfinv(U) ** 2),
    "a uniform of a normal": (density(Z, 0, UNIT), NORMAL, ndtr(E)),
    "a uniform of a gamma": (
        density(Z, 0, UNIT), density(E, (A - 1) * log(E) - E - sp.loggamma(A), RIGHT), gammainc(A, E)),
}  # fmt: skip

TRUE_MASSES: dict[str, tuple[Any, ...]] = {
    "a normal": (normal(M, S),),
    "a normal with numbers": (normal(2000, 10),),
    "a quadratic without its square completed": (density(Z, -(Z**2) + 4 * Z - 4 - log(pi) / 2, LINE),),
    "a Weibull": (density(Z, log(K / S) + (K - 1) * log(Z / S) - (Z / S) ** K, RIGHT),),
    "a Laplace": (density(Z, -Abs(Z - M) / S - log(2 * S), LINE),),
    "branches with mass one": (density(Z, where((log(Rational(3, 2)), Z < HALF), (-log(2), True)), UNIT),),
    "the absolute value of a negative density": (density(Z, log(Abs(-A * exp(-A * Z))), RIGHT), (A > 1000,)),
    "a mixture": (density(Z, log(exp(-Z) / 4 + Rational(3, 2) * exp(-2 * Z)), RIGHT),),
    "a Student": (density(Z, -(A + 1) / 2 * log(A + Z**2) + A * log(A) / 2 + STUDENT - log(pi) / 2, LINE),),
    "a beta prime": (density(Z, (A - 1) * log(Z) - (A + B) * log(1 + Z) + BETA, RIGHT),),
    "a triangle": (density(Z, log(1 - Abs(Z)), BOTH),),
    "a von Mises": (density(Z, A * sp.cos(Z - M) - log(2 * pi * sp.besseli(0, A)), Interval(-pi, pi)),),
}  # fmt: skip
