"""Special functions by flint's balls and by mpmath: values and slopes that generated code is compared with."""

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
from flint import arb, ctx  # pyright: ignore[reportMissingImports]

FEW = (0.01, 0.5, 2.5, 100.0)
SHAPES = (0.01, 0.1, 0.5, 1.0, 2.5, 10.0, 100.0)
LEVELS = (1e-300, 1e-30, 1e-12, 1e-6, 0.01, 0.3, 0.5, 0.9, 0.999, 1 - 1e-12, 1 - 1e-15)
LEVELS32 = (1e-37, 1e-12, 1e-6, 0.01, 0.3, 0.5, 0.9, 0.999, 1 - 1e-6)
STEP = arb(2) ** -100


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
