"""Put the kept variables of an auxiliary form back into their own coordinates, and say what cannot be exported."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp
from sympy.logic.boolalg import BooleanAtom, BooleanFunction
from sympy.tensor.indexed import Idx, Indexed

from symaux.errors import SymauxError
from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.model.model import Model
from symaux.rules.derivation import Derivation

# What the printers support: sympy's own would print a derivative or a matrix as Python, and nobody would notice.
SUPPORTED = (sp.Add, sp.Mul, sp.Pow, sp.Symbol, sp.Number, sp.NumberSymbol, sp.Function, sp.Piecewise, sp.Rel, sp.Sum)
SUPPORTED += (Indexed, Idx, sp.Max, sp.Min, BooleanFunction, BooleanAtom, ArrayFunction)


class NotExported(SymauxError):
    """A model has parts that the target does not support; ``parts`` lists each with the reason."""

    code = "export"

    def __init__(self, target: str, parts: Mapping[str, str], hint: str = "") -> None:
        self.target, self.parts = target, dict(parts)
        listed = "\n".join(f"  {name}: {reason}" for name, reason in self.parts.items())
        advice = f"\n  try:  {hint}" if hint else ""
        super().__init__(f"this model cannot be written for {target}:\n{listed}{advice}")


class Unsupported(Exception):
    """One part is unsupported; collected into NotExported."""


def in_natural_coordinates(derivation: Derivation) -> Model:
    """Return the rewritten model without the transforms of kept variables to the real line.

    >>> import symaux as sa
    >>> print(in_natural_coordinates(sa.auxiliary(sa.parse("tau ~ half_cauchy(5)\\nx ~ normal(0, tau)"))))
    auxiliary eps_x
    tau ~ half_cauchy(5)
    eps_x ~ normal(0, 1)
    x = eps_x*tau
    """
    before, after = derivation.before, derivation.after
    kept = {name for name in derivation.kept if name in after.nodes and after.nodes[name].kind == "deterministic"}
    moved = {p for name in kept for p in after.nodes[name].parents if p in after.auxiliary}
    statements = []
    for name, node in after.nodes.items():
        if name in kept:
            statements += before.nodes[name].statements
        elif name not in moved:
            statements += node.statements
    return Model.derived(
        *statements, *after.factors, observed=sorted(after.observed), auxiliary=sorted(after.auxiliary - moved)
    )
