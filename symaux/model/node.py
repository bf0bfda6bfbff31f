"""Define ``Node``: a variable with all of its statements, those of fixed elements such as ``z[0]`` before that of ``z[t]``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.errors import ModelError
from symaux.formulas.symbols.indices import as_lag, at_index, indices_of
from symaux.laws.law import Law
from symaux.model.statements import Deterministic, Factor, Statement, lags_of, plates_of, reads, target


@dataclass(frozen=True)
class Node:
    """All statements about one variable; ``axis`` is the time axis if some elements have statements of their own."""

    name: str
    statements: tuple[Law | Deterministic, ...]
    observed: bool = False

    @property
    def kind(self) -> str:
        return "stochastic" if isinstance(self.statements[0], Law) else "deterministic"

    @property
    def latent(self) -> bool:
        return self.kind == "stochastic" and not self.observed

    @property
    def general(self) -> Law | Deterministic:
        """Return the statement about all elements but the fixed ones."""
        return self.statements[-1]

    @property
    def initial(self) -> tuple[Law | Deterministic, ...]:
        """Return the statements about fixed elements: z[0], z[1], …"""
        return self.statements[:-1]

    @property
    def rank(self) -> int:
        return len(indices_of(target(self.general)))

    @property
    def plates(self) -> tuple[Idx, ...]:
        return plates_of(self.general)

    @cached_property
    def axis(self) -> int | None:
        """Return the position of the index that is a fixed number in some statement; None if there is none."""
        for statement in self.statements:
            for position, index in enumerate(indices_of(target(statement))):
                if not isinstance(index, Idx):
                    return position
        return None

    @cached_property
    def parents(self) -> frozenset[str]:
        """Return the names that the statements read at the same time, inputs included.

        A series may read its own fixed elements, as z[1] reads z[0]: that is not an edge of the graph.
        """
        itself = {self.name} if self.axis is not None else set()
        return frozenset(r.name for s in self.statements for r in reads(s) if not steps_back(r.indices)) - itself

    @cached_property
    def lags(self) -> dict[str, tuple[int, ...]]:
        """Return the names that the statements read at earlier times, and how far back."""
        found: defaultdict[str, set[int]] = defaultdict(set)
        for statement in self.statements:
            for read in reads(statement):
                if steps := steps_back(read.indices):
                    found[read.name].add(steps)
        return {name: tuple(sorted(found[name])) for name in sorted(found)}

    def start(self, statement: Law | Deterministic) -> int:
        """Return the first index of a statement's time plate: after the elements with statements of their own."""
        return len(self.initial) if statement is self.general and self.axis is not None else 0


def steps_back(indices: Sequence[Any]) -> int:
    """Return how many steps back an element lies: z[t - 2, i] gives 2."""
    return max((shift[1] for i in indices if (shift := as_lag(i))), default=0)


def group_by_variable(statements: Sequence[Statement], observed: frozenset[str]) -> dict[str, Node]:
    """Return one node per variable, in the order in which they are first stated; raise ModelError for duplicates and gaps."""
    stated: dict[str, list[Law | Deterministic]] = {}
    for statement in statements:
        if not isinstance(statement, Factor):
            stated.setdefault(statement.name, []).append(statement)
    return {name: _node(name, group, name in observed) for name, group in stated.items()}


def _node(name: str, statements: list[Law | Deterministic], observed: bool) -> Node:
    for statement in statements:
        _check_target(name, statement)
    if len({type(s) for s in statements}) > 1:
        raise ModelError(f"{name} has both a law and a formula: {'; '.join(map(str, statements))}")
    ordered = sorted(statements, key=_fixed_position)
    node = Node(name, tuple(ordered), observed)
    _check_cover(node)
    return node


def _check_target(name: str, statement: Law | Deterministic) -> None:
    indices = indices_of(target(statement))
    plates = [i for i in indices if isinstance(i, Idx)]
    if len(set(plates)) < len(plates):
        raise ModelError(f"{statement}: the same plate occurs twice in {target(statement)}")
    for index in indices:
        if not isinstance(index, Idx) and not (index.is_Integer and index >= 0):
            raise ModelError(
                f"{statement}: the index {index} of {name} must be a plate (sa.plate) or an integer from 0;"
                " write a time step as z[t] in terms of z[t - 1]"
            )


def _fixed_position(statement: Law | Deterministic) -> float:
    fixed = [int(i) for i in indices_of(target(statement)) if not isinstance(i, Idx)]
    return fixed[0] if fixed else float("inf")


def _check_cover(node: Node) -> None:
    name, statements = node.name, node.statements
    ranks = {len(indices_of(target(s))) for s in statements}
    if len(ranks) > 1:
        raise ModelError(f"{name} is stated with different numbers of indices: {_targets(statements)}")
    fixed = [p for s in statements if (p := _fixed_position(s)) != float("inf")]
    if len(fixed) != len(set(fixed)) or len(statements) - len(fixed) > 1:
        raise ModelError(f"{name} is stated twice: {_targets(statements)}; every variable has one law or formula")
    if any(len([i for i in indices_of(target(s)) if not isinstance(i, Idx)]) > 1 for s in statements):
        raise ModelError(f"{name}: only one index may be a fixed number: {_targets(statements)}")
    for statement in statements:
        if _fixed_position(statement) != float("inf") and isinstance(
            indices_of(target(statement))[node.axis or 0], Idx
        ):
            raise ModelError(f"{name}: the fixed index must be the same one in every statement: {_targets(statements)}")
    if fixed != list(range(len(fixed))):
        missing = next(i for i in range(len(fixed) + 1) if i not in fixed)
        raise ModelError(f"{name}[{missing}] has no statement of its own: {_targets(statements)}")
    _check_lags(node, len(fixed))


def _check_lags(node: Node, fixed: int) -> None:
    for statement in node.statements:
        _check_own(node, statement, fixed)
        for plate, steps in lags_of(statement).items():
            indices = indices_of(target(statement))
            if plate not in indices:
                raise ModelError(f"{statement}: the index {plate} is not defined for {target(statement)}")
            if node.axis is None or indices[node.axis] != plate or steps > fixed:
                first = at_index(target(statement), plate, sp.Integer(min(fixed, steps - 1)))
                raise ModelError(
                    f"{statement}: looks {steps} back along {plate}, so {first} needs a statement of its own"
                    f" (sa.flat({first}) to condition on it)"
                )


def _check_own(node: Node, statement: Law | Deterministic, fixed: int) -> None:
    """Raise ModelError if a variable reads other elements of itself than earlier ones."""
    position = min(_fixed_position(statement), fixed)
    for read in reads(statement):
        if read.name != node.name or node.axis is None:
            continue
        index = read.indices[node.axis] if len(read.indices) > node.axis else None
        earlier = index is not None and index.is_Integer and index < position
        if not earlier and not steps_back(read.indices[node.axis : node.axis + 1]):
            raise ModelError(
                f"{statement}: a cycle: {target(statement)} depends on {read.element}, which is not earlier"
            )


def _targets(statements: Sequence[Statement]) -> str:
    return ", ".join(str(target(s)) for s in statements)
