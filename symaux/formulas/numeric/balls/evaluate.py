r"""Evaluate formulas as rigorous power series: $f(m + t) = c_0 + c_1 t + \dots$ with every coefficient a ball of python-flint.

With m a point the balls are thin; with m a ball, $c_n$ encloses $f^{(n)}(x)/n!$ for every x in it. A branch, an absolute
value or a logarithm that a ball does not decide raises ``Undecided``, so that the caller can split the ball.

>>> x = sp.Symbol("x", real=True)
>>> found = BallEvaluator({x: variable_series(arb(2), 4)}).of(sp.log(x) * sp.Abs(x))
>>> coefficients(found, 3)[1].contains(arb(2).log() + 1)
True
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import sympy as sp
from flint import arb, arb_series, fmpq

from symaux.formulas.numeric.balls.functions import FUNCTIONS
from symaux.formulas.numeric.balls.signs import Undecided, constant_term, is_negative, is_positive
from symaux.formulas.numeric.balls.stable_form import root_conjugate
from symaux.formulas.numeric.conditions import holds
from symaux.formulas.symbols.formula import Formula

Ball = Any  # arb, or arb_series where the formula contains the variable


def variable_series(point: arb, order: int) -> arb_series:
    """Return the series of the variable itself about a point or a ball, with coefficients up to ``order``."""
    return arb_series([point, arb(1)], prec=order + 1)


def coefficients(value: Ball, count: int) -> list[arb]:
    """Return the first coefficients of a series; raise Undecided where it is truncated before them."""
    if not isinstance(value, arb_series):
        return [value, *(arb(0) for _ in range(count - 1))]
    if value.prec < count:
        raise Undecided(f"only {value.prec} of {count} coefficients are known")
    return [value[n] for n in range(count)]


def exact_ball(number: Formula) -> arb:
    """Return a ball that contains a sympy number."""
    match number:
        case sp.Rational():
            return arb(fmpq(int(number.p), int(number.q)))
        case sp.Float():
            return arb(fmpq(*(int(part) for part in sp.Rational(number).as_numer_denom())))
        case sp.pi:
            return arb.pi()
        case sp.E:
            return arb(1).exp()
        case sp.EulerGamma:
            return arb.const_euler()
        case sp.Catalan:
            return arb.const_catalan()
        case sp.GoldenRatio:
            return (1 + arb(5).sqrt()) / 2
    raise Undecided(f"no ball for {number}")


@functools.lru_cache(maxsize=4096)
def _symbols(formula: Any) -> frozenset[Any]:
    return frozenset(formula.free_symbols)


LARGE = 8.0  # an exponent beyond this: the ball of an exponential of it is much wider than its logarithm


@functools.lru_cache(maxsize=4096)
def exponential_terms(formula: Any) -> tuple[tuple[Any, Any], ...]:
    r"""Return a sum as terms $f e^x$, each a pair of f and x; nothing if there are no exponentials in it.

    >>> x = sp.Symbol("x", real=True)
    >>> exponential_terms(1 + 3*x*sp.exp(2*x))
    ((1, 0), (3*x, 2*x))
    """
    found: list[tuple[Any, Any]] = []
    for term in sp.Add.make_args(formula):
        factors: tuple[Any, ...] = sp.Mul.make_args(term)
        exponents: list[Any] = [f.args[0] for f in factors if isinstance(f, sp.exp)]
        exponent = sp.Add(*exponents)
        rest = [f for f in factors if not isinstance(f, sp.exp)]
        cosh = next((f for f in rest if isinstance(f, sp.cosh)), None)
        if cosh is None:
            found.append((sp.Mul(*rest), exponent))
        else:
            half = sp.Mul(*(f for f in rest if f is not cosh)) / 2
            found += [(half, exponent + cosh.args[0]), (half, exponent - cosh.args[0])]
    return tuple(found) if len(found) > 1 and any(exponent != 0 for _, exponent in found) else ()


class BallEvaluator:
    """Evaluates formulas at one point, each sub-expression once.

    ``constants`` caches the values of sub-expressions without the variables, and may be shared between evaluators.
    """

    def __init__(self, values: Mapping[Any, Ball], constants: dict[Any, Ball] | None = None) -> None:
        self.known: dict[Any, Ball] = dict(values)
        self.series = any(isinstance(value, arb_series) for value in values.values())
        self.symbols = set(values)
        self.constants = {} if constants is None else constants

    def of(self, formula: Any) -> Ball:
        """Return the ball or series of a formula; raise Undecided where it cannot be enclosed."""
        if formula in self.constants:
            return self.constants[formula]
        if formula not in self.known:
            value = self._evaluate(formula)
            (self.known if self.symbols & _symbols(formula) else self.constants)[formula] = value
            return value
        return self.known[formula]

    def _evaluate(self, formula: Any) -> Ball:
        match formula:
            case sp.Number() | sp.NumberSymbol():
                return exact_ball(formula)
            case sp.Add():
                return self._sum(formula)
            case sp.Mul():
                return self._product(formula)
            case sp.Pow():
                return self._power(formula)
            case sp.Piecewise():
                return self._branch(formula)
            case sp.log() if (terms := exponential_terms(formula.args[0])) and (
                found := self._log_of_sum(terms)
            ) is not None:
                return found
            case sp.Tuple():
                return [self.of(arg) for arg in formula.args]
        function = FUNCTIONS.get(formula.func)
        if function is None:
            raise Undecided(f"no ball for {formula.func}")
        return function(*(self.of(arg) for arg in formula.args))

    def _sum(self, formula: sp.Add) -> Ball:
        """Return a sum; by its conjugate where a square root has the other sign, as in 1 - x/sqrt(x**2 + c) far out."""
        conjugate = root_conjugate(formula)
        if conjugate is not None:
            rest, root = self.of(conjugate[0]), self.of(conjugate[1])
            if (is_positive(rest) and is_negative(root)) or (is_negative(rest) and is_positive(root)):
                return self.of(conjugate[2]) * reciprocal(rest - root)
        return sum((self.of(arg) for arg in formula.args[1:]), self.of(formula.args[0]))

    def _log_of_sum(self, terms: tuple[tuple[Any, Any], ...]) -> Ball | None:
        """Return the logarithm of a sum of exponentials about the largest of them; None where none of them is large."""
        sizes = [constant_term(self.of(exponent)) for _, exponent in terms]
        if not any(size.is_finite() and float(abs(size).upper()) > LARGE for size in sizes):
            return None
        largest = max(range(len(terms)), key=lambda k: float(sizes[k].mid()))
        top = terms[largest][1]
        total = sum((self.of(factor) * self.of(exponent - top).exp() for factor, exponent in terms), arb(0))
        return self.of(top) + FUNCTIONS[sp.log](total)

    def _product(self, formula: sp.Mul) -> Ball:
        product = self.of(formula.args[0])
        for factor in formula.args[1:]:
            product = product * self.of(factor)
        return product

    def _power(self, formula: sp.Pow) -> Ball:
        base, exponent = self.of(formula.base), formula.exp
        if isinstance(exponent, sp.Integer) and abs(exponent) < 10_000:
            raised = base ** abs(int(exponent))
            return raised if exponent >= 0 else reciprocal(raised)
        if not is_positive(base):
            raise Undecided(f"a power of {constant_term(base)}, of which the sign is not known")
        if exponent in (sp.S.Half, -sp.S.Half):
            return base.sqrt() if exponent > 0 else base.rsqrt()
        return (self.of(exponent) * base.log()).exp()

    def _branch(self, formula: Formula) -> Ball:
        possible: list[Ball] = []
        for branch, condition in formula.args:
            holds = self._holds_or_may(condition)
            if holds is not False:
                possible.append(self.of(branch))
            if holds:
                return _hull(possible)
        raise Undecided("no branch holds")

    def _holds_or_may(self, condition: Any) -> bool | None:
        """Return whether a condition holds, None where a ball does not decide; a series must decide."""
        try:
            return self.holds(condition)
        except Undecided:
            if self.series:
                raise
            return None

    def holds(self, condition: Any) -> bool:
        """Return whether a condition holds on the whole ball; raise Undecided where it holds on a part of it."""
        return holds(condition, self._sign_of_difference)

    def _sign_of_difference(self, left: Any, right: Any) -> int:
        difference = self.of(left) - self.of(right)
        if is_positive(difference):
            return 1
        if is_negative(difference):
            return -1
        raise Undecided(f"the sign of {left} - {right} is not decided")


def _hull(values: list[Ball]) -> Ball:
    union = values[0]
    for value in values[1:]:
        union = union.union(value)
    return union


def reciprocal(value: Ball) -> Ball:
    """Return one over a ball; raise Undecided if it contains zero."""
    if constant_term(value).contains(0):
        raise Undecided("a division by what may be zero")
    return 1 / value
