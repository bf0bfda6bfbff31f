r"""Evaluate $\log p$ of a model with mpmath from its formulas, element by element.

This shares nothing with code generation, so that agreement between the two means something.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import mpmath as mp
import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.formulas.numeric.conditions import holds
from symaux.formulas.numeric.evaluate import Arrays, NotReal, Surroundings
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import free_plates, indices_of
from symaux.formulas.symbols.support import Integers, Interval, bounds
from symaux.laws.law import Law
from symaux.model.domains import guards, indicated
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Factor, plates_of
from symaux.model.unroll import assignments

Element = tuple[str, tuple[int, ...]]  # the name of a variable, and the indices of one of its elements


class _Unknown(Exception):
    """An element must be computed first."""

    def __init__(self, element: Element) -> None:
        super().__init__(element)
        self.element = element


def plate_lengths(model: Model, lengths: Mapping[str, int]) -> dict[str, int]:
    """Return the length of every plate by its label, from those of the model's axes by group."""
    return {key: lengths[group] for key, group in model.axes.group.items() if isinstance(key, str) and group in lengths}


def count_terms(model: Model, lengths: Mapping[str, int]) -> int:
    """Return the number of terms in all sums for one value of log p."""
    total = 0
    for statement in model.statements:
        repeated = math.prod(lengths[model.axes.of_plate(plate)] for plate in plates_of(statement))
        stack: list[tuple[Formula, int]] = [
            (formula, repeated) for formula in statement.formulas if formula.has(sp.Sum)
        ]
        while stack:
            expr, times = stack.pop()
            if isinstance(expr, sp.Sum):
                limits: tuple[Any, ...] = expr.limits  # sympy says Symbol; plates are Idx
                times *= math.prod(lengths[model.axes.of_plate(limit[0])] for limit in limits)
                total += times
            stack.extend((arg, times) for arg in expr.args if arg.has(sp.Sum))
    return total


def log_density(model: Model, values: Arrays, lengths: Mapping[str, int], digits: int = 30) -> Any:
    """Return log p of all stochastic variables at the given values; deterministic ones must be among the values.

    It is −∞ where a condition on parameters fails that the model does not imply.
    """
    around = Surroundings(values, plate_lengths(model, lengths))
    with mp.workdps(digits):
        if not _inside(model, around, lengths):
            return -mp.inf
        total = mp.mpf(0)
        for statement in model.statements:
            if isinstance(statement, Deterministic) or _is_indicator(statement):
                continue
            formula = statement.log_density if isinstance(statement, Law) else statement.formula
            event = statement.event if isinstance(statement, Law) else ()
            seen: set[tuple[int, ...]] = set()
            for where in assignments(model, statement, lengths):
                batch = tuple(index for plate, index in where.items() if plate not in event)
                if batch not in seen:
                    seen.add(batch)
                    total += around.evaluate(formula, where)
            assert set(plates_of(statement)) >= set(event)
        return total


def _is_indicator(statement: Any) -> bool:
    return isinstance(statement, Factor) and indicated(statement) is not None


def _inside(model: Model, around: Surroundings, lengths: Mapping[str, int]) -> bool:
    """Return whether all open conditions and indicators of a model hold."""
    for statement, condition in guards(model):
        more = sorted(free_plates(condition) - set(plates_of(statement)), key=str)
        sizes = [range(lengths[model.axes.of_plate(plate)]) for plate in more]
        for where in assignments(model, statement, lengths):
            for indices in itertools.product(*sizes):
                try:
                    holds = around.holds(condition, {**where, **dict(zip(more, indices, strict=True))})
                except NotReal:
                    holds = False
                if not holds:
                    return False
    return True


def is_inside(model: Model, given: Arrays, lengths: Mapping[str, int]) -> bool:
    """Return whether every value lies in the support of its law, with its bounds in order, and every condition holds."""
    values = Deterministics(model, given, lengths)
    if not _inside(model, Surroundings(values, plate_lengths(model, lengths)), lengths):
        return False
    for statement in model.statements:
        if not isinstance(statement, Law):
            continue
        for where in assignments(model, statement, lengths):
            if not all(_holds(condition, values, where) for condition in statement.conditions):
                return False
            if isinstance(statement.support, Interval | Integers) and not _is_between(statement, values, where):
                return False
    return True


def _holds(condition: Any, values: Deterministics, where: Mapping[Idx, int]) -> bool:
    return holds(condition, lambda a, b: _real(values.evaluate(a, where) - values.evaluate(b, where)))


def _is_between(law: Law, values: Deterministics, where: Mapping[Idx, int]) -> bool:
    ends = bounds(law.support)
    lower, value, upper = (_real(values.evaluate(f, where)) for f in (ends[0], law.value, ends[1]))
    return lower <= value <= upper if isinstance(law.support, Integers) else lower < value < upper


def _real(number: Any) -> Any:
    """Return a real number of mpmath's; raise NotReal for another, and for one that is not a number."""
    if (isinstance(number, mp.mpc) and number.imag != 0) or mp.isnan(number):
        raise NotReal(f"{mp.nstr(number, 5)} is not real")
    return mp.re(number)


class Deterministics(Mapping[str, Any]):
    """Given values, and those of deterministic variables, computed from their formulas when they are read."""

    def __init__(
        self,
        model: Model,
        given: Arrays,
        lengths: Mapping[str, int],
        nudge: Callable[[Any], Any] | None = None,  # applied to every value that is computed, to see what rounding does
        quantile: Callable[..., Any] | None = None,  # of a density on the line, in place of quadrature
    ) -> None:
        self.model, self.given, self.lengths, self.nudge = model, given, lengths, nudge
        self.around = Surroundings(self, plate_lengths(model, lengths), quantile=quantile)
        self.known: dict[Element, Any] = {}
        self.working = False
        self.statement: dict[Element, tuple[Any, Any]] = {}
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
        """Return the value of an element of a deterministic variable, computed once."""
        if (name, index) not in self.known:
            if self.working:
                raise _Unknown((name, index))
            self._work_out((name, index))
        return self.known[name, index]

    def _work_out(self, wanted: Element) -> None:
        """Evaluate an element after all that it reads, by a stack of its own: a chain may be longer than Python's."""
        waiting = {wanted: None}  # in order
        self.working = True
        try:
            while waiting:
                element = next(reversed(waiting))
                try:
                    value = self.evaluate(*self.statement[element])
                    self.known[element] = value if self.nudge is None else self.nudge(value)
                    del waiting[element]
                except _Unknown as missing:
                    if missing.element in waiting:
                        raise ArithmeticError(f"{missing.element[0]} depends on itself") from None
                    waiting[missing.element] = None
        finally:
            self.working = False

    def evaluate(self, formula: Any, where: Mapping[Idx, int]) -> Any:
        """Return the value of a formula at an assignment of its plates."""
        return self.around.evaluate(formula, where)


class _Lazy:
    """An array whose elements are computed one by one, when they are read."""

    def __init__(self, values: Deterministics, name: str) -> None:
        self.values, self.name = values, name
        self.ndim = values.model.nodes[name].rank

    def __getitem__(self, index: tuple[int, ...]) -> Any:
        return self.values.element(self.name, index)

    def item(self) -> Any:
        return self.values.element(self.name, ())
