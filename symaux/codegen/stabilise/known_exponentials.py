r"""Reuse exponentials that the model computes: softplus(2y - c) takes $e^{2y - c} = \tau^2 e^{-c}$ from a node $\tau = e^y$.

>>> from symaux.laws.families import half_cauchy
>>> from symaux.derivation.model import unconstrain
>>> made = unconstrain(Model.of(half_cauchy(sp.Symbol("tau", positive=True), 5))).after
>>> with_known_exponentials(softplus(2*sp.Symbol("log_tau", real=True) - 3), known_exponentials(made))
softplus_known(2*log_tau - 3, tau**2*exp(-3))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.codegen.lower.fused_terms import softplus_known
from symaux.codegen.lower.sums import is_sum_of_exponentials
from symaux.formulas.functions.elementary import log1p, softplus
from symaux.formulas.symbols.indices import at_index, free_plates, indices_of, name_of, references
from symaux.model.model import Model
from symaux.model.statements import Deterministic, target


def known_exponentials(model: Model) -> dict[Any, Any]:
    """Return a dictionary from y to the variable exp(y), for every node that is an exponential."""
    found = {}
    for statement in model.statements:
        if isinstance(statement, Deterministic) and isinstance(statement.formula, sp.exp):
            found[statement.formula.args[0]] = statement.target
    return found


def with_known_exponentials(formula: Any, known: dict[Any, Any]) -> Any:
    """Return the log-density with y for log(tau), where tau = exp(y), and softplus terms with the exponential of a node."""
    if not known:
        return formula
    formula = formula.xreplace({sp.log(node): y for y, node in known.items()})
    if not formula.has(softplus):
        return formula
    return sp.Add(*(_term(term, known) for term in sp.Add.make_args(formula)))


def _term(term: Any, known: dict[Any, Any]) -> Any:
    """Return a softplus term with its known exponential, or the term as it is.

    A softplus function that is only added needs an error small relative to 1; one inside another function must keep all
    digits, so it stays.
    """
    number, rest = term.as_coeff_Mul()
    better = _known(rest.args[0], known) if isinstance(rest, softplus) else None
    return term if better is None else number * better


def expand_log_arguments(formula: Any, model: Model, simplify: Callable[[Any], Any]) -> Any:
    """Return the formula with variables inside logarithms replaced by their formulas, where the logarithm then simplifies.

    A probability that is a logistic function or a softmax then need not be computed.
    """
    found = {}
    for log in formula.atoms(sp.log):
        inner = {e: made for e in set(references(log)) if (made := _defining_formula(e, model)) is not None}
        if not inner or _has_simple_logs(simplify(log)):
            continue
        if _has_simple_logs(better := simplify(log.xreplace(inner))):
            found[log] = better
    return formula.xreplace(found) if found else formula


def _has_simple_logs(formula: Any) -> bool:
    """Return whether all logarithms in a formula are those of numbers and of sums of exponentials."""
    return all(log.is_number or is_sum_of_exponentials(log.args[0]) for log in formula.atoms(sp.log, log1p))


def _defining_formula(element: Any, model: Model) -> Any | None:
    """Return the formula of an element of a deterministic variable, at the indices at which it is read."""
    node = model.nodes.get(name_of(element))
    if node is None or node.kind != "deterministic" or node.axis is not None or node.lags:
        return None
    formula: Any = node.general.formulas[0]
    own, read = tuple[Any, ...](indices_of(target(node.general))), indices_of(element)
    bound = {plate for total in formula.atoms(sp.Sum) for plate in total.variables}
    if not all(isinstance(i, Idx) for i in own) or set().union(*map(free_plates, read)) & ({*own} - {*read} | bound):
        return None
    for plate, index in zip(own, read, strict=True):
        formula = at_index(formula, plate, index)
    return formula


def _known(x: Any, known: dict[Any, Any]) -> Any | None:
    """Return softplus(x) with its known exponential; None where x is not an integer multiple of y plus a constant."""
    constants = [term for term in sp.Add.make_args(x) if term.is_number]
    rest = x - sp.Add(*constants)
    times, y = rest.as_coeff_Mul()
    if not times.is_Integer or y not in known:
        return None
    return softplus_known(x, known[y] ** times * sp.exp(sp.Add(*constants)))
