r"""Evaluate formulas at any precision: read node by node with mpmath, never printed and run.

A formula may be a plain one, in symbols (``number``, ``real``), or one with plates and arrays (``evaluate_indexed``): sums over
plates, elements of arrays and functions of whole arrays. It shares nothing with code generation and nothing with ball
arithmetic, so that agreement between the three means something.

>>> x = sp.Symbol("x", positive=True)
>>> with mp.workdps(30):
...     print(number(sp.log(1 + x**2) - sp.Abs(-x), {x: mp.mpf(2)}))
-0.390562087565899625399240666774
>>> z, k = sp.IndexedBase("z"), sp.Idx("k", 3)
>>> print(evaluate_indexed(sp.Sum(z[k]**2, k), {"z": [1, 2, 3]}, {}, {"k": 3}))
14.0
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import sympy as sp
from mpmath.libmp import NoConvergence
from sympy.codegen.cfunctions import log1p
from sympy.tensor.indexed import Idx, Indexed

from symaux.formulas.functions.chebyshev import ChebyshevPieces
from symaux.formulas.functions.elementary import Defined, ImplicitQuantile, defined
from symaux.formulas.functions.mpmath_functions import exponential
from symaux.formulas.functions.registry import spellings
from symaux.formulas.functions.series import Series, added
from symaux.formulas.numeric.ball_evaluate import evaluate_by_balls
from symaux.formulas.numeric.conditions import holds
from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.atoms import atoms
from symaux.formulas.symbols.indices import SIZE_PREFIX, Bound, is_size, label, name_of

FAILURES = (ValueError, TypeError, ArithmeticError, KeyError, MemoryError, NoConvergence)
NO_VALUE = (ArithmeticError, ValueError)  # also mpmath's own, for poles, and for sums without an end
QUANTILE_DIGITS = 15  # of a quantile found by quadrature, as many as a comparison with floats can use

FUNCTIONS: dict[Any, Callable[..., Any]] = spellings("value")
Arrays = Mapping[str, Any]  # arrays (nested sequences, numpy, of numbers or mpf) and scalars by name


class NotReal(ArithmeticError):
    """A formula has no real value at a point."""


def number(formula: sp.Basic, values: Mapping[Any, Any]) -> Any:
    """Return the number that a formula is at the given values, at the precision that mpmath is set to."""
    return _Evaluation(values).of(defined(formula) if isinstance(formula, sp.Expr) else formula)


def real(formula: sp.Basic, values: Mapping[Any, Any]) -> Any:
    """Return the real, finite number that a formula is; None where it is not one."""
    at_once = evaluate_by_balls(formula, values)
    if at_once is not None:
        return at_once
    try:
        value = mp.mpmathify(number(formula, values))
    except FAILURES:
        return None
    return mp.re(value) if mp.isfinite(value) and _is_real(value) else None


def evaluate_indexed(formula: Any, arrays: Arrays, where: Mapping[Idx, int], lengths: Mapping[str, int]) -> Any:
    """Return the number that a formula has at an assignment of its plates; ``lengths`` are those of plates by label."""
    return Surroundings(arrays, lengths).evaluate(formula, where)


def evaluate_array(
    formula: ArrayFunction, at: Any, value_at: Callable[[Any, Any], Any], lengths: Mapping[str, int]
) -> Any:
    """Return all elements of a function of arrays by its definition; ``value_at`` evaluates an operand's element.

    Determinants and elimination are done by mpmath, not as the generated code does them.
    """
    sizes = {plate: lengths[label(plate)] for plate in formula.plates}

    def elements(operand: Any, plates: tuple[Any, ...], where: Any) -> Any:
        if not plates:
            return value_at(operand, where)
        return [elements(operand, plates[1:], {**where, plates[0]: k}) for k in range(sizes[plates[0]])]

    along = [tuple(formula.plates[p] for p in positions) for positions in formula.along]
    operands = [elements(operand, plates, at) for operand, plates in zip(formula.operands, along, strict=True)]
    return formula.definition(*operands, *formula.words, m=mp)


def as_float(value: Any) -> float:
    """Return a real number of mpmath's as a float; raise NotReal for another.

    >>> as_float(mp.mpf(2)), as_float(mp.mpc(2, 0))
    (2.0, 2.0)
    """
    if isinstance(value, mp.mpc) and value.imag != 0:
        raise NotReal(f"{mp.nstr(value, 5)} is not real")
    return float(value.real)


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
    if isinstance(given, sp.Basic) and given in (sp.oo, -sp.oo):
        return mp.inf if given == sp.oo else -mp.inf
    if isinstance(given, sp.Basic) and given in (sp.zoo, sp.nan):
        raise NotReal(f"{given} is not a number")
    return mp.mpmathify(sp.N(given, mp.mp.dps + 5)) if isinstance(given, sp.Basic) else given


def _is_real(value: Any) -> bool:
    """Return whether the imaginary part of a number is nothing but rounding."""
    return abs(mp.im(value)) <= mp.mpf(10) ** (-mp.mp.dps / 2) * (1 + abs(value))


@dataclass(frozen=True)
class Surroundings:
    """Everything outside of a formula with plates: arrays and scalars by name, and the lengths of plates by label."""

    arrays: Arrays
    lengths: Mapping[str, int]
    wholes: dict[Any, Any] = field(default_factory=dict)  # arrays that functions of arrays make
    quantile: Callable[[Any, Any, Any, dict[Any, Any]], Any] | None = None  # in place of quadrature, where less will do

    def evaluate(self, formula: Any, where: Mapping[Idx, int]) -> Any:
        """Return the number that a formula has at an assignment of its plates."""
        return _Evaluation({}, self, where).of(formula)

    def holds(self, condition: Any, where: Mapping[Idx, int]) -> bool:
        """Return whether a condition holds at an assignment of its plates."""
        return _Evaluation({}, self, where).holds(condition)

    def scalar(self, name: str) -> Any:
        value = self.arrays[name]
        return value.item() if hasattr(value, "item") and getattr(value, "ndim", 1) == 0 else value

    def element(self, name: str, index: tuple[int, ...]) -> Any:
        value = self.arrays[name]
        if not isinstance(value, list | tuple):
            return value[index]
        for i in index:
            value = value[i]
        return value


class _Evaluation:
    """One evaluation: equal parts of a formula are worked out once."""

    def __init__(
        self,
        values: Mapping[Any, Any],
        around: Surroundings | None = None,
        where: Mapping[Any, int] | None = None,
    ) -> None:
        self.given, self.around, self.where = values, around, {} if where is None else where
        self.known: dict[Any, Any] = {symbol: exactly(value) for symbol, value in values.items()}

    def at(self, where: Mapping[Any, Any]) -> _Evaluation:
        """Return an evaluation with other assignments of plates beside these."""
        return _Evaluation(self.given, self.around, {**self.where, **where})

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
                operands: Any = formula.args
                above, below, x = operands
                return mp.hyper([self.of(a) for a in above], [self.of(b) for b in below], self.of(x))
            case Series():
                return self._summed(*formula.args)
            case sp.Piecewise():
                pieces: Any = formula.args
                branch = next((value for value, condition in pieces if self.holds(condition)), None)
                if branch is None:
                    raise ValueError("no branch holds")
                return self.of(branch)
            case Defined() if formula.func not in FUNCTIONS:
                return self.of(defined(formula))
        if self.around is not None:
            value = self._in_surroundings(formula, self.around)
            if value is not None:
                return value
        return FUNCTIONS[formula.func](*(self.of(arg) for arg in formula.args))

    def _in_surroundings(self, formula: Any, around: Surroundings) -> Any:
        """Return the value of what only a formula with plates contains; None for anything else."""
        match formula:
            case Idx() | Bound() if formula in self.where:
                return mp.mpf(self.where[formula])
            case Indexed():
                index = tuple(int(mp.nint(self.of(i))) for i in formula.indices)
                if any(i < 0 for i in index):
                    raise IndexError(f"{formula} at {dict(self.where)}")
                return mp.mpmathify(around.element(name_of(formula), index))
            case sp.Symbol() if is_size(formula):
                return mp.mpf(around.lengths[formula.name.removeprefix(SIZE_PREFIX)])
            case sp.Symbol():
                return mp.mpmathify(around.scalar(formula.name))
            case sp.Sum():
                plates: list[Any] = [limit[0] for limit in formula.limits]
                ranges = [range(around.lengths[label(plate)]) for plate in plates]
                return mp.fsum(
                    self.at(dict(zip(plates, indices, strict=True))).of(formula.function)
                    for indices in itertools.product(*ranges)
                )
            case sp.KroneckerDelta():
                return mp.mpf(self.of(formula.args[0]) == self.of(formula.args[1]))
            case ArrayFunction():
                return self._element_of_array(formula, around)
            case ImplicitQuantile():
                return self._quantile(*formula.args)
        return None

    def _element_of_array(self, formula: ArrayFunction, around: Surroundings) -> Any:
        """Return one element; the whole array is worked out once."""
        outside = sorted(((p, k) for p, k in self.where.items() if p not in formula.plates), key=str)
        key = (formula, tuple(outside))
        if key not in around.wholes:
            around.wholes[key] = evaluate_array(
                formula, self.where, lambda e, where: self.at(where).of(e), around.lengths
            )
        value = around.wholes[key]
        for plate in formula.results:
            value = value[self.where[plate]]
        return value

    def _quantile(self, u: Any, variable: Any, log_density: Any) -> Any:
        """Return the quantile of a law on the real line by quadrature and bisection."""
        from symaux.formulas.numeric.line_quantile import line_quantile  # which evaluates the density by this module

        read = {atom: sp.Float(self.of(atom), 20) for atom in atoms(log_density) - {variable}}
        if self.around is not None and self.around.quantile is not None:
            return self.around.quantile(self.of(u), variable, log_density, read)
        level = sp.Float(self.of(u), 20)
        with mp.workdps(QUANTILE_DIGITS):
            return line_quantile(level, variable, log_density.xreplace(read), mp.mp.prec)

    def _product(self, formula: Any) -> Any:
        r"""Return a product, also of factors that are too large to be worked out, as $e^x/(1 + e^x)^2$ is.

        >>> x = sp.Symbol("x", real=True)
        >>> number(sp.exp(x)/(1 + sp.exp(x))**2, {x: mp.mpf("1e10")})
        mpf('0.0')
        """
        try:
            values = [self.of(arg) for arg in formula.args]
            if any(v == 0 for v in values) and any(mp.isinf(v) for v in values):
                return self._at_boundary(formula, values)
            return mp.fprod(values)
        except OverflowError:
            sign, size = self._sized(formula)
            return sign * exponential(size)

    def _at_boundary(self, formula: Any, values: list[Any]) -> Any:
        """Return 0 for 0·log 0, as in the mass of no success with probability 0; zero times another infinity has no value."""
        infinite = [arg for arg, value in zip(formula.args, values, strict=True) if mp.isinf(value)]
        return mp.mpf(0) if all(isinstance(arg, sp.log | log1p) for arg in infinite) else mp.nan

    def _logarithm(self, formula: Any) -> Any:
        """Return log f, also of an f that is too large to be worked out."""
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
            return _Evaluation({**self.given, index: k}, self.around, self.where).of(term)

        ends = [mp.inf if end == sp.oo else mp.re(self.of(end)) for end in (lower, upper)]
        return added(at, *ends)

    def holds(self, condition: Any) -> bool:
        """Return whether a condition holds; comparing what is not real has no answer."""
        return holds(condition, self._difference)

    def _difference(self, left: Any, right: Any) -> Any:
        difference = mp.mpmathify(self.of(left) - self.of(right))
        if not _is_real(difference):
            raise NotReal(f"{left} and {right} are compared and not real")
        return mp.re(difference)
