r"""Write the conditions on parameters that a model does not imply into its formulas, for targets that would not check them.

The log-density gets an indicator for each of them. Where one fails, laws and formulas that read the same variables are given
harmless parameters: NaN plus $-\infty$ would be NaN.

>>> from symaux.laws.families import normal
>>> s, z = sp.symbols("s z", real=True)
>>> _, law, term = with_explicit_domains(Model.derived(normal(s, 0, 1), normal(z, 0, s))).statements
>>> print(law, term, sep="; ")
z ~ normal(0, Piecewise((s, s > 0), (1, True))); factor Piecewise((0, s > 0), (-oo, True))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import free_plates, name_of, references
from symaux.formulas.symbols.support import substitute_in_support
from symaux.laws.law import Law, Spelling
from symaux.model.domains import conditions_of, indicated, indicator
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Factor, Statement, plates_of


def with_explicit_domains(model: Model) -> Model:
    """Return the model with an indicator for every open condition, and harmless parameters where it fails."""
    terms = [indicator(opened.condition) for opened in model.domain]
    conditions = [c for f in (*model.factors, *terms) if (c := indicated(f)) is not None]
    if not conditions:
        return model
    guards = [part for c in conditions for part in (c.args if isinstance(c, sp.And) else (c,))]
    read = _ancestors(model, {name_of(r) for c in guards for r in references(c)})
    statements = [_safe(s, guards, s.name in read) for s in model.statements if not isinstance(s, Factor)]
    return replace(model, statements=(*statements, *model.factors, *terms))


def _ancestors(model: Model, names: set[str]) -> set[str]:
    """Return the deterministic variables from which conditions are computed: they stay as they are."""
    found, stack = set[str](), list(names)
    while stack:
        node = model.nodes.get(stack.pop())
        if node is not None and node.name not in found and node.kind == "deterministic":
            found.add(node.name)
            stack.extend((*node.parents, *node.lags))
    return found


def _safe(statement: Law | Deterministic, guards: list[Any], read: bool) -> Statement:
    names = {name_of(r) for formula in statement.formulas for r in references(formula)}
    near = [g for g in guards if {name_of(r) for r in references(g)} & names and _fits(g, statement)]
    if isinstance(statement, Law) and statement.components:
        return _safe_mixture(statement, guards)
    if isinstance(statement, Law):
        return _safe_law(statement, [g for g in near if g in set(conditions_of(statement))])
    return statement if read or not near else replace(statement, formula=_guarded(statement.formula, near))


def _safe_mixture(law: Law, guards: list[Any]) -> Law:
    """Return a mixture of safe laws; a weight that may be negative is 1 where it is."""
    parts = []
    for weight, part in law.components:
        own = [g for g in guards if set(references(g)) <= set(references(weight)) and g in set(conditions_of(law))]
        inner = [g for g in guards if g in set(conditions_of(part))]
        parts.append((_guarded(weight, own) if own else weight, _safe_law(part, inner)))
    return replace(law, components=tuple(parts))


def _fits(guard: Any, statement: Law | Deterministic) -> bool:
    return free_plates(guard) <= set(plates_of(statement))


def _safe_law(law: Law, guards: list[Any]) -> Law:
    if not guards:
        return law
    if law.spelling is None:
        density = sp.Piecewise((law.log_density, sp.And(*guards)), (0, True))
        return replace(law, log_density=density, components=())
    spelling = law.spelling
    arguments = tuple(
        _guarded(a, guards, _inside(spelling, number)) if _reads(a, guards) else a
        for number, a in enumerate(spelling.arguments)
    )
    given = {spelling.template.value: law.value, **dict(zip(spelling.symbols, arguments, strict=True))}
    return replace(
        law,
        log_density=spelling.template.log_density.xreplace(given),
        support=substitute_in_support(spelling.template.support, given),
        spelling=Spelling(spelling.family, arguments, spelling.template, spelling.symbols),
    )


def _reads(formula: Formula, guards: Iterable[Any]) -> bool:
    read = set(references(formula))
    return any(read & set(references(g)) for g in guards)


def _inside(spelling: Spelling, number: int) -> Any:
    """Return a harmless value of a parameter: bounds of a support are in order, scales are positive, probabilities below 1."""
    ends = getattr(spelling.template.support, "lower", None), getattr(spelling.template.support, "upper", None)
    symbol = spelling.symbols[number]
    if symbol in ends and not symbol.is_positive:
        return sp.S.Zero if symbol == ends[0] else sp.S.One
    return sp.S.Half if symbol.name == "probability" else sp.S.One


def _guarded(formula: Formula, guards: list[Any], otherwise: Any = sp.S.One) -> Formula:
    """Return the formula with variables replaced by a harmless value where their guard fails, or as a whole."""
    simple = {g.lhs: g for g in guards if isinstance(g.lhs, sp.Symbol | Indexed) and g.rel_op == ">" and g.rhs == 0}
    formula = formula.xreplace({x: sp.Piecewise((x, g), (otherwise, True)) for x, g in simple.items()})
    rest = [g for g in guards if g not in simple.values()]
    return sp.Piecewise((formula, sp.And(*rest)), (otherwise, True)) if rest else formula
