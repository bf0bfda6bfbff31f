r"""Translate ``lax.scan`` to index notation: the carry of a step is an output of the step before.

The latent values of a series are variables, so that a step reads $z_t$ at its own time and its carry is $z_{t-1}$: a lag.
The first steps, which read the initial carry, are statements of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import sympy as sp

from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.exchange.importing.arrays.grid import Grid
from symaux.formulas.symbols.indices import as_lag, references

LONGEST = 8  # largest lag of a formula
Interpret = Callable[[Any, list[Grid]], list[Grid]]


@dataclass(frozen=True)
class Scan:
    """The body of a scan with its constants, initial carry and sequences."""

    body: Any
    constants: list[Grid]
    first: list[Grid]  # the carry at the beginning
    rows: list[Grid]
    interpret: Interpret

    def output(self, number: int, time: Any) -> Grid:
        """Return one output of the body at a time; equations that it does not need are skipped."""
        inner = self.body.jaxpr
        carried = [self._carried(n, time, inner.invars[len(self.constants) + n]) for n in range(len(self.first))]
        rows = [Grid(row.shape[1:], lambda at, row=row: row.at((time, *at))) for row in self.rows]
        only = SimpleNamespace(
            constvars=inner.constvars, invars=inner.invars, eqns=inner.eqns, outvars=[inner.outvars[number]]
        )
        closed = SimpleNamespace(jaxpr=only, consts=self.body.consts)
        return self.interpret(closed, [*self.constants, *carried, *rows])[0]

    def _carried(self, number: int, time: Any, variable: Any) -> Grid:
        """Return the carry from the step before; the counter of the loop is the time."""
        if self._counts(number, variable):
            return Grid((), lambda at: time)
        if time == 0:
            return self.first[number]
        shift = as_lag(time)
        if shift is not None and shift[1] >= LONGEST:
            raise Untranslatable("a loop over time whose values are not those of a variable has no translation")
        return Grid(self.first[number].shape, lambda at: self.output(number, time - 1).at(at))

    def _counts(self, number: int, variable: Any) -> bool:
        start = self.first[number].value
        if start is None or start.shape or start != 0:
            return False
        out = self.body.jaxpr.outvars[number]
        made = [e for e in self.body.jaxpr.eqns if out in e.outvars and e.primitive.name == "add"]
        return any(e.invars[0] is variable and getattr(e.invars[1], "val", None) == 1 for e in made)


def translate_scan(options: Any, grids: list[Grid], interpret: Interpret) -> list[Grid]:
    """Return the outputs of a scan: the last carry, and the outputs of every step."""
    if options["reverse"]:
        raise Untranslatable("a loop that runs backwards has no translation")
    consts, carry, length = options["num_consts"], options["num_carry"], options["length"]
    scan = Scan(options["jaxpr"], grids[:consts], grids[consts : consts + carry], grids[consts + carry :], interpret)
    return [_output_grid(scan, number, carry, length) for number in range(len(options["jaxpr"].jaxpr.outvars))]


def _output_grid(scan: Scan, number: int, carry: int, length: int) -> Grid:
    shape = tuple(scan.body.jaxpr.outvars[number].aval.shape)
    if number < carry:
        return Grid(shape, lambda at: scan.output(number, sp.Integer(length - 1)).at(at))
    return Grid((length, *shape), lambda at: scan.output(number, at[0]).at(at[1:]))


def largest_lag(formulas: Any, time: Any) -> int:
    """Return the largest lag of formulas along a plate."""
    shifts = [as_lag(i) for f in formulas for e in references(f) for i in getattr(e, "indices", ())]
    return max((s[1] for s in shifts if s is not None and s[0] == time), default=0)
