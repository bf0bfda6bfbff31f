"""False claims, each with a way to look true: none may come out PROVED or CERTIFIED. tests/proof/test_attacks.py tries them.

A claim is a law, the laws of its noises, and a generating function. Some have the right law and fail otherwise: a
generating function must be continuous in noise and parameters together, and its noise fresh and normalised.
"""

from __future__ import annotations

import sympy as sp

from symaux.formulas.functions.elementary import ImplicitQuantile, ndtri
from symaux.formulas.functions.registry import betaincinv, gammaincinv, student_t_ppf
from symaux.formulas.symbols.indices import arrays, plate
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws import families as f
from symaux.laws.law import Law

Z, Y, E, D, MU, NU = sp.symbols("z y e d mu nu", real=True)
X, U, S, K, W, V, T = sp.symbols("x u s k w v t", positive=True)
UNIFORM, NORMAL, UNIT = f.uniform(U, 0, 1), f.normal(E, 0, 1), f.exponential(W, 1)
SECOND, OTHER = f.normal(D, 0, 1), f.exponential(V, 1)
HALF, TINY = sp.Rational(1, 2), sp.Rational(1, 10**9)
POSITIVE, UNIT_INTERVAL = Interval(sp.S.Zero, sp.oo), Interval(sp.S.Zero, sp.S.One)
PHI = -(E**2) / 2 - sp.log(2 * sp.pi) / 2
ROOT = sp.log(sp.sqrt(2 * sp.pi))

Claim = tuple[Law, tuple[Law, ...], sp.Expr]


def n(at: sp.Expr) -> sp.Expr:
    """The standard normal log-density."""
    return -(at**2) / 2 - ROOT


def one(law: Law, noise: Law, g: sp.Expr) -> Claim:
    return law, (noise,), g


def turned(low: sp.Expr, high: sp.Expr, function: sp.Expr) -> Claim:
    """Uniform noise between bounds through a function that is the identity only on a part of them, against itself."""
    return one(f.uniform(Z, low, high), f.uniform(E, low, high), function)


FOLDS = {
    "a fold in two pieces": one(
        Law(X, sp.S.Zero, Interval(sp.S.Zero, HALF)), UNIFORM, sp.Piecewise((HALF - U, U < HALF), (U - HALF, True))
    ),
    "a saw with two teeth": one(
        Law(X, sp.S.Zero, UNIT_INTERVAL), UNIFORM, sp.Piecewise((2 * U, U < HALF), (2 * U - 1, True))
    ),
    "a square of a normal against half of its law": one(
        Law(X, -X / 2 - sp.log(X) / 2 - ROOT - sp.log(2), POSITIVE), NORMAL, E**2
    ),
    "a cosine of three quarters of a turn": one(
        Law(Z, -sp.log(sp.pi) - sp.log(1 - Z**2) / 2, Interval(sp.S.NegativeOne, sp.S.One)),
        UNIFORM,
        sp.cos(3 * sp.pi * U / 2),
    ),
    "an inverse tangent of a tangent": one(NORMAL.substituted({E: Z}), NORMAL, sp.atan(sp.tan(E))),
    "an inverse sine of a sine": turned(sp.S.Zero, sp.Integer(3), sp.asin(sp.sin(E))),
    "an inverse cosine of a cosine": turned(sp.S.NegativeOne, sp.S.One, sp.acos(sp.cos(E))),
    "an inverse hyperbolic cosine of one": one(f.normal(Z, 0, 1), NORMAL, sp.acosh(sp.cosh(E))),
    "the other branch of Lambert's function": turned(sp.Integer(-3), -HALF, sp.LambertW(E * sp.exp(E))),
    "a constant piece": one(f.normal(Z, 0, 1), NORMAL, sp.Piecewise((E, E < 0), (0, E < 1), (E - 1, True))),
    "a part of a normal squeezed to a point": one(f.normal(Z, 0, 1), NORMAL, sp.Max(E, 0) + sp.Min(E, -1) + 1),
    "branches that add up to too much": one(Law(X, n(X) + sp.log(2) + sp.log(1 + TINY), POSITIVE), NORMAL, sp.Abs(E)),
    "branches of another mean": one(
        Law(X, sp.log(sp.exp(n(X - MU)) + sp.exp(n(X + MU))), POSITIVE), NORMAL, sp.Abs(E + MU + TINY)
    ),
    "branches that are not all there": one(f.half_normal(X, 1), f.uniform(E, -1, 2), sp.Abs(E)),
    "branches that meet at infinity": one(
        Law(X, n(1 / X) + sp.log(2) - 2 * sp.log(X), POSITIVE), NORMAL, 1 / sp.Abs(E)
    ),
    "a modulus with a sign": one(f.normal(Z, 0, 1), NORMAL, sp.Abs(E) * sp.sign(E + 1)),
}
BRANCHES = {
    "a cube root of a cube": one(f.normal(Z, 0, 1), NORMAL, (E**3) ** sp.Rational(1, 3)),
    "a square root of a square, below zero": one(f.half_normal(X, 1), NORMAL, sp.sqrt(E) ** 2),
    "a power of a negative number": one(f.frechet(X, K, S), UNIT, S * (-W) ** (-1 / K)),
    "a logarithm of a negative number": one(f.gumbel(Z, MU, S), UNIFORM, MU - S * sp.log(-sp.log(-U))),
    "a negative density": one(Law(X, sp.log(-sp.exp(-X), evaluate=False), POSITIVE), UNIT, W),
    "a density below zero in a part": one(
        Law(X, sp.log(4 * X - 1), UNIT_INTERVAL), UNIFORM, (1 + sp.sqrt(8 * U + 1)) / 4
    ),
    "a quantile beyond one": one(f.gamma(X, K, 1), UNIFORM, gammaincinv(K, 2 * U)),
    "a beta quantile below zero": one(f.beta(X, S, K), UNIFORM, betaincinv(S, K, 2 * U - 1)),
    "a normal quantile beyond one": one(f.normal(Z, 0, 1), UNIFORM, ndtri(U * (1 + TINY))),
    "a student quantile of half a uniform": one(f.student_t(Z, K, 0, 1), UNIFORM, student_t_ppf(U / 2, K)),
    "an angle of two numbers": one(
        f.uniform(Z, -sp.pi, sp.pi), f.uniform(E, -sp.pi, sp.pi), sp.arg(sp.exp(2 * sp.I * E))
    ),
    "an exponential of a complex logarithm": one(f.normal(Z, 0, 1), NORMAL, sp.exp(3 * sp.log(E)) ** sp.Rational(1, 3)),
}
SUPPORTS = {
    "half of the law": one(f.laplace(Z, 0, 1), UNIFORM, sp.log(U)),
    "a shifted support": one(Law(X, sp.S.Zero, Interval(TINY, 1 + TINY)), UNIFORM, U),
    "a support that ends too early": one(Law(X, -X, Interval(sp.S.Zero, sp.Integer(60))), UNIT, W),
    "a support that starts too early": one(Law(Z, -Z, Interval(-TINY, sp.oo)), UNIT, W),
    "a support in the wrong order": one(Law(X, sp.S.Zero, Interval(sp.S.One, sp.S.Zero)), UNIFORM, 1 - U),
    "an empty support": one(Law(X, -X, Interval(sp.S.One, sp.S.One)), UNIT, W),
    "an image that is too large": one(f.uniform(Z, 0, 1), UNIFORM, 2 * U - HALF),
    "a tail cut off far out": one(f.normal(Z, 0, 1), Law(E, PHI, Interval(-sp.oo, sp.Integer(40))), E),
    "a logistic that starts inside": one(f.logistic(Z, 0, 1), UNIFORM, sp.log(U + TINY) - sp.log(1 - U)),
    "a parent at the end of the support": one(f.uniform(Z, MU, MU + S), UNIFORM, MU + S * U**2),
}
MASSES = {
    "noise that is too heavy by 1e-9": one(
        Law(Z, n(Z) + sp.log(1 + TINY), REALS), Law(E, PHI + sp.log(1 + TINY), REALS), E
    ),
    "noise that is too light by 1e-15": one(
        Law(Z, n(Z) + sp.log(1 - TINY / 10**6), REALS), Law(E, PHI + sp.log(1 - TINY / 10**6), REALS), E
    ),
    "noise without a mass": one(Law(X, -sp.log(X), POSITIVE), Law(W, -sp.log(W), POSITIVE), W),
    "noise of mass one where a parameter is one": one(Law(X, -S * X, POSITIVE), Law(W, -S * W, POSITIVE), W),
    "a parameter with the name of a variable of integration": one(
        Law(V, sp.log(2 * X) - V**2, POSITIVE), Law(W, sp.log(2 * X) - W**2, POSITIVE), W
    ),
    "a proper law from an improper one": one(f.normal(Z, 0, 1), Law(E, PHI, REALS, proper=False), E),
    "an implicit quantile of half a density": one(
        Law(Z, n(Z) - sp.log(2), REALS), UNIFORM, ImplicitQuantile(U, Y, n(Y) - sp.log(2))
    ),
    "an implicit quantile of another density": one(
        f.normal(Z, 0, 1), UNIFORM, ImplicitQuantile(U, Y, n(Y * (1 + TINY)))
    ),
    "an implicit quantile of a normal": one(f.normal(Z, 0, 1), NORMAL, ImplicitQuantile(E, Y, n(Y))),
    "an implicit quantile that reads its noise": one(f.normal(Z, U, 1), UNIFORM, ImplicitQuantile(U, Y, n(Y - U))),
}
NAMES = {
    "a parent called z": one(Law(V, V - sp.Symbol("z", positive=True), UNIT_INTERVAL), UNIFORM, U),
    "a parent called eps": one(f.normal(Y, sp.Symbol("eps", real=True), 1), NORMAL, E),
    "two symbols of one name": one(f.normal(Z, sp.Symbol("m"), 1), NORMAL, sp.Symbol("m", real=True) + E),
    "two dummies of one name": one(f.normal(Z, sp.Dummy("m", real=True), 1), NORMAL, sp.Dummy("m", real=True) + E),
    "the value generates itself": one(f.normal(Z, 0, 1), NORMAL, Z + 0 * E),
    "the value and the noise": one(f.normal(Z, 0, sp.sqrt(2)), NORMAL, Z + E),
    "the noise has the name of a parent": one(f.normal(Z, E, 1), NORMAL, 2 * E),
    "a parent called w1 beside a chart": one(
        f.uniform(Z, MU, NU), UNIFORM, MU + (NU - MU) * U * sp.Symbol("w1", positive=True) / (NU - MU)
    ),
    "a parent called s_": one(Law(V, sp.log(1 + V / sp.Symbol("s_", positive=True)), UNIT_INTERVAL), UNIFORM, U),
    "no noise at all": (f.normal(Z, 0, 1), (), sp.S.Zero),
    "a constant": one(f.normal(Z, 0, 1), NORMAL, MU),
    "not a number": one(f.normal(Z, 0, 1), NORMAL, E * sp.nan),
    "an unknown function": one(f.normal(Z, 0, 1), NORMAL, sp.Function("g", real=True)(E)),
    "an imaginary part": one(f.normal(Z, 0, 1), NORMAL, E + sp.I),
}
JUMPS = {
    "a tangent across its pole": one(f.cauchy(Z, 0, 1), UNIFORM, sp.tan(sp.pi * U)),
    "a reciprocal across its pole": one(f.cauchy(Z, 0, 1), f.cauchy(E, 0, 1), 1 / E),
    "a rotated uniform": one(f.uniform(X, 0, 1), UNIFORM, sp.Piecewise((U + HALF, U < HALF), (U - HALF, True))),
    "a rotated uniform by a remainder": one(f.uniform(X, 0, 1), UNIFORM, sp.Mod(U + HALF, 1)),
    "a fractional part": one(f.uniform(X, 0, 1), UNIFORM, 2 * U - sp.floor(2 * U)),
    "a sign of a parent": one(f.normal(Z, 0, 1), NORMAL, sp.sign(MU) * E),
    "a parent over its modulus": one(f.normal(Z, 0, 1), NORMAL, MU / sp.Abs(MU) * E),
    "a root of a square over it": one(f.normal(Z, 0, 1), NORMAL, E * sp.sqrt(MU**2, evaluate=False) / MU),
    "inverse tangents that make a sign": one(
        f.normal(Z, 0, 1), NORMAL, E * (sp.atan(MU) + sp.atan(1 / MU)) * 2 / sp.pi
    ),
    "a branch by a parent": one(f.normal(Z, MU, S), NORMAL, sp.Piecewise((MU + S * E, MU > 0), (MU - S * E, True))),
    "a step of a parent": one(f.normal(Z, 0, 1), NORMAL, (2 * sp.Heaviside(MU) - 1) * E),
    "a power of minus one": one(f.normal(Z, 0, 1), NORMAL, (-1) ** sp.floor(MU) * E),
    "a gap": one(
        Law(Z, sp.Piecewise((n(Z - 1), Z > 1), (n(Z + 1), Z < -1), (-sp.oo, True)), REALS), NORMAL, E + sp.sign(E)
    ),
    "a missing branch": one(f.uniform(X, 0, 1), UNIFORM, sp.Piecewise((U, sp.Rational(9999, 10000) > U))),
    "overlapping branches": one(
        f.uniform(X, 0, 1), UNIFORM, sp.Piecewise((U, U < HALF), (U**2, sp.Rational(3, 4) > U), (U, True))
    ),
}
PARAMETERS = {
    "conditions that cannot hold": one(
        Law(Z, n(Z - MU), REALS, conditions=(MU > 1, MU < 0)), NORMAL, MU + E * (1 + TINY)
    ),
    "a scale that is right below five": one(f.normal(Z, 0, S), NORMAL, E * sp.Min(S, 5)),
    "an imaginary parent": one(
        Law(Z, n(Z - sp.Symbol("i", imaginary=True)), REALS), NORMAL, E + sp.Symbol("i", imaginary=True)
    ),
    "an infinite parent": one(
        Law(Z, n(Z - sp.Symbol("i", infinite=True)), REALS), NORMAL, E + sp.Symbol("i", infinite=True)
    ),
    "a third in fifteen digits": one(f.normal(Z, MU / 3, 1), NORMAL, sp.Float(1) / 3 * MU + E),
    "a number of thirty digits": one(f.normal(Z, 0, sp.Float("1.00000000000000000001", 30)), NORMAL, E),
    "a logarithm of a square": one(f.normal(Z, 0, 1), NORMAL, E + sp.log(MU**2) - 2 * sp.log(MU)),
    "a root of a product": one(f.normal(Z, 0, 1), NORMAL, E * sp.sqrt(MU) * sp.sqrt(NU) / sp.sqrt(MU * NU)),
    "a point in a parameter": one(f.normal(Z, 0, 1), NORMAL, E + sp.KroneckerDelta(MU, 3)),
    "a point in the noise": one(f.normal(Z, 0, 1), NORMAL, E + sp.DiracDelta(E)),
    "right for whole numbers": one(f.normal(Z, 0, 1), NORMAL, sp.cos(2 * sp.pi * K) * E),
    "a square for a square root": one(f.normal(Z, 0, S), NORMAL, S ** (1 + TINY) * E),
    "a degree of freedom for another": one(f.student_t(Z, K, 0, 1), UNIFORM, student_t_ppf(U, K + TINY)),
    "a shape for a rate": one(f.gamma(X, S, K), UNIFORM, gammaincinv(K, U) / S),
    "a bump where nothing is": one(f.normal(Z, 0, 1), NORMAL, E + sp.exp(-1000 * (E - 9) ** 2) / 1000),
    "a bend where nothing is": one(
        f.normal(Z, 0, 1),
        NORMAL,
        sp.Piecewise((E, E < 9), (9 + 2 * (E - 9) ** 2, sp.Rational(19, 2) > E), (E, True)),
    ),
    "a normal of a hundred uniforms' spread": one(f.normal(Z, 0, 1), UNIFORM, sp.sqrt(12) * (U - HALF)),
    "a tilt of 1e-12": one(f.normal(Z, 0, 1), NORMAL, E + TINY / 1000 * E**3),
}
_e3 = sp.Symbol("e3", real=True)
_ZI, _EI = arrays("z eps")
_I, _J = plate("i", 3), plate("j", 3)
SEVERAL = {
    "one noise under two names": (f.normal(Z, 0, sp.sqrt(2)), (NORMAL, NORMAL), 2 * E / sp.sqrt(2)),
    "two noises of one symbol": (f.normal(Z, 0, 1), (NORMAL, NORMAL), E),
    "a noise that is not used": (f.normal(Z, 0, 1), (NORMAL, SECOND), E),
    "a sum with the wrong spread": (f.normal(Z, 0, sp.sqrt(2) + TINY), (NORMAL, SECOND), E + D),
    "three noises with the wrong spread": (
        f.normal(Z, 0, sp.sqrt(3) + TINY),
        (NORMAL, SECOND, f.normal(_e3, 0, 1)),
        E + D + _e3,
    ),
    "a noise that depends on the other": (f.normal(Z, 0, sp.sqrt(2)), (NORMAL, f.normal(D, E, 1)), D),
    "a ratio for a product": (f.cauchy(Z, 0, 1), (NORMAL, SECOND), E * D),
    "three uniforms with a parent called t": (
        Law(X, sp.log(X**2 / 2 * (1 + sp.Symbol("t", positive=True) / 10**6)), Interval(sp.S.Zero, sp.Integer(3))),
        (UNIFORM, f.uniform(V, 0, 1), f.uniform(S, 0, 1)),
        U + V + S,
    ),
    "two uniforms against a triangle that is off": (
        Law(X, sp.log(sp.Min(X, 2 - X)) + sp.log(1 + TINY), Interval(sp.S.Zero, sp.Integer(2))),
        (UNIFORM, f.uniform(V, 0, 1)),
        U + V,
    ),
    "a difference that is a sum": (f.laplace(Z, 0, 1), (UNIT, OTHER), W + V),
    "a mixture by a sign": (f.laplace(Z, 0, 1), (UNIT, f.uniform(D, -1, 1)), W * sp.sign(D)),
    "a component chosen by a uniform": (
        Law(Z, sp.log(sp.exp(n(Z - 3)) / 2 + sp.exp(n(Z + 3)) / 2), REALS),
        (NORMAL, UNIFORM),
        E + sp.Piecewise((3, U < HALF), (-3, True)),
    ),
    "a noise shared along a plate": one(f.normal(_ZI[_I], MU, 1), NORMAL, MU + E),
    "a noise of another plate": one(f.normal(_ZI[_I], MU, 1), f.normal(_EI[_J], 0, 1), MU + _EI[_J]),
    "a noise of one element": one(f.normal(_ZI[_I], MU, 1), f.normal(_EI[0], 0, 1), MU + _EI[0]),
    "a normal cut in half by another": (f.half_normal(X, 1), (NORMAL, SECOND), sp.Max(E, D)),
}
_FAR = 10**6
_BIT = sp.Rational(1, 10**10)


def _dip(x: sp.Expr) -> sp.Expr:
    """Terms that integrate to one and are negative on an interval of length 4e-5."""
    quarter, twelfth = sp.Rational(1, 4) - _BIT, sp.Rational(1, 12) - _BIT
    return (sp.exp(-3 * x) - sp.exp(-2 * x) + quarter * sp.exp(-x)) / twelfth


def _wave(x: sp.Expr) -> sp.Expr:
    return sp.log(sp.exp(n(x)) * (1 + (1 + _BIT) * sp.sin(x)))


DIPS = {
    "a density that dips below zero": one(Law(X, sp.log(_dip(X)), POSITIVE), Law(W, sp.log(_dip(W)), POSITIVE), W),
    "a density that dips below zero, with a scale": one(
        Law(X, sp.log(_dip(X / S) / S), POSITIVE), Law(W, sp.log(_dip(W)), POSITIVE), S * W
    ),
    "a wave that dips below zero": one(Law(Z, _wave(Z), REALS), Law(E, _wave(E), REALS), E),
    "a law that is negative on a short interval": one(
        Law(Z, sp.log(sp.Piecewise((sp.exp(n(Z)), Z < 1), (-sp.exp(n(Z)), Z < 1 + _BIT), (sp.exp(n(Z)), True))), REALS),
        NORMAL,
        E,
    ),
    "several noises and a law that is negative on a short interval": (
        Law(
            Z,
            sp.log(
                sp.Piecewise(
                    (1 / (1 + Z**2) / sp.pi, Z < 1),
                    (-1 / (1 + Z**2) / sp.pi, sp.Rational(1001, 1000) > Z),
                    (1 / (1 + Z**2) / sp.pi, True),
                )
            ),
            REALS,
        ),
        (NORMAL, f.half_normal(T, 1)),
        E / T,
    ),
}
_COUNT, _NOT_NEGATIVE = sp.Symbol("count", integer=True), sp.Symbol("q", positive=True)
DECLARED = {
    "a whole number on the line": one(
        f.normal(Z, 0, 1), Law(_COUNT, n(_COUNT), REALS), _COUNT + sp.sin(sp.pi * _COUNT)
    ),
    "a positive number on the line": one(
        Law(X, -X / 2 - sp.log(X) / 2 - ROOT, POSITIVE), Law(_NOT_NEGATIVE, n(_NOT_NEGATIVE), REALS), _NOT_NEGATIVE**2
    ),
}
BEYOND = {
    "a scale that is right above 1e-6": one(f.normal(Z, 0, S), NORMAL, E * sp.Max(S, sp.Rational(1, _FAR))),
    "a law that is right below 1e6": one(Law(Z, sp.Piecewise((n(Z), S < _FAR), (n(Z - 1), True)), REALS), NORMAL, E),
    "a modulus that opens far out": one(f.normal(Z, MU, 1), NORMAL, sp.Abs(MU + _FAR) - _FAR + E),
    "a root of a square far out": one(f.normal(Z, MU, 1), NORMAL, sp.sqrt((MU + _FAR) ** 2) - _FAR + E),
    "a cube root of a cube far out": one(
        f.normal(Z, MU, 1), NORMAL, ((MU + _FAR) ** 3) ** sp.Rational(1, 3) - _FAR + E
    ),
    "a tangent that wraps far out": one(f.normal(Z, MU, 1), NORMAL, sp.atan(sp.tan(MU / 100)) * 100 + E),
    "a sine that wraps far out": one(f.normal(Z, MU, 1), NORMAL, sp.asin(sp.sin(MU / _FAR)) * _FAR + E),
    "a cosine that wraps far out": one(f.normal(Z, 0, S), NORMAL, sp.acos(sp.cos(S / _FAR)) * _FAR * E),
    "a branch of Lambert's function that ends far out": one(
        f.normal(Z, MU, 1), NORMAL, sp.LambertW((MU + 999) * sp.exp(MU + 999)) - 999 + E
    ),
    "a jump where the noise never is": one(f.normal(Z, 0, 1), NORMAL, E + sp.Heaviside(E - 100)),
    "a level part where the noise never is": one(f.normal(Z, 0, 1), NORMAL, sp.Min(E, 100)),
    "a sign by hyperbolic functions": one(f.normal(Z, 0, 1), NORMAL, E * sp.sinh(MU) / sp.sqrt(sp.cosh(MU) ** 2 - 1)),
}
ATTACKS: dict[str, Claim] = {
    f"{group}: {name}": claim
    for group, claims in {
        "fold": FOLDS,
        "branch": BRANCHES,
        "support": SUPPORTS,
        "mass": MASSES,
        "name": NAMES,
        "jump": JUMPS,
        "parameter": PARAMETERS,
        "several": SEVERAL,
        "dip": DIPS,
        "declared": DECLARED,
        "beyond": BEYOND,
    }.items()
    for name, claim in claims.items()
}
