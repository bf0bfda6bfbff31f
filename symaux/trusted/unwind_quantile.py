r"""Replace a uniform noise that is only read through a quantile function Q by $x = Q(u)$ with its own density.

By the definition of Q the two say the same of g. The density is elementary and the inverse is not: balls of it are thin
and fast, however many equations Q(u) takes to solve.

>>> a, u = sp.symbols("a u", positive=True)
>>> made = unwind_quantile(Density(u, sp.S.Zero, Interval(sp.S.Zero, sp.S.One)), 2 * special.gammainccinv(a, u))
>>> print(made.formula, "|", made.law.log_density, "|", made.level)
2*symaux x | -symaux x + (a - 1)*log(symaux x) - loggamma(a) | gammaincc(a, symaux x)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp
from flint import arb

from symaux.formulas.functions import registry as special
from symaux.formulas.functions.elementary import ImplicitQuantile, defined, ndtr, ndtri
from symaux.formulas.numeric.balls.cells import rigorous_precision
from symaux.formulas.numeric.balls.evaluate import BallEvaluator
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import REALS, Interval
from symaux.trusted.density import Density, HasDensity, is_standard_uniform

POSITIVE, LINE = sp.Symbol("symaux x", positive=True), sp.Symbol("symaux x", real=True)
HALF_LINE, UNIT = Interval(sp.S.Zero, sp.oo), Interval(sp.S.Zero, sp.S.One)


@dataclass(frozen=True)
class Unwound:
    """The variable with its law, g in terms of it, and the noise as a function of it."""

    law: Density
    formula: Formula
    level: Formula

    def noise_at(self, x: str) -> str:
        """Return the noise of a variable without parameters, both as decimals."""
        if isinstance(self.level, ImplicitQuantile):
            return f"the noise whose quantile is {x}"
        with rigorous_precision():
            u = BallEvaluator({self.law.value: arb(x)}).of(self.level)
            return u.str(17 if u < 0.9 else 34, radius=False)


def unwind_quantile(noise: HasDensity, formula: Formula) -> Unwound | None:
    """Return the formula with Q(u) replaced by a variable of its own; None where u is read in any other way."""
    if not is_standard_uniform(noise):
        return None
    found = [made for q in formula.atoms(*READERS) if (made := READERS[q.func](noise.value, q)) is not None]
    if len(found) != 1:
        return None
    (quantile, law, level) = found[0]
    rest = formula.xreplace({quantile[0]: quantile[1]})
    return None if rest.has(noise.value) or not rest.has(law.value) else Unwound(law, rest, level)


Found = tuple[tuple[Formula, Formula], Density, Formula]  # the quantile and what it becomes, the law, the level


def _implicit(u: Any, quantile: Any) -> Found | None:
    """Read the quantile of a density on the line that is written out."""
    level, variable, log_density = quantile.args
    if level != u or log_density.has(u):
        return None
    return (quantile, LINE), Density(LINE, defined(log_density.xreplace({variable: LINE})), REALS), quantile


def _gamma(a: Formula) -> Density:
    x = POSITIVE
    return Density(x, (a - 1) * sp.log(x) - x - sp.loggamma(a), HALF_LINE)


def _beta(a: Formula, b: Formula) -> Density:
    x, constant = POSITIVE, sp.loggamma(a + b) - sp.loggamma(a) - sp.loggamma(b)
    return Density(x, (a - 1) * sp.log(x) + (b - 1) * sp.log(1 - x) + constant, UNIT)


def _student_t(df: Formula) -> Density:
    half = (df + 1) / 2
    constant = sp.loggamma(half) - sp.loggamma(df / 2) - sp.log(df * sp.pi) / 2
    return Density(LINE, constant - half * sp.log(1 + LINE**2 / df), REALS)


def _von_mises(kappa: Formula) -> Density:
    constant = sp.log(2 * sp.pi * sp.besseli(0, kappa))
    return Density(LINE, kappa * sp.cos(LINE) - constant, Interval(-sp.pi, sp.pi))


def _normal() -> Density:
    return Density(LINE, -(LINE**2) / 2 - sp.log(2 * sp.pi) / 2, REALS)


def _read(law: Callable[..., Density], level: Any, place: int) -> Callable[[Any, Any], Found | None]:
    """Return a reader of quantile functions whose argument at this place is u."""

    def read(u: Any, quantile: Any) -> Found | None:
        args = list(quantile.args)
        if args.pop(place) != u or any(arg.has(u) for arg in args):
            return None
        made = law(*args)
        at = list(args)
        at.insert(len(args) if place < 0 else place, made.value)
        return (quantile, made.value), made, level(*at)

    return read


def _log_read(law: Callable[..., Density], level: Any, onto: Any) -> Callable[[Any, Any], Found | None]:
    """Return a reader of functions of a quantile that are given the logarithms of u and 1 - u."""

    def read(u: Any, quantile: Any) -> Found | None:
        *args, log_u, log_q = quantile.args
        if (log_u, log_q) != (sp.log(u), sp.log(1 - u)) or any(arg.has(u) for arg in args):
            return None
        made = law(*args)
        return (quantile, onto(made.value)), made, level(*args, made.value)

    return read


READERS: dict[Any, Callable[[Any, Any], Found | None]] = {
    ImplicitQuantile: _implicit,
    special.gammaincinv: _read(_gamma, special.gammainc, -1),
    special.gammainccinv: _read(_gamma, special.gammaincc, -1),
    special.betaincinv: _read(_beta, special.betainc, -1),
    special.betainccinv: _read(_beta, special.betaincc, -1),
    special.student_t_ppf: _read(_student_t, special.student_t_cdf, 0),
    special.von_mises_ppf: _read(_von_mises, special.von_mises_cdf, 0),
    ndtri: _read(_normal, ndtr, 0),
    special.log_gamma_quantile: _log_read(_gamma, special.gammainc, sp.log),
    special.logit_betaincinv: _log_read(_beta, special.betainc, lambda x: sp.log(x) - sp.log(1 - x)),
}
