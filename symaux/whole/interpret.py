r"""An independent reading of a model: $\log p$ evaluated with mpmath from the formulas, element by element.

It shares nothing with code generation, so that agreement between the two means something.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import mpmath as mp
import sympy as sp
from sympy.tensor.indexed import Idx, Indexed

from symaux.calculus.chebyshev import ChebyshevPieces
from symaux.calculus.sums import Series, added
from symaux.functions import Defined, ImplicitQuantile, defined
from symaux.indices import Bound, indices_of, is_size, name_of
from symaux.kernel import atoms
from symaux.laws import Law
from symaux.model import Model
from symaux.numbers.line_quantile import line_quantile
from symaux.numbers.numeric import FUNCTIONS, exactly
from symaux.statements import Deterministic, plates_of
from symaux.unroll import assignments
from symaux.vectors.array_functions import ArrayFunction

Values = Mapping[str, Any]  # arrays (numpy, of numbers or mpf) and scalars by name


class NotReal(ArithmeticError):
    """A formula has no real value at a point."""


NO_VALUE = (ArithmeticError, ValueError)  # also mpmath's own, for poles, and for sums without an end


def real(value: Any) -> float:
    """A number of mpmath's as a float.

    >>> real(mp.mpf(2)), real(mp.mpc(2, 0))
    (2.0, 2.0)
    """
    if isinstance(value, mp.mpc) and value.imag != 0:
        raise NotReal(f"{mp.nstr(value, 5)} is not real")
    return float(value.real)


def terms(model: Model, lengths: Mapping[str, int]) -> int:
    """How many terms of sums are added up for one value of log p."""
    total = 0
    for statement in model.statements:
        repeated = math.prod(lengths[model.axes.of_plate(plate)] for plate in plates_of(statement))
        stack = [(formula, repeated) for formula in statement.formulas if formula.has(sp.Sum)]
        while stack:
            expr, times = stack.pop()
            if isinstance(expr, sp.Sum):
                times *= math.prod(lengths[model.axes.of_plate(limit[0])] for limit in expr.limits)
                total += times
            stack.extend((arg, times) for arg in expr.args if arg.has(sp.Sum))
    return total


def log_density(model: Model, values: Values, lengths: Mapping[str, int], digits: int = 30) -> Any:
    """log p of all stochastic variables at the given values; deterministic ones must be among the values."""
    with mp.workdps(digits):
        total = mp.mpf(0)
        for statement in model.statements:
            if isinstance(statement, Deterministic):
                continue
            formula = statement.log_density if isinstance(statement, Law) else statement.formula
            event = statement.event if isinstance(statement, Law) else ()
            seen: set[tuple[int, ...]] = set()
            for where in assignments(model, statement, lengths):
                batch = tuple(index for plate, index in where.items() if plate not in event)
                if batch not in seen:
                    seen.add(batch)
                    total += evaluate(formula, values, where, model, lengths)
            assert set(plates_of(statement)) >= set(event)
        return total


class Deterministics(Mapping[str, Any]):
    """Given values, and those of deterministic variables worked out from their formulas when they are asked for."""

    def __init__(self, model: Model, given: Values, lengths: Mapping[str, int]) -> None:
        self.model, self.given, self.lengths = model, given, lengths
        self.known: dict[tuple[str, tuple[int, ...]], Any] = {}
        self.wholes: dict[Any, Any] = {}  # arrays that functions of arrays make
        self.statement: dict[tuple[str, tuple[int, ...]], tuple[Any, Any]] = {}
        for statement in model.statements:
            if isinstance(statement, Deterministic):
                for where in assignments(model, statement, lengths):
                    index = tuple(where[i] if isinstance(i, Idx) else int(i) for i in indices_of(statement.target))
                    self.statement[statement.name, index] = statement.formula, where

    def __getitem__(self, name: str) -> Any:
        return self.given[name] if name in self.given else _Lazy(self, name)

    def __iter__(self) -> Iterator[str]:
        return iter({*self.given, *self.model.nodes})

    def __len__(self) -> int:
        return len({*self.given, *self.model.nodes})

    def element(self, name: str, index: tuple[int, ...]) -> Any:
        if (name, index) not in self.known:
            formula, where = self.statement[name, index]
            self.known[name, index] = evaluate(formula, self, where, self.model, self.lengths)
        return self.known[name, index]


class _Lazy:
    """An array whose elements are worked out one by one."""

    def __init__(self, values: Deterministics, name: str) -> None:
        self.values, self.name = values, name
        self.ndim = values.model.nodes[name].rank

    def __getitem__(self, index: tuple[int, ...]) -> Any:
        return self.values.element(self.name, index)

    def item(self) -> Any:
        return self.values.element(self.name, ())


def evaluate(formula: Any, values: Values, where: Mapping[Idx, int], model: Model, lengths: Mapping[str, int]) -> Any:
    """The number that a formula has at an assignment of its plates."""

    def number(expr: Any, at: Mapping[Idx, int]) -> Any:
        match expr:
            case sp.Number() | sp.NumberSymbol():
                return exactly(expr)
            case Idx() | Bound() if expr in at:
                return mp.mpf(at[expr])
            case Indexed():
                index = tuple(int(mp.nint(number(i, at))) for i in expr.indices)
                if any(i < 0 for i in index):
                    raise IndexError(f"{expr} at {dict(at)}")
                return mp.mpmathify(values[name_of(expr)][index])
            case sp.Symbol() if is_size(expr):
                return mp.mpf(lengths[model.axes.group[expr.name.removeprefix("size_")]])
            case sp.Symbol():
                return mp.mpmathify(_scalar(values[expr.name]))
            case sp.Sum():
                plates = [limit[0] for limit in expr.limits]
                ranges = [range(lengths[model.axes.of_plate(plate)]) for plate in plates]
                return mp.fsum(
                    number(expr.function, {**at, **dict(zip(plates, combination, strict=True))})
                    for combination in itertools.product(*ranges)
                )
            case sp.Add():
                return mp.fsum(number(arg, at) for arg in expr.args)
            case sp.Mul():
                return mp.fprod(number(arg, at) for arg in expr.args)
            case sp.Pow():
                return mp.power(number(expr.base, at), number(expr.exp, at))
            case sp.Piecewise():
                return next(number(branch, at) for branch, holds in expr.args if _truth(holds, at, number))
            case sp.KroneckerDelta():
                return mp.mpf(number(expr.args[0], at) == number(expr.args[1], at))
            case ArrayFunction():
                return _array_function(expr, at, number, lengths, model, getattr(values, "wholes", {}))
            case Defined():
                return number(defined(expr), at)
            case Series():
                term, index, lower, upper = expr.args
                ends = [mp.inf if end == sp.oo else number(end, at) for end in (lower, upper)]
                return added(lambda k: number(term, {**at, index: k}), *ends)
            case ImplicitQuantile():
                return _implicit(expr, at, number)
            case ChebyshevPieces():
                return expr.at(*(number(each, at) for each in (expr.args[0], *expr.parameters)))
        if expr.func in FUNCTIONS:
            return FUNCTIONS[expr.func](*(number(arg, at) for arg in expr.args))
        if expr.is_number:
            return mp.mpmathify(sp.N(expr, mp.mp.dps))
        inner = {sp.Dummy(real=True): number(arg, at) for arg in expr.args}
        return mp.mpmathify(
            sp.N(expr.func(*inner).xreplace({d: sp.Float(v, mp.mp.dps) for d, v in inner.items()}), mp.mp.dps)
        )

    return number(formula, where)


def _scalar(value: Any) -> Any:
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 1) == 0 else value


def _truth(condition: Any, at: Any, number: Any) -> bool:
    match condition:
        case sp.logic.boolalg.BooleanTrue() | sp.logic.boolalg.BooleanFalse():
            return bool(condition)
        case sp.And():
            return all(_truth(arg, at, number) for arg in condition.args)
        case sp.Or():
            return any(_truth(arg, at, number) for arg in condition.args)
        case sp.Not():
            return not _truth(condition.args[0], at, number)
    left, right = (number(arg, at) for arg in condition.args)
    if isinstance(left, mp.mpc) or isinstance(right, mp.mpc):
        raise NotReal(f"{condition} compares what is not real")
    order = (left > right) - (left < right)
    holds = {"<": order < 0, ">": order > 0, "<=": order <= 0, ">=": order >= 0, "==": order == 0, "!=": order != 0}
    return holds[condition.rel_op]


def _implicit(formula: ImplicitQuantile, at: Any, number: Any) -> Any:
    """By quadrature and bisection, to as many digits as a comparison with floats can use."""
    u, variable, log_density = formula.args
    read = {atom: sp.Float(number(atom, at), 20) for atom in atoms(log_density) - {variable}}
    with mp.workdps(15):
        return line_quantile(sp.Float(number(u, at), 20), variable, log_density.xreplace(read), mp.mp.prec)


def _array_function(
    formula: ArrayFunction, at: Any, number: Any, lengths: Mapping[str, int], model: Model, known: dict[Any, Any]
) -> Any:
    """One element; the whole array is worked out once."""
    key = (formula, tuple(sorted(((p, k) for p, k in at.items() if p not in formula.plates), key=str)))
    if key not in known:
        known[key] = whole(formula, at, number, lengths, model)
    value = known[key]
    for plate in formula.results:
        value = value[at[plate]]
    return value


def whole(formula: ArrayFunction, at: Any, number: Any, lengths: Mapping[str, int], model: Model) -> Any:
    """All elements, by the definition, with determinants and elimination; not by what the generated code does."""
    sizes = {plate: lengths[model.axes.of_plate(plate)] for plate in formula.plates}

    def array(operand: Any, plates: tuple[Any, ...], where: Any) -> Any:
        if not plates:
            return number(operand, where)
        return [array(operand, plates[1:], {**where, plates[0]: k}) for k in range(sizes[plates[0]])]

    along = [tuple(formula.plates[p] for p in positions) for positions in formula.along]
    operands = [array(operand, plates, at) for operand, plates in zip(formula.operands, along, strict=True)]
    return formula.definition(*operands, *formula.words, m=mp)
