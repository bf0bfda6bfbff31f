r"""Exponentials that the model has computed: softplus(2y - c) takes $e^{2y - c} = \tau^2 e^{-c}$ from a node $\tau = e^y$.

>>> from symaux.families import half_cauchy
>>> from symaux.rewriting import unconstrain
>>> made = unconstrain(Model.of(half_cauchy(sp.Symbol("tau", positive=True), 5))).after
>>> with_known(softplus(2*sp.Symbol("log_tau", real=True) - 3), exponentials(made))
softplus_known(2*log_tau - 3, tau**2*exp(-3))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.functions import softplus
from symaux.model import Model
from symaux.statements import Deterministic


class softplus_known(sp.Function):
    """log(1 + exp(x)), with exp(x) as a second argument."""


def exponentials(model: Model) -> dict[Any, Any]:
    """y to the variable that is exp(y), for every node that is one."""
    found = {}
    for statement in model.statements:
        if isinstance(statement, Deterministic) and isinstance(statement.formula, sp.exp):
            found[statement.formula.args[0]] = statement.target
    return found


def with_known(formula: Any, known: dict[Any, Any]) -> Any:
    """The formula with y for log(tau), where tau = exp(y), and softplus functions that take their exponential from a node."""
    if not known:
        return formula
    formula = formula.xreplace({sp.log(node): y for y, node in known.items()})
    if not formula.has(softplus):
        return formula
    found = {f: _known(f.args[0], known) for f in formula.atoms(softplus)}
    return formula.xreplace({f: better for f, better in found.items() if better is not None})


def _known(x: Any, known: dict[Any, Any]) -> Any | None:
    constants = [term for term in sp.Add.make_args(x) if term.is_number]
    rest = x - sp.Add(*constants)
    times, y = rest.as_coeff_Mul()
    if not times.is_Integer or y not in known:
        return None
    return softplus_known(x, known[y] ** times * sp.exp(sp.Add(*constants)))
