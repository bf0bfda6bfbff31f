r"""An independent reading of a model: $\log p$ evaluated with mpmath from the formulas, element by element.

It shares nothing with code generation, so that agreement between the two means something.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import mpmath as mp
import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.formulas.numeric.indexed import Values, evaluate
from symaux.formulas.symbols.indices import indices_of
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic, plates_of
from symaux.model.unroll import assignments


def plate_lengths(model: Model, lengths: Mapping[str, int]) -> dict[str, int]:
    """Return the length of every plate by its label, from those of the model's axes by group."""
    return {key: lengths[group] for key, group in model.axes.group.items() if isinstance(key, str) and group in lengths}


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
    by_plate = plate_lengths(model, lengths)
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
                    total += evaluate(formula, values, where, by_plate)
            assert set(plates_of(statement)) >= set(event)
        return total


class Deterministics(Mapping[str, Any]):
    """Given values, and those of deterministic variables worked out from their formulas when they are asked for."""

    def __init__(self, model: Model, given: Values, lengths: Mapping[str, int]) -> None:
        self.model, self.given, self.lengths = model, given, lengths
        self.by_plate = plate_lengths(model, lengths)
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
            self.known[name, index] = self.evaluate(formula, where)
        return self.known[name, index]

    def evaluate(self, formula: Any, where: Mapping[Idx, int]) -> Any:
        """Return the number that a formula has at an assignment of its plates."""
        return evaluate(formula, self, where, self.by_plate)


class _Lazy:
    """An array whose elements are worked out one by one."""

    def __init__(self, values: Deterministics, name: str) -> None:
        self.values, self.name = values, name
        self.ndim = values.model.nodes[name].rank

    def __getitem__(self, index: tuple[int, ...]) -> Any:
        return self.values.element(self.name, index)

    def item(self) -> Any:
        return self.values.element(self.name, ())
