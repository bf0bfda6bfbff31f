r"""Evaluate a claim about vectors at one random point of high precision.

Any element that a formula reads gets a value when it is asked for, by its name, its indices and its assumptions; a matrix
that must be positive definite is one.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import sympy as sp
from sympy.tensor.indexed import Idx, Indexed

from symaux.formulas.numeric.evaluate import evaluate_array, evaluate_indexed, number
from symaux.formulas.numeric.points import draw, inside
from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.assumptions import assumptions_of
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import extent, indices_of, label, name_of, references
from symaux.formulas.symbols.support import REALS, free_indices
from symaux.laws.kernel import atoms
from symaux.laws.law import Law

DIGITS = 40
SIZE, LARGEST = 3, 15  # the length of a plate that is as long as one likes; plates longer than that are not tried


class TooLarge(Exception):
    """Raised where a plate whose length is fixed by the law is too long to try."""


@dataclass(frozen=True)
class Numbers:
    """The values that formulas read, at one random point; ``given`` overrides what is drawn."""

    law: Law
    noise: tuple[Law, ...]
    value: Formula
    seed: int
    given: dict[tuple[str, tuple[int, ...]], Any] = field(default_factory=dict)
    memory: dict[Any, Any] = field(default_factory=dict)  # what has been drawn or worked out already

    def evaluated(self, formula: Any, where: Mapping[Any, int]) -> Any:
        """Return the value of a formula at given indices."""
        return evaluate_indexed(formula, _Values(self), where, self.lengths)

    @property
    def lengths(self) -> dict[str, int]:
        """Return three elements along a plate, or its own number where another plate's length follows from it."""
        if "lengths" not in self.memory:
            self.memory["lengths"] = _lengths(self.law, self.noise, self.value)
        return self.memory["lengths"]

    @property
    def kinds(self) -> dict[str, Any]:
        """Return what is known about every name, worked out once."""
        if "kinds" not in self.memory:
            self.memory["kinds"] = _kinds(self.law, self.value)
        return self.memory["kinds"]

    @property
    def batch(self) -> dict[Any, int]:
        """Return the fixed position along the plates that count vectors."""
        return {i: 7 for i in indices_of(self.law.value) if isinstance(i, Idx) and i not in self.law.event}

    def coordinates(self) -> list[dict[Any, int]]:
        """Return the free coordinates of the vector, as assignments of its plates."""
        sizes = tuple(self.lengths[label(p)] for p in self.law.event)
        return [dict(zip(self.law.event, index, strict=True)) for index in free_indices(self.law.support, sizes)]

    def noises(self) -> list[tuple[Law, dict[Any, int]]]:
        """Return every element of every noise."""
        made = []
        for noise in self.noise:
            own = [i for i in indices_of(noise.value) if isinstance(i, Idx) and i not in self.batch]
            for index in itertools.product(*(range(self.lengths[label(p)]) for p in own)):
                made.append((noise, dict(zip(own, index, strict=True))))
        return made

    def key(self, element: Any, where: Mapping[Any, int]) -> tuple[str, tuple[int, ...]]:
        """Return the name and the indices of an element."""
        index = tuple(where[i] if isinstance(i, Idx) else int(i) for i in indices_of(element))
        return name_of(element), index

    def plain(self, formula: Any, where: Mapping[Any, int], keep: Any) -> Any:
        """Return a formula as a function of one symbol, with numbers for everything else."""
        read = {a: sp.Float(self.evaluated(a, where), DIGITS) for a in atoms(formula) - {keep}}
        numeric = formula.xreplace(read)
        return lambda t: number(numeric, {keep: t})

    def at(self, given: Mapping[tuple[str, tuple[int, ...]], Any]) -> Numbers:
        """Return the same point with some values given."""
        return Numbers(self.law, self.noise, self.value, self.seed, {**self.given, **given}, self.memory)

    def drawn(self, name: str, index: tuple[int, ...]) -> Any:
        """Return the value of an element, drawn at its first use."""
        if (name, index) in self.given:
            return self.given[name, index]
        if (name, index) not in self.memory:
            self.memory[name, index] = self._fresh(name, index)
        return self.memory[name, index]

    def _fresh(self, name: str, index: tuple[int, ...]) -> Any:
        kind = self.kinds.get(name)
        rng = random.Random(f"{self.seed} {name} {index}")
        if kind == "matrix":
            return _positive_definite(index, self.seed, max(self.lengths.values()))
        if isinstance(kind, sp.Expr):
            return mp.mpmathify(sp.N(kind + draw(sp.Symbol("x", positive=True), rng), DIGITS))
        return mp.mpmathify(sp.N(draw(sp.Symbol("x", **(kind or {"real": True})), rng), DIGITS))

    def admitted(self) -> bool:
        """Return whether the drawn parameters satisfy the law's conditions."""
        found: list[Any] = [c for c in self.law.conditions if isinstance(c, sp.StrictGreaterThan)]
        if len(found) < len(self.law.conditions):
            return False
        where = {**self.batch, **dict.fromkeys(self.law.event, 0)}
        return all(mp.re(self.evaluated(c.lhs - c.rhs, where)) > 0 for c in found)

    def start(self) -> Numbers:
        """Return the numbers with a random point of the noise."""
        rng = random.Random(f"noise {self.seed}")
        chosen = {}
        for noise, where in self.noises():
            fraction = sp.Rational(rng.randint(10, 90), 100)
            point = inside(REALS if noise.event else noise.support, {}, fraction)
            chosen[self.key(noise.value, {**self.batch, **where})] = mp.mpmathify(sp.N(point, DIGITS))
        return self.at(chosen)

    def image(self) -> dict[tuple[str, tuple[int, ...]], Any]:
        """Return every element of the vector that the current noise generates."""
        sizes = [range(self.lengths[label(p)]) for p in self.law.event]
        found: dict[tuple[str, tuple[int, ...]], Any] = {}
        if isinstance(self.value, ArrayFunction) and self.value.results == self.law.event:
            array = evaluate_array(self.value, self.batch, self.evaluated, self.lengths)
            for index in itertools.product(*sizes):
                element = array
                for position in index:
                    element = element[position]
                found[self.key(self.law.value, {**self.batch, **dict(zip(self.law.event, index, strict=True))})] = (
                    element
                )
            return found
        for index in itertools.product(*sizes):
            where = {**self.batch, **dict(zip(self.law.event, index, strict=True))}
            found[self.key(self.law.value, where)] = self.evaluated(self.value, where)
        return found


class _Values(Mapping[str, Any]):
    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers

    def __getitem__(self, name: str) -> _Array:
        return _Array(self.numbers, name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class _Array:
    ndim = 0

    def __init__(self, numbers: Numbers, name: str) -> None:
        self.numbers, self.name = numbers, name

    def __getitem__(self, index: tuple[int, ...]) -> Any:
        return self.numbers.drawn(self.name, index)

    def item(self) -> Any:
        return self.numbers.drawn(self.name, ())


def _positive_definite(index: tuple[int, ...], seed: int, size: int) -> Any:
    """Return an element of a matrix $BB^\\top + 1$, the same for all indices in front of the last two."""
    size = max(size, *index[-2:]) + 1

    def entry(i: int, k: int) -> Any:
        return mp.mpf(random.Random(f"{seed} {i} {k}").randint(-99, 99)) / 100

    i, j = index[-2:]
    return mp.fsum(entry(i, k) * entry(j, k) for k in range(size)) + (1 if i == j else 0)


def _lengths(law: Law, noise: tuple[Law, ...], value: Formula) -> dict[str, int]:
    found: dict[str, int] = {}
    fixed = linked_plates(law, value)
    for plate in plates(law, noise, value):
        size = extent(plate)
        if label(plate) in fixed and (not size.is_Integer or size > LARGEST):
            raise TooLarge(str(plate))
        short = min(SIZE, int(size)) if size.is_Integer else SIZE
        found[label(plate)] = int(size) if label(plate) in fixed else short
    return found


def plates(law: Law, noise: tuple[Law, ...], value: Formula) -> list[Idx]:
    """Return the plates of a claim, sorted by name."""
    formulas = (*law.formulas, law.value, value, *(n.value for n in noise), *law.event)
    return sorted({p for f in formulas for p in f.atoms(Idx)}, key=str)


def linked_plates(law: Law, value: Formula) -> set[str]:
    """Return the plates whose lengths depend on each other."""
    found = {a for f in (law.log_density, value) for a in f.atoms(ArrayFunction) if a.linked}
    return {label(p) for a in found for p in a.plates}


def _kinds(law: Law, value: Formula) -> dict[str, Any]:
    """Return what is known about every name: its assumptions, or that it is a matrix."""
    found: dict[str, Any] = {}
    bounds = {c.lhs: c.rhs for c in law.conditions if isinstance(c, sp.StrictGreaterThan) and c.rhs.is_number}
    for element in {r for f in (*law.formulas, value) for r in references(f)}:
        found[name_of(element)] = bounds.get(element, assumptions_of(element))
    for function in {a for f in (law.log_density, value) for a in f.atoms(ArrayFunction)}:
        for operand, along in zip(function.operands, function.along, strict=True):
            if len(along) == 2 and isinstance(operand, Indexed):
                found[name_of(operand)] = "matrix"
    return found
