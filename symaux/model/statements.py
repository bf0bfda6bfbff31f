"""Define the statements of a model: laws, deterministic formulas, and extra terms of the log-density.

A variable may have several statements, as in a time series: one for ``z[0]``, and one for ``z[t]``, all later elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed

from symaux.errors import ModelError
from symaux.formulas.algebra.convert import as_formula
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import Bound, as_lag, bound_plates, free_plates, indices_of, is_size, name_of
from symaux.laws.law import Law, as_value


@dataclass(frozen=True)
class Deterministic:
    """The statement that ``target`` is a function of its parents.

    >>> print(deterministic(sp.Symbol("eta", real=True), 2*sp.Symbol("x", real=True)))
    eta = 2*x
    """

    target: Any
    formula: Formula

    @property
    def name(self) -> str:
        return name_of(self.target)

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (self.formula,)

    def __str__(self) -> str:
        return f"{self.target} = {self.formula}"


@dataclass(frozen=True)
class Factor:
    """A term that is added to the log-density, summed over the plates that are free in it."""

    formula: Formula

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (self.formula,)

    def __str__(self) -> str:
        return f"factor {self.formula}"


Statement = Law | Deterministic | Factor


def deterministic(target: Any, formula: Any) -> Deterministic:
    """Return the statement ``target = formula``."""
    return Deterministic(as_value(target), as_formula(formula))


def factor(formula: Any) -> Factor:
    """Return an extra term of the log-density.

    >>> print(factor(-sp.Symbol("x", real=True)**2))
    factor -x**2
    """
    return Factor(as_formula(formula))


def target(statement: Statement) -> Any:
    """Return the element that a statement is about: ``z[t]``, ``z[0]``, ``mu``; None for a factor."""
    match statement:
        case Law():
            return statement.value
        case Deterministic():
            return statement.target
        case Factor():
            return None


def named_formulas(statement: Statement) -> tuple[Any, ...]:
    """Return everything of a statement in which a name may occur: its target, formulas, conditions and plates."""
    if isinstance(statement, Law):
        return (statement.value, *statement.formulas, *statement.conditions, *statement.event)
    return (*(() if isinstance(statement, Factor) else (statement.target,)), *statement.formulas)


def plates_of(statement: Statement) -> tuple[Idx, ...]:
    """Return the plates that a statement repeats over, in the order of its indices."""
    aim = target(statement)
    if aim is None:
        return tuple(sorted(free_plates(statement.formulas[0]), key=str))
    return tuple(i for i in indices_of(aim) if isinstance(i, Idx))


@dataclass(frozen=True)
class Read:
    """One place where a statement reads a variable: the element, and the plates that sums bind around it."""

    element: Any
    bound: tuple[Idx, ...]

    @property
    def name(self) -> str:
        return name_of(self.element)

    @property
    def indices(self) -> tuple[Formula, ...]:
        return indices_of(self.element)


def reads(statement: Statement) -> Iterator[Read]:
    """Yield every place where a statement reads a variable, except its own value."""
    aim = target(statement)
    stack: list[tuple[sp.Basic, tuple[Idx, ...]]] = [(formula, ()) for formula in statement.formulas]
    while stack:
        expr, bound = stack.pop()
        match expr:
            case Idx():
                continue
            case Indexed():
                if expr != aim:
                    yield Read(expr, bound)
                stack.extend((i, bound) for i in expr.indices)
            case sp.Symbol():
                if expr != aim and not is_size(expr) and not isinstance(expr, Bound):
                    yield Read(expr, ())
            case _:
                inner = (*bound, *bound_plates(expr))
                stack.extend((arg, inner) for arg in expr.args)


def summed_plates(statement: Statement) -> set[Idx]:
    """Return the plates that sums and vectors bind anywhere in a statement, even if nothing is read along them."""
    found: set[Idx] = set()
    stack: list[sp.Basic] = list(statement.formulas)
    while stack:
        expr = stack.pop()
        found.update(bound_plates(expr))
        stack.extend(expr.args)
    return found


def lags_of(statement: Statement) -> dict[Idx, int]:
    """Return how far back a statement looks along each of its plates; raise ModelError if it looks ahead."""
    found: dict[Idx, int] = {}
    for read in reads(statement):
        for index in read.indices:
            shifted = as_lag(index)
            if shifted is None or shifted[1] == 0:
                continue
            plate, back = shifted
            if plate in read.bound:
                raise ModelError(f"{statement}: {read.element} leaves the plate {plate} that the sum runs over")
            if back < 0:
                raise ModelError(
                    f"{statement}: {read.element} looks ahead along {plate}; write each element from earlier ones,"
                    f" as in z[{plate}] from z[{plate} - 1]"
                )
            found[plate] = max(found.get(plate, 0), back)
    return found
