r"""Draws carried from weights of one half to others, where a variable has no location and scale on the line.

With z where it is, $w_\mu$ is a function of $w_\lambda$ and the parents (``symaux.derivation.partial_shape.carried``), and
$\log|\partial z/\partial w_\mu| = \log p(w_\mu; \theta_\mu) - \log p(z; \theta)$: the density of w is all that depends on
the weight.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from symaux.derivation.partial_shape import RULE, carried
from symaux.formulas.symbols.indices import renamed
from symaux.learn.compiled_model import Arrays, Functions
from symaux.model.model import Model
from symaux.model.statements import Deterministic
from symaux.rules.derivation import Derivation


@dataclass(frozen=True)
class Carrier:
    """Of one variable: the function that carries its coordinate, and the law of the coordinate."""

    name: str
    moved: Functions
    own: Functions

    def at(self, weight: Any, known: Arrays) -> Any:
        """Return the coordinate at a weight, from everything that is known at another."""
        return self.moved.generate({}, {**known, f"other_{self.name}": weight})[f"carried_{self.name}"]

    def width(self, coordinate: Any, weight: Any, known: Arrays) -> Any:
        """Return the logarithm of dz/dw, summed over elements, but for a term without the weight."""
        key = f"partial_{self.name}"
        rest = {n: v for n, v in known.items() if n != key}
        return self.own.log_density({key: coordinate}, {**rest, f"lambda_{self.name}": weight})


def rules_of(derivation: Derivation, name: str) -> set[str]:
    """Return the rules that brought in a variable's coordinate: one, unless its elements have laws of several kinds."""
    return {s.rule for s in derivation.steps if any(n.name == f"partial_{name}" for n in s.after.noise)}


def carriers(derivation: Derivation, after: Model, names: Iterable[str]) -> tuple[Carrier, ...]:
    """Return those of the variables whose parameters are interpolated; what cannot be inverted is left out."""
    found = []
    for name in names:
        steps = [s for s in derivation.steps if s.rule == RULE and s.variable == name]
        formulas = [(s.after.noise[0].value, carried(s, f"lambda_{name}", f"other_{name}")) for s in steps]
        if rules_of(derivation, name) == {RULE} and all(formula is not None for _, formula in formulas):
            laws = [Deterministic(renamed(w, f"carried_{name}", w), formula) for w, formula in formulas]
            own = Model.of(*after.nodes[f"partial_{name}"].statements)
            found.append(Carrier(name, Functions(Model.of(*laws)), Functions(own)))
    return tuple(found)
