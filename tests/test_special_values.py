"""Special functions in JAX against flint's balls and mpmath: values, gradients in every argument, both formats.

The error of a quantile x is (F(x) - u)/p(x), with F and p from flint at that very x, relative to x itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import signature
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from flint import acb, arb, ctx  # pyright: ignore[reportMissingImports]

from symaux.codegen.library import bessel, beta, gamma, lambert, normal, von_mises
from symaux.formulas.functions import mpmath_values as precise

FEW = (0.01, 0.5, 2.5, 100.0)
SHAPES = (0.01, 0.1, 0.5, 1.0, 2.5, 10.0, 100.0)
LEVELS = (1e-300, 1e-30, 1e-12, 1e-6, 0.01, 0.3, 0.5, 0.9, 0.999, 1 - 1e-12, 1 - 1e-15)
LEVELS32 = (1e-37, 1e-12, 1e-6, 0.01, 0.3, 0.5, 0.9, 0.999, 1 - 1e-6)
STEP = arb(2) ** -100


@pytest.fixture(autouse=True)
def precision() -> Any:
    before, ctx.prec = ctx.prec, 320
    with mp.workdps(40):
        yield
    ctx.prec = before


def worst(errors: list[float]) -> float:
    return max(e if e == e else np.inf for e in errors)


def sharp(f: Callable[[], arb]) -> float:
    """The number that a ball shrinks to as flint works with more digits."""
    before = ctx.prec
    try:
        for ctx.prec in (320, 640, 1280, 2560, 5120):
            ball = f()
            if ball.rad() <= abs(ball.mid()) * arb(2) ** -50:
                return float(ball.mid())
        raise ArithmeticError(f"flint knows only {ball}")
    finally:
        ctx.prec = before


def slope(f: Callable[[arb], arb], at: arb) -> arb:
    return (f(at + STEP) - f(at - STEP)) / (2 * STEP)


@cache
def with_gradient(f: Any) -> Any:
    count = len(signature(f).parameters)
    return jax.jit(jax.vmap(jax.value_and_grad(f, argnums=tuple(range(count)))))


def columns(points: list[tuple[float, ...]], kind: str) -> list[Any]:
    return [jnp.asarray(np.array(column), kind) for column in zip(*points, strict=True)]


class Gamma:
    @staticmethod
    def tail(a: arb, x: arb, upper: bool) -> arb:
        return x.gamma_upper(a, 1) if upper else x.gamma_lower(a, 1)

    @staticmethod
    def density(a: arb, x: arb) -> arb:
        return ((a - 1) * x.log() - x - a.lgamma()).exp()


def quantile_errors(f: Any, law: Any, points: list[tuple[float, ...]], kind: str) -> tuple[list[float], list[float]]:
    """Errors of value and gradients of a quantile function f(*shapes, u), wherever the format can hold them."""
    given = columns(points, kind)
    values, gradients = with_gradient(f)(*given)
    tiny = float(jnp.finfo(kind).tiny) * 1e10
    errors: list[float] = []
    slopes: list[float] = []
    for k in range(len(points)):
        *shapes, u = (arb(float(column[k])) for column in given)
        if tiny < float(values[k]) < 1 / tiny and not (law is Beta and float(values[k]) > 1 - 1e-5):
            x, side = arb(float(values[k])), Side(law, bool(u > 0.5))
            errors.append(abs(side.error(shapes, u, x)))
            exact = x * (1 - side.error(shapes, u, x))
            truths = [*(side.slope(shapes, exact, i) for i in range(len(shapes))), side.spacing(shapes, exact)]
            found = (float(column[k]) for column in gradients)
            slopes += [abs(g / t - 1) for g, t in zip(found, truths, strict=True) if tiny < abs(t) < 1 / tiny]
    return errors, slopes


@dataclass(frozen=True)
class Side:
    """A law seen from one of its tails."""

    law: Any
    upper: bool

    def below(self, shapes: list[arb], x: arb) -> arb:
        """The distribution function, up to a constant."""
        return -self.law.tail(*shapes, x, True) if self.upper else self.law.tail(*shapes, x, False)

    def error(self, shapes: list[arb], u: arb, x: arb) -> float:
        """How far x is from the u-quantile, to first order, relative to x: to a few digits."""
        level = u - 1 if self.upper else u
        return float(((self.below(shapes, x) - level) / self.law.density(*shapes, x) / x).mid())

    def slope(self, shapes: list[arb], x: arb, i: int) -> float:
        def below(t: arb) -> arb:
            return self.below([*shapes[:i], t, *shapes[i + 1 :]], x)

        return sharp(lambda: -slope(below, shapes[i]) / self.law.density(*shapes, x))

    def spacing(self, shapes: list[arb], x: arb) -> float:
        return sharp(lambda: 1 / self.law.density(*shapes, x))


class Beta:
    @staticmethod
    def tail(a: arb, b: arb, x: arb, upper: bool) -> arb:
        return (1 - x).beta_lower(b, a, 1) if upper else x.beta_lower(a, b, 1)

    @staticmethod
    def density(a: arb, b: arb, x: arb) -> arb:
        return ((a - 1) * x.log() + (b - 1) * (1 - x).log() - a.lgamma() - b.lgamma() + (a + b).lgamma()).exp()


def grid(law: Any, shapes: tuple[float, ...], levels: tuple[float, ...]) -> list[tuple[float, ...]]:
    return list(product(*[shapes] * (1 if law is Gamma else 2), levels))


def test_gamma_quantile() -> None:
    errors, slopes = quantile_errors(gamma.gammaincinv, Gamma, grid(Gamma, FEW, LEVELS), "float64")
    assert worst(errors) < 1e-12
    assert worst(slopes) < 1e-11


def test_gamma_quantile_in_float32() -> None:
    """u to the power 1/a: at a = 0.01 one unit in the last place of u or a is already 1e-4 of x."""
    errors, slopes = quantile_errors(gamma.gammaincinv, Gamma, grid(Gamma, (0.5, 2.5, 100.0), LEVELS32), "float32")
    assert worst(errors) < 1e-5
    assert worst(slopes) < 2e-5


def test_beta_quantile() -> None:
    errors, slopes = quantile_errors(beta.betaincinv, Beta, grid(Beta, (0.01, 2.5, 100.0), LEVELS[:-2]), "float64")
    assert worst(errors) < 1e-11
    assert worst(slopes) < 1e-10


def test_beta_quantile_in_float32() -> None:
    errors, slopes = quantile_errors(beta.betaincinv, Beta, grid(Beta, (0.5, 2.5, 100.0), LEVELS32), "float32")
    assert worst(errors) < 2e-5
    assert worst(slopes) < 1e-4


@pytest.mark.long
def test_quantiles_over_the_whole_grid() -> None:
    errors, slopes = quantile_errors(gamma.gammaincinv, Gamma, grid(Gamma, SHAPES, LEVELS), "float64")
    assert worst(errors) < 1e-12 and worst(slopes) < 1e-12
    errors, slopes = quantile_errors(beta.betaincinv, Beta, grid(Beta, SHAPES, LEVELS), "float64")
    assert worst(errors) < 1e-12 and worst(slopes) < 1e-11


@pytest.mark.long
@pytest.mark.parametrize("shapes", [(1e3,), (1e6,), (1e4, 1e4), (1e4, 2.5), (2.5, 1e4)])
def test_quantiles_of_large_shapes(shapes: tuple[float, ...]) -> None:
    """By quadrature in a coordinate in which the density is log-concave: flint's series are slow here."""
    f = gamma.gammaincinv if len(shapes) == 1 else beta.betaincinv
    for u in (1e-300, 1e-12, 0.01, 0.3, 0.99, 1 - 1e-12):
        x, (*found, _) = with_gradient(f)(*columns([(*shapes, u)], "float64"))
        at, level, upper = mp.mpf(float(x[0])), mp.mpf(u), u > 0.5
        given = [mp.mpf(s) for s in shapes]
        density = concave(*given)[1](at)
        excess = tail_mass(given, at, upper) - (1 - level if upper else level)
        shift = (-excess if upper else excess) / density
        assert abs(shift / at) < 1e-12
        for i, s in enumerate(given):
            ends = [
                tail_mass([*given[:i], s + h, *given[i + 1 :]], at - shift, upper) for h in (s / 10**14, -s / 10**14)
            ]
            truth = (ends[1] - ends[0]) / (2 * s / 10**14) / density
            assert float(found[i][0]) == pytest.approx(float(-truth if upper else truth), rel=1e-10)


def concave(*shapes: Any) -> tuple[Any, Any, Any]:
    """The density of log x or of log(x/(1 - x)), the one of x, and the coordinate."""
    if len(shapes) == 1:
        (a,) = shapes
        constant = mp.loggamma(a)
        return (lambda t: a * t - mp.exp(t) - constant), (lambda x: mp.exp((a - 1) * mp.log(x) - x - constant)), mp.log
    a, b = shapes
    constant = mp.log(mp.beta(a, b))
    return (
        lambda t: -a * mp.log1p(mp.exp(-t)) - b * mp.log1p(mp.exp(t)) - constant,
        lambda x: mp.exp((a - 1) * mp.log(x) + (b - 1) * mp.log1p(-x) - constant),
        lambda x: mp.log(x) - mp.log1p(-x),
    )


def tail_mass(shapes: Any, x: Any, upper: bool) -> Any:
    log_density, _, coordinate = concave(*shapes)
    t, spread = coordinate(x), mp.sqrt(sum(1 / s for s in shapes))
    width = 1 / (1 / spread + abs(mp.diff(log_density, t)))
    ends = [t + k * width if upper else t - k * width for k in (0, 1, 3, 9, 27, 81, 150)]
    top = log_density(t)
    return abs(mp.quad(lambda s: mp.exp(log_density(s) - top), ends)) * mp.exp(top)


def test_gamma_quantile_on_the_scale_of_logarithms() -> None:
    """P(a, x) = x**a / Gamma(a + 1) where x is far below what a float can hold."""
    a, log_u = 0.01, np.log(1e-12)
    assert float(gamma.log_gammaincinv(a, log_u)) == pytest.approx((log_u + float(mp.loggamma(1.01))) / a, rel=1e-13)
    assert float(gamma.gammaincinv(a, 1e-12)) == 0.0
    assert float(jax.grad(gamma.log_gammaincinv, 1)(a, log_u)) == pytest.approx(100.0)


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_incomplete_gamma(kind: str) -> None:
    points = [(a, a * r) for a in FEW for r in (1e-6, 0.1, 0.9, 1.0, 1.2, 3.0, 10.0)]
    forward(gamma.gammainc, Gamma, points, kind, 1e-12 if kind == "float64" else 2e-5)


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_incomplete_beta(kind: str) -> None:
    points = [(a, b, x) for a in FEW for b in FEW for x in (1e-6, 0.1, 0.5, 0.9, 0.999)]
    forward(beta.betainc, Beta, points, kind, 1e-11 if kind == "float64" else 1e-4)


def forward(f: Any, law: Any, points: list[tuple[float, ...]], kind: str, bound: float) -> None:
    """A distribution function and its gradients in the shapes, each relative to itself."""
    given = columns(points, kind)
    values, gradients = with_gradient(f)(*given)
    tiny = float(jnp.finfo(kind).tiny) * 1e10
    for k in range(len(points)):
        *shapes, x = (arb(float(column[k])) for column in given)
        side = Side(law, bool(law.tail(*shapes, x, False) > 0.5))
        truth = sharp(lambda s=shapes, x=x: law.tail(*s, x, False))
        assert float(values[k]) == pytest.approx(truth, rel=bound, abs=tiny), (kind, points[k])
        for i in range(len(shapes)):
            exact = -side.slope(shapes, x, i) * sharp(lambda s=shapes, x=x: law.density(*s, x))
            assert float(gradients[i][k]) == pytest.approx(exact, rel=bound, abs=tiny), (kind, points[k], i)


def mp_errors(f: Any, truth: Any, points: list[Any], kind: str) -> float:
    given = columns(points, kind)
    values = np.asarray(jax.jit(f)(*given), dtype=object)
    errors = []
    for k in range(len(points)):
        exact = truth(*(mp.mpf(float(column[k])) for column in given))
        errors.append(float(abs(mp.mpf(float(values[k])) - exact) / abs(exact)))
    return worst(errors)


def gradient_errors(f: Any, truth: Any, points: list[Any]) -> float:
    given = columns(points, "float64")
    _, gradients = with_gradient(f)(*given)
    errors = []
    for k in range(len(points)):
        at = [mp.mpf(float(column[k])) for column in given]
        for i, column in enumerate(gradients):
            step = (abs(at[i]) or mp.mpf(1)) * mp.mpf(10) ** -14
            ends = (truth(*at[:i], at[i] + s, *at[i + 1 :]) for s in (step, -step))
            exact = (next(ends) - next(ends)) / (2 * step)
            if abs(exact) < mp.mpf(10) ** 300:
                errors.append(float(abs(mp.mpf(float(column[k])) - exact) / max(abs(exact), mp.mpf(10) ** -12)))
    return worst(errors)


def log_phi(x: Any) -> Any:
    return mp.log(mp.erfc(-x / mp.sqrt(2)) / 2) if x < 0 else mp.log1p(-mp.erfc(x / mp.sqrt(2)) / 2)


def erfc_inverse(x: Any) -> Any:
    return -precise.normal_log_quantile(mp.log(x / 2)) / mp.sqrt(2)


BRANCH = (-0.3678794, -0.36, -0.3, -0.2501, -0.2499, -0.1, -1e-5)
REAL_FUNCTIONS: dict[str, tuple[Any, Any, tuple[float, ...]]] = {
    "lambertw0": (lambert.lambertw0, lambda x: mp.lambertw(x).real, (*BRANCH, -1e-30, 1e-30, 0.1, 1.0, 10.0, 1e30)),
    "lambertwm1": (lambert.lambertwm1, lambda x: mp.lambertw(x, -1).real, (*BRANCH, -1e-12)),
    "lambertw0_of_exp": (lambert.lambertw0_of_exp, precise.omega, (-10.0, -1.0, 0.5, 1.0, 2.0, 30.0, 1e4, 1e9)),
    "lambertwm1_of_exp": (lambert.lambertwm1_of_exp, precise.other_omega, (-1.001, -1.1, -2.0, -100.0, -1e5)),
    "log_ndtr": (normal.log_ndtr, log_phi, (-1e4, -31.0, -29.0, -20.0, -11.0, -9.0, -5.0, -1.0, 0.5, 2.0, 5.0, 8.0)),
    "ndtri_exp": (normal.ndtri_exp, precise.normal_log_quantile, (-700.0, -87.0, -41.0, -39.0, -10.0, -0.5, -1e-6)),
    "erfcinv": (normal.erfcinv, erfc_inverse, (1e-30, 1e-5, 0.3, 1.5)),
}


@pytest.mark.parametrize("name", sorted(REAL_FUNCTIONS))
def test_functions_of_one_argument(name: str) -> None:
    f, truth, points = REAL_FUNCTIONS[name]
    assert mp_errors(f, truth, [(p,) for p in points], "float64") < 1e-13
    assert mp_errors(f, truth, [(p,) for p in points], "float32") < 3e-6
    assert gradient_errors(f, truth, [(p,) for p in points]) < 1e-10


def test_far_tails() -> None:
    assert float(normal.erfcinv(1e-300)) == pytest.approx(26.209469960516124, rel=1e-14)
    assert float(normal.ndtri_exp(-1e10)) == pytest.approx(-np.sqrt(2e10), rel=1e-8)
    assert float(lambert.lambertwm1(-1e-300)) == pytest.approx(
        float(mp.lambertw(mp.mpf("-1e-300"), -1).real), rel=1e-14
    )


BESSEL = list(product((0.0, 0.3, 2.5, 28.5, 100.0), (0.01, 0.5, 9.0, 31.0, 1000.0)))


@pytest.mark.parametrize("f, truth", [(bessel.log_kv, mp.besselk), (bessel.log_iv, mp.besseli)])
def test_bessel_functions(f: Any, truth: Any) -> None:
    """Errors of a logarithm are absolute where it is small: they are relative errors of the function itself."""

    def away(n: Any, x: Any) -> Any:
        return f(n, x) + jnp.sign(f(n, x))

    def exact(n: Any, x: Any) -> Any:
        value = mp.log(truth(abs(n), x))
        return value + mp.sign(value)

    assert mp_errors(away, exact, BESSEL, "float64") < 1e-12
    assert mp_errors(away, exact, BESSEL, "float32") < 3e-6
    assert gradient_errors(away, exact, BESSEL[5:]) < 1e-9


def test_owens_t() -> None:
    points = [(h, a) for h in (0.1, 1.0, 4.0) for a in (0.1, 1.0, 1.5, 5.0, -2.0)]
    assert mp_errors(normal.owens_t, precise.owen, points, "float64") < 1e-12
    assert gradient_errors(normal.owens_t, precise.owen, points) < 1e-9


def circular_tail(z: arb, kappa: arb) -> arb:
    """The von Mises probability beyond z ≥ 0."""
    top = z.cos()
    beyond = acb.integral(lambda t, _: (kappa * (t.cos() - top)).exp(), acb(z), acb(arb.pi())).real
    half = acb.integral(lambda t, _: (kappa * (t.cos() - 1)).exp(), acb(0), acb(arb.pi())).real
    return beyond * (kappa * (top - 1)).exp() / half / 2


@pytest.mark.parametrize("kappa", [1e-6, 10.0, 1e6])
def test_von_mises_quantile(kappa: float) -> None:
    half = acb.integral(lambda t, _: (arb(kappa) * (t.cos() - 1)).exp(), acb(0), acb(arb.pi())).real
    for u in (1e-12, 1e-3, 0.3):
        x = float(von_mises.von_mises_ppf(u, kappa))
        by_u, by_kappa = jax.grad(von_mises.von_mises_ppf, (0, 1))(u, kappa)
        density = (arb(kappa) * (arb(x).cos() - 1)).exp() / half / 2
        shift = float(((circular_tail(arb(-x), arb(kappa)) - arb(u)) / density).mid())
        assert abs(shift / x) < 1e-13
        assert float(by_u) * float(density.mid()) == pytest.approx(1, abs=1e-9)
        step = arb(kappa) * arb(10) ** -15
        moved = circular_tail(arb(-x), arb(kappa) + step) - circular_tail(arb(-x), arb(kappa) - step)
        assert float(by_kappa) == pytest.approx(float((-moved / (2 * step) / density).mid()), rel=1e-8)
        assert float(von_mises.von_mises_cdf(x, kappa)) == pytest.approx(u, rel=1e-9)
        assert float(von_mises.von_mises_ppf(jnp.float32(u), jnp.float32(kappa))) == pytest.approx(x, rel=2e-6)


@pytest.mark.parametrize("df", [0.5, 3.0])
def test_student_quantile(df: float) -> None:
    """The tail beyond t is half of I_{df/(df + t²)}(df/2, 1/2)."""
    half, v = arb(0.5), arb(df)
    for u in (1e-100, 1e-12, 0.01, 0.3, 0.5 - 1e-9):
        t = float(beta.student_t_ppf(u, df))
        size = arb(-t)
        square = size * size
        far = bool(square > v / 10)

        def tail(v: arb, square: arb = square, far: bool = far) -> arb:
            if far:
                return (v / (v + square)).beta_lower(v / 2, half, 1) / 2
            return half - (square / (v + square)).beta_lower(half, v / 2, 1) / 2

        density = (
            (1 + square / v) ** (-(v + 1) / 2)
            / v.sqrt()
            / (half.lgamma() + (v / 2).lgamma() - ((v + 1) / 2).lgamma()).exp()
        )
        assert abs(float(((tail(v) - arb(u)) / density / size).mid())) < 1e-12
        by_df = jax.grad(beta.student_t_ppf, 1)(u, df)
        assert float(by_df) == pytest.approx(float((-slope(tail, v) / density).mid()), rel=1e-8)
        assert float(beta.student_t_ppf(1 - 0.3, df)) == pytest.approx(-float(beta.student_t_ppf(0.3, df)), rel=1e-12)
    assert float(beta.student_t_ppf(0.5, df)) == 0.0 and np.isfinite(jax.grad(beta.student_t_ppf)(0.5, df))


@pytest.mark.long
def test_noise_may_be_normal() -> None:
    """From a normal's own tails: exact where 1 - u would be rounded off."""
    eps = jnp.asarray([-1.0, 0.0, 3.0, 20.0])
    q = jax.scipy.special.ndtr(-eps)
    np.testing.assert_allclose(gamma.gamma_of_normal(2.5, eps), gamma.gammainccinv(2.5, q), rtol=1e-11)
    np.testing.assert_allclose(beta.beta_of_normal(2.5, 0.5, eps), beta.betainccinv(2.5, 0.5, q), rtol=1e-11)
    np.testing.assert_allclose(beta.student_t_of_normal(4.0, -eps), beta.student_t_ppf(q, 4.0), rtol=1e-9, atol=1e-15)
    mirrored = von_mises.von_mises_ppf(q[1:], 3.0)
    np.testing.assert_allclose(von_mises.von_mises_of_normal(-eps[1:], 3.0), mirrored, rtol=1e-9, atol=1e-15)
