"""Evaluate formulas with plates and arrays: sums over plates, elements of arrays and whole-array functions, by mpmath.

It shares nothing with code generation, so that agreement between the two means something.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import mpmath as mp
import sympy as sp
from sympy.tensor.indexed import Idx, Indexed

from symaux.formulas.functions.chebyshev import ChebyshevPieces
from symaux.formulas.functions.elementary import Defined, ImplicitQuantile, defined
from symaux.formulas.functions.series import Series, added
from symaux.formulas.numeric.evaluate import FUNCTIONS, exactly
from symaux.formulas.numeric.line_quantile import line_quantile
from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.atoms import atoms
from symaux.formulas.symbols.indices import SIZE_PREFIX, Bound, is_size, label, name_of

Values = Mapping[str, Any]  # arrays (numpy, of numbers or mpf) and scalars by name


class NotReal(ArithmeticError):
    """A formula has no real value at a point."""


NO_VALUE = (ArithmeticError, ValueError)  # also mpmath's own, for poles, and for sums without an end


def real(value: Any) -> float:
    """Return a number of mpmath's as a float.

    >>> real(mp.mpf(2)), real(mp.mpc(2, 0))
    (2.0, 2.0)
    """
    if isinstance(value, mp.mpc) and value.imag != 0:
        raise NotReal(f"{mp.nstr(value, 5)} is not real")
    return float(value.real)


def evaluate(formula: Any, values: Values, where: Mapping[Idx, int], lengths: Mapping[str, int]) -> Any:
    """Return the number that a formula has at an assignment of its plates; ``lengths`` are those of plates by label."""

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
                return mp.mpf(lengths[expr.name.removeprefix(SIZE_PREFIX)])
            case sp.Symbol():
                return mp.mpmathify(_scalar(values[expr.name]))
            case sp.Sum():
                plates = [limit[0] for limit in expr.limits]
                ranges = [range(lengths[label(plate)]) for plate in plates]
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
                return _array_function(expr, at, number, lengths, getattr(values, "wholes", {}))
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
    formula: ArrayFunction, at: Any, number: Any, lengths: Mapping[str, int], known: dict[Any, Any]
) -> Any:
    """Return one element; the whole array is worked out once."""
    key = (formula, tuple(sorted(((p, k) for p, k in at.items() if p not in formula.plates), key=str)))
    if key not in known:
        known[key] = whole(formula, at, number, lengths)
    value = known[key]
    for plate in formula.results:
        value = value[at[plate]]
    return value


def whole(formula: ArrayFunction, at: Any, number: Any, lengths: Mapping[str, int]) -> Any:
    """Return all elements, by the definition, with determinants and elimination; not by what the generated code
    does."""
    sizes = {plate: lengths[label(plate)] for plate in formula.plates}

    def array(operand: Any, plates: tuple[Any, ...], where: Any) -> Any:
        if not plates:
            return number(operand, where)
        return [array(operand, plates[1:], {**where, plates[0]: k}) for k in range(sizes[plates[0]])]

    along = [tuple(formula.plates[p] for p in positions) for positions in formula.along]
    operands = [array(operand, plates, at) for operand, plates in zip(formula.operands, along, strict=True)]
    return formula.definition(*operands, *formula.words, m=mp)
