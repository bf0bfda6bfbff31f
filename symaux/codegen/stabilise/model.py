r"""Replace the generating functions in a model by the equal formulas that are most accurate in the tails of their noise.

Parents become symbols, and so do sums over them: the error of a kernel is measured once, whatever its arguments are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed

from symaux.codegen.stabilise.simplify import Simplification, simplifier
from symaux.codegen.stabilise.tail_forms import most_accurate_form
from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.indices import name_of, references
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_normal, is_standard_uniform, standard_normal, standard_uniform
from symaux.model.domains import guards
from symaux.model.model import Model
from symaux.model.statements import Deterministic

Rules = tuple[Simplification, ...]


def stabilise_model(model: Model, rules: Sequence[Simplification]) -> Model:
    """Return the model with every function of one standard noise in its most accurate form."""
    laws = [s for s in model.statements if isinstance(s, Law) and s.name in model.auxiliary]
    kinds = {law.name: kind for law in laws if (kind := _kind(law)) is not None}
    known = tuple(
        condition for _, condition in guards(model)
    )  # a formula need not be accurate where there is no density
    better = [_better(s, kinds, tuple(rules), known) if isinstance(s, Deterministic) else s for s in model.statements]
    return model if better == list(model.statements) else replace(model, statements=tuple(better))


def _kind(law: Law) -> Any:
    if law.event:
        return None
    return standard_normal if is_standard_normal(law) else standard_uniform if is_standard_uniform(law) else None


def _better(statement: Deterministic, kinds: Mapping[str, Any], rules: Rules, known: tuple[Any, ...]) -> Deterministic:
    """Return a statement with its most accurate formula; the statement itself unless it reads exactly one noise."""
    read = {r for r in references(statement.formula) if name_of(r) in kinds}
    if len(read) != 1 or statement.formula.has(sp.Piecewise, sp.MatrixBase, ArrayFunction):
        return statement
    (noise,) = read
    parts: dict[Any, Any] = {}
    e = sp.Symbol("e_", real=True, positive=noise.is_positive)
    kernel = _kernel(statement.formula, noise, parts).xreplace({noise: e})
    conditions = tuple(c.xreplace(parts) for c in known if set(references(c)) <= set(parts))
    accurate = _measured(kernel, kinds[name_of(noise)](e), rules, conditions)
    back = {e: noise, **{symbol: part for part, symbol in parts.items()}}
    return statement if accurate == kernel else replace(statement, formula=accurate.xreplace(back))


@lru_cache(maxsize=2048)
def _measured(kernel: Any, noise: Law, rules: Rules, conditions: tuple[Any, ...]) -> Any:
    return most_accurate_form(kernel, noise, conditions, simplifier(rules))


def _kernel(formula: Any, noise: Any, parts: dict[Any, Any]) -> Any:
    """Return the formula with a symbol for every parent, and for every sum over parents."""
    if formula == noise or formula.is_number:
        return formula
    if not isinstance(formula, sp.Symbol | Indexed | Idx | sp.Sum):
        return formula.func(*(_kernel(a, noise, parts) for a in formula.args))
    sign = {"positive": True} if formula.is_positive else {"negative": True} if formula.is_negative else {"real": True}
    return parts.setdefault(formula, sp.Symbol(f"p{len(parts)}_", **sign))
