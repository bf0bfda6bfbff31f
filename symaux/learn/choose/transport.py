r"""Carry draws from weights of one half to other weights, for variables without a location and a scale on the real line.

With z fixed, $w_\mu$ is a function of $w_\lambda$ and the parents (``map_between_weights``), and
$\log|\partial z/\partial w_\mu| = \log p(w_\mu; \theta_\mu) - \log p(z; \theta)$: the density of w is all that depends on
the weight.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from symaux.derivation.partial_shape import RULE, map_between_weights
from symaux.formulas.symbols.indices import rename_variable
from symaux.learn.compiled_model import Arrays, Functions
from symaux.model.model import Model
from symaux.model.statements import Deterministic
from symaux.rules.derivation import Derivation


@dataclass(frozen=True)
class Carrier:
    """The function that carries the coordinate of one variable to another weight, and the law of that coordinate."""

    name: str
    moved: Functions
    own: Functions

    def at(self, weight: Any, known: Arrays) -> Any:
        """Return the coordinate at another weight, from all values that are known at this one."""
        return self.moved.generate({}, {**known, f"other_{self.name}": weight})[f"carried_{self.name}"]

    def width(self, coordinate: Any, weight: Any, known: Arrays) -> Any:
        """Return the sum over elements of the logarithm of dz/dw, up to a term without the weight."""
        key = f"partial_{self.name}"
        rest = {n: v for n, v in known.items() if n != key}
        return self.own.log_density({key: coordinate}, {**rest, f"lambda_{self.name}": weight})


def rules_of(derivation: Derivation, name: str) -> set[str]:
    """Return the rules that introduced a variable's coordinate: one, unless its elements have laws of several kinds."""
    return {s.rule for s in derivation.steps if any(n.name == f"partial_{name}" for n in s.after.noise)}


def carriers(derivation: Derivation, after: Model, names: Iterable[str]) -> tuple[Carrier, ...]:
    """Return the carriers of the variables whose parameters are interpolated; those that cannot be inverted are left out."""
    found = []
    for name in names:
        steps = [s for s in derivation.steps if s.rule == RULE and s.variable == name]
        formulas = [(s.after.noise[0].value, map_between_weights(s, f"lambda_{name}", f"other_{name}")) for s in steps]
        if rules_of(derivation, name) == {RULE} and all(formula is not None for _, formula in formulas):
            targets = [(rename_variable(w, f"carried_{name}", w), formula) for w, formula in formulas]
            laws = [Deterministic(target, formula) for target, formula in targets if formula is not None]
            own = Model.derived(*after.nodes[f"partial_{name}"].statements)
            found.append(Carrier(name, Functions(Model.derived(*laws)), Functions(own)))
    return tuple(found)
