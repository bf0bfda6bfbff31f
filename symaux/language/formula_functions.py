r"""Define the functions of formulas in one table: from a name to what it builds, and the largest number it accepts.

Everything is spelled in sympy's own functions, so that rules and proofs see one form of each: ``Phi`` is an erfc,
``log1p`` a logarithm. Stable forms are the code generator's business.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

LITERAL = 10**400  # as far as a number may go that no function multiplies up
STEEP = 10_000  # for what grows exponentially: exp(10000) is a number, exp(10**10) only looks like one
BESSEL = 100  # mpmath needs seconds for larger orders
FACTORIAL = 1_000  # for what sympy works out as a product: gamma(1000) has 2,500 digits


@dataclass(frozen=True)
class Function:
    """How many arguments a function takes, what it builds, and the largest number that may stand in them."""

    build: Callable[..., Any]
    least: int = 1
    most: int = 1
    limit: int = LITERAL

    @property
    def arity(self) -> str:
        """Return the number of arguments in words.

        >>> FUNCTIONS["beta"].arity, FUNCTIONS["Max"].arity
        ('2 arguments', '2 to 8 arguments')
        """
        if self.least == self.most:
            return f"{self.least} argument{'s' * (self.least > 1)}"
        return f"{self.least} to {self.most} arguments"


def _phi(x: Any) -> Any:
    return sp.erfc(-x / sp.sqrt(2)) / 2


def _quantile(u: Any) -> Any:
    return sp.sqrt(2) * sp.erfinv(2 * u - 1)


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + sp.exp(-x))


def _beta(a: Any, b: Any) -> Any:
    return sp.gamma(a) * sp.gamma(b) / sp.gamma(a + b)


FUNCTIONS: dict[str, Function] = {
    "exp": Function(sp.exp, limit=STEEP),
    "log": Function(sp.log),
    "ln": Function(sp.log),
    "sqrt": Function(sp.sqrt),
    "abs": Function(sp.Abs),
    "sign": Function(sp.sign),
    "sin": Function(sp.sin),
    "cos": Function(sp.cos),
    "tan": Function(sp.tan),
    "asin": Function(sp.asin),
    "acos": Function(sp.acos),
    "atan": Function(sp.atan),
    "atan2": Function(sp.atan2, 2, 2),
    "sinh": Function(sp.sinh, limit=STEEP),
    "cosh": Function(sp.cosh, limit=STEEP),
    "tanh": Function(sp.tanh, limit=STEEP),
    "sech": Function(lambda x: 1 / sp.cosh(x), limit=STEEP),
    "csch": Function(lambda x: 1 / sp.sinh(x), limit=STEEP),
    "coth": Function(lambda x: sp.cosh(x) / sp.sinh(x), limit=STEEP),
    "sec": Function(lambda x: 1 / sp.cos(x)),
    "csc": Function(lambda x: 1 / sp.sin(x)),
    "cot": Function(lambda x: sp.cos(x) / sp.sin(x)),
    "asinh": Function(sp.asinh),
    "acosh": Function(sp.acosh),
    "atanh": Function(sp.atanh),
    "gamma": Function(sp.gamma, limit=FACTORIAL),
    "loggamma": Function(sp.loggamma, limit=FACTORIAL),
    "lgamma": Function(sp.loggamma, limit=FACTORIAL),
    "factorial": Function(lambda n: sp.gamma(n + 1), limit=FACTORIAL),
    "beta": Function(_beta, 2, 2, limit=FACTORIAL),
    "digamma": Function(sp.digamma, limit=FACTORIAL),
    "zeta": Function(sp.zeta, 1, 2, limit=FACTORIAL),
    "erf": Function(sp.erf, limit=STEEP),
    "erfc": Function(sp.erfc, limit=STEEP),
    "erfi": Function(sp.erfi, limit=STEEP),
    "lowergamma": Function(sp.lowergamma, 2, 2, limit=BESSEL),
    "uppergamma": Function(sp.uppergamma, 2, 2, limit=BESSEL),
    "gammainc": Function(lambda a, x: sp.lowergamma(a, x) / sp.gamma(a), 2, 2, limit=BESSEL),
    "gammaincc": Function(lambda a, x: sp.uppergamma(a, x) / sp.gamma(a), 2, 2, limit=BESSEL),
    "erfinv": Function(sp.erfinv),
    "erfcinv": Function(sp.erfcinv),
    "floor": Function(sp.floor),
    "binomial": Function(sp.binomial, 2, 2, limit=FACTORIAL),
    "hyp0f1": Function(lambda b, x: sp.hyper((), (b,), x), 2, 2, limit=BESSEL),
    "hyp1f1": Function(lambda a, b, x: sp.hyper((a,), (b,), x), 3, 3, limit=BESSEL),
    "besseli": Function(sp.besseli, 2, 2, limit=BESSEL),
    "besselj": Function(sp.besselj, 2, 2, limit=BESSEL),
    "besselk": Function(sp.besselk, 2, 2, limit=BESSEL),
    "lambertw": Function(sp.LambertW),
    "Phi": Function(_phi, limit=STEEP),
    "ndtr": Function(_phi, limit=STEEP),
    "ndtri": Function(_quantile),
    "expm1": Function(lambda x: sp.exp(x) - 1, limit=STEEP),
    "log1p": Function(lambda x: sp.log(1 + x)),
    "sigmoid": Function(_sigmoid, limit=STEEP),
    "expit": Function(_sigmoid, limit=STEEP),
    "logit": Function(lambda p: sp.log(p / (1 - p))),
    "softplus": Function(lambda x: sp.log(1 + sp.exp(x)), limit=STEEP),
    "Min": Function(sp.Min, 2, 8),
    "Max": Function(sp.Max, 2, 8),
    "min": Function(sp.Min, 2, 8),
    "max": Function(sp.Max, 2, 8),
}

CONDITIONAL = "where"
TOTAL = "sum"  # sum(k, term) over a plate, sum(term, k, lower, upper)
SOLVED = "quantile"  # quantile(u, t, log_density of t), in models only
EXTENT = "size"  # size(k), how many elements a plate has, in models only
NAMES = frozenset(FUNCTIONS) | {CONDITIONAL, TOTAL}
VALUES: dict[str, Any] = {"pi": sp.pi, "e": sp.E, "E": sp.E, "oo": sp.oo, "inf": sp.oo}
