r"""Formulas as numbers of any precision: read node by node with mpmath, never printed and run.

>>> x = sp.Symbol("x", positive=True)
>>> with mp.workdps(30):
...     print(number(sp.log(1 + x**2) - sp.Abs(-x), {x: mp.mpf(2)}))
-0.390562087565899625399240666774
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import mpmath as mp
import sympy as sp
from sympy.core.relational import Relational

from symaux.formulas.functions import registry as special
from symaux.formulas.functions.chebyshev import ChebyshevPieces
from symaux.formulas.functions.elementary import defined
from symaux.formulas.functions.series import Series, added
from symaux.formulas.numeric.ball_evaluate import quick

FAILURES = (ValueError, TypeError, ZeroDivisionError, OverflowError, KeyError, MemoryError, mp.libmp.NoConvergence)

HUGE = 10**7

FUNCTIONS: dict[Any, Callable[..., Any]] = {
    getattr(sp, name): getattr(mp, name)
    for name in (
        *("exp", "log", "sin", "cos", "tan", "cot", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh"),
        *("asinh", "acosh", "atanh", "sec", "csc", "sech", "csch", "coth", "erf", "erfc", "erfi", "erfinv"),
        *("gamma", "loggamma", "beta", "digamma", "binomial", "factorial", "floor", "sign"),
        *("besseli", "besselj", "besselk", "bessely", "expint", "zeta", "polylog"),
    )
}


def besselk(order: Any, x: Any) -> Any:
    r"""$K_\nu(x) = \int_0^\infty e^{-x\cosh t}\cosh\nu t\,dt$ by the trapezoidal rule, which is exact to all digits here.

    mpmath takes a limit for a whole order, which is many times slower.

    >>> with mp.workdps(40):
    ...     abs(besselk(1, mp.mpf(3)/7)/mp.besselk(1, mp.mpf(3)/7) - 1) < mp.mpf(10)**-38
    True
    """
    if mp.im(order) or mp.im(x) or not 0 < mp.re(x) < 50 or abs(order) > 20:
        return mp.besselk(order, x)
    with mp.extradps(10):
        order, x = mp.mpf(mp.re(order)), mp.mpf(mp.re(x))
        step = 7 / (mp.mp.dps * mp.log(10) + 10 + x + 2 * abs(order))
        total, t = mp.exp(-x) / 2, mp.mpf(0)
        while True:
            t += step
            term = mp.exp(-x * mp.cosh(t)) * mp.cosh(order * t)
            total += term
            if term <= mp.eps * total and x * mp.sinh(t) > abs(order):
                return step * total


FUNCTIONS |= {
    sp.besselk: besselk,
    sp.Abs: abs,
    sp.Max: lambda *args: max(args),
    sp.Min: lambda *args: min(args),
    sp.ceiling: mp.ceil,
    sp.polygamma: mp.polygamma,
    sp.LambertW: lambda x, branch=0: mp.lambertw(x, int(branch)),
    sp.Heaviside: lambda x, at_zero=0: mp.mpf(1) if x > 0 else at_zero if x == 0 else mp.mpf(0),
    sp.erfcinv: lambda x: mp.erfinv(1 - x),
    sp.uppergamma: lambda a, x: mp.gammainc(a, x),
    sp.lowergamma: lambda a, x: mp.gammainc(a, 0, x),
    sp.betainc: lambda a, b, low, x: mp.betainc(a, b, low, x),
    sp.betainc_regularized: lambda a, b, low, x: mp.betainc(a, b, low, x, regularized=True),
    **{function: function.value for function in special.FUNCTIONS},
}


def number(formula: sp.Basic, values: Mapping[Any, Any]) -> Any:
    """Return the number that a formula is at the given values, at the precision that mpmath is set to."""
    return _Reading(values).of(defined(formula) if isinstance(formula, sp.Expr) else formula)


def real(formula: sp.Basic, values: Mapping[Any, Any]) -> Any:
    """Return the real, finite number that a formula is; None where it is not one."""
    at_once = quick(formula, values)
    if at_once is not None:
        return at_once
    try:
        found = mp.mpmathify(number(formula, values))
    except FAILURES:
        return None
    if not mp.isfinite(found) or abs(mp.im(found)) > mp.mpf(10) ** (-mp.mp.dps / 2) * (1 + abs(found)):
        return None
    return mp.re(found)


def exponential(x: Any) -> Any:
    """e to the x, without working out millions of digits for a number that is nothing or everything.

    >>> exponential(mp.mpf("-1e30"))
    mpf('0.0')
    """
    if abs(x) < HUGE:
        return mp.exp(x)
    if mp.re(x) < -HUGE / 2:
        return mp.mpf(0)
    raise OverflowError(f"exp({mp.nstr(x)})")


def far_out(function: Callable[..., Any], limit: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a hyperbolic function that is its limit where its exponential would have millions of digits.

    >>> far_out(mp.tanh, mp.sign)(mp.mpf(10)**(10**9)), FUNCTIONS[sp.sech](mp.mpf("-1e30"))
    (mpf('1.0'), mpf('0.0'))
    """
    return lambda x: function(x) if abs(x) < HUGE else limit(mp.re(x))


def _beyond(x: Any) -> Any:
    raise OverflowError(f"a hyperbolic function of {mp.nstr(x)}")


FUNCTIONS |= {
    **{f: far_out(FUNCTIONS[f], mp.sign) for f in (sp.tanh, sp.coth)},
    **{f: far_out(FUNCTIONS[f], lambda x: mp.mpf(0)) for f in (sp.sech, sp.csch)},
    **{f: far_out(FUNCTIONS[f], _beyond) for f in (sp.sinh, sp.cosh)},
}


def power(base: Any, exponent: Any) -> Any:
    """Return a power, through the exponential where its size would be out of hand."""
    if mp.isint(exponent) and abs(exponent) < 1000:
        return mp.power(base, exponent)
    if base == 0:
        return mp.power(base, exponent)
    return exponential(exponent * mp.log(base))


def exactly(given: Any) -> Any:
    """Return a number of sympy's at full precision."""
    if isinstance(given, sp.Rational):
        return mp.mpf(int(given.p)) / int(given.q)
    return mp.mpmathify(sp.N(given, mp.mp.dps + 5)) if isinstance(given, sp.Basic) else given


class _Reading:
    """One evaluation: equal parts of a formula are worked out once."""

    def __init__(self, values: Mapping[Any, Any]) -> None:
        self.given = values
        self.known: dict[Any, Any] = {symbol: exactly(value) for symbol, value in values.items()}

    def of(self, formula: Any) -> Any:
        if formula not in self.known:
            self.known[formula] = self._worked_out(formula)
        return self.known[formula]

    def _worked_out(self, formula: Any) -> Any:
        match formula:
            case sp.Number() | sp.NumberSymbol():
                return exactly(formula)
            case sp.Add():
                return mp.fsum(self.of(arg) for arg in formula.args)
            case sp.Mul():
                return self._product(formula)
            case sp.exp():
                return exponential(self.of(formula.args[0]))
            case sp.log():
                return self._logarithm(formula.args[0])
            case ChebyshevPieces():
                return formula.at(*map(self.of, (formula.args[0], *formula.parameters)))
            case sp.Pow():
                return power(self.of(formula.base), self.of(formula.exp))
            case sp.hyper():
                above, below, x = formula.args
                return mp.hyper([self.of(a) for a in above], [self.of(b) for b in below], self.of(x))
            case Series():
                return self._summed(*formula.args)
            case sp.Piecewise():
                held = (branch for branch, condition in formula.args if self.holds(condition))
                branch = next(held, None)
                if branch is None:
                    raise ValueError("no branch holds")
                return self.of(branch)
        return FUNCTIONS[formula.func](*(self.of(arg) for arg in formula.args))

    def _product(self, formula: Any) -> Any:
        r"""Return a product, also of factors that are too large to be worked out, as $e^x/(1 + e^x)^2$ is.

        >>> x = sp.Symbol("x", real=True)
        >>> number(sp.exp(x)/(1 + sp.exp(x))**2, {x: mp.mpf("1e10")})
        mpf('0.0')
        """
        try:
            return mp.fprod(self.of(arg) for arg in formula.args)
        except OverflowError:
            sign, size = self._sized(formula)
            return sign * exponential(size)

    def _logarithm(self, formula: Any) -> Any:
        """log f, also of an f that is too large to be worked out."""
        try:
            return mp.log(self.of(formula))
        except OverflowError:
            sign, size = self._sized(formula)
            if sign < 0:
                raise
            return size

    def _sized(self, formula: Any) -> tuple[int, Any]:
        """Return the sign of f and log|f|, from those of its parts.

        >>> x = sp.Symbol("x", real=True)
        >>> mp.nstr(number(sp.log(3 + sp.exp(x)*sp.cosh(x)**2), {x: mp.mpf("1e30")}), 10)
        '3.0e+30'
        """
        match formula:
            case sp.exp():
                return 1, mp.re(self.of(formula.args[0]))
            case sp.cosh() | sp.sinh():
                x = mp.re(self.of(formula.args[0]))
                return (int(mp.sign(x)) if isinstance(formula, sp.sinh) else 1), abs(x) - mp.log(2)
            case sp.Mul():
                parts = [self._sized(arg) for arg in formula.args]
                return math.prod(sign for sign, _ in parts), mp.fsum(size for _, size in parts)
            case sp.Pow() if formula.exp.is_real:
                sign, size = self._sized(formula.base)
                exponent = mp.re(self.of(formula.exp))
                if sign < 0 and not mp.isint(exponent):
                    raise OverflowError(f"a power of a large negative number: {formula}")
                return (-1 if sign < 0 and exponent % 2 else 1), exponent * size
            case sp.Add():
                parts = [self._sized(arg) for arg in formula.args]
                largest = max(size for _, size in parts)
                total = mp.fsum(sign * exponential(size - largest) for sign, size in parts)
                return int(mp.sign(total)), largest + mp.log(abs(total))
        value = self.of(formula)
        if mp.im(value):
            raise OverflowError(f"a number that is not real: {formula}")
        return int(mp.sign(mp.re(value))), mp.log(abs(value)) if value else -mp.inf

    def _summed(self, term: Any, index: Any, lower: Any, upper: Any) -> Any:
        def at(k: Any) -> Any:
            return _Reading({**self.given, index: k}).of(term)

        ends = [mp.inf if end == sp.oo else mp.re(self.of(end)) for end in (lower, upper)]
        return added(at, *ends)

    def holds(self, condition: Any) -> bool:
        if condition in (sp.true, sp.false):
            return bool(condition)
        if isinstance(condition, Relational):
            difference = mp.re(self.of(condition.lhs)) - mp.re(self.of(condition.rhs))
            return {">": difference > 0, ">=": difference >= 0, "<": difference < 0, "<=": difference <= 0}[
                condition.rel_op
            ]
        parts = (self.holds(arg) for arg in condition.args)
        return all(parts) if isinstance(condition, sp.And) else any(parts)
