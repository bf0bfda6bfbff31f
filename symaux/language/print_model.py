"""Print a model: its plates and inputs, then its statements, so that ``parse`` gives the same model.

>>> from symaux.laws.families import normal
>>> from symaux.formulas.symbols.indices import arrays, plate
>>> from symaux.model.model import Model
>>> z, x, n = *arrays("z x"), plate("n")
>>> print(print_model(Model.of(normal(z[n], 0, 1), normal(x[n], z[n], 2), observed=[x])))
plate n
z[n] ~ normal(0, 1)
observe x[n] ~ normal(z[n], 2)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed

from symaux.errors import LanguageError
from symaux.formulas.symbols.indices import Bound, extent, label
from symaux.language.assumptions import phrase, symbol, words_of
from symaux.language.grammar import model_tree
from symaux.language.names import check_twins
from symaux.language.parse import default_assumptions
from symaux.language.print_formula import display_formula, is_plate, print_formula
from symaux.language.print_law import LawWriter
from symaux.language.round_trip import check_round_trip
from symaux.language.scope import Scope
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Statement, reads, target

Write = Callable[[Any], str]


def print_model(model: Model) -> str:
    """Print a model; raise LanguageError for what the language cannot express."""
    names = [*model.inputs, *model.nodes, *(str(i.label) for i in plates(model))]
    check_twins(names)
    _check_bound(model, names)
    return "\n".join(_lines(model, print_formula, words_of))


def checked_text(model: Model) -> str:
    """Print a model; raise LanguageError if its text would be another model."""
    text = print_model(model)
    check_round_trip(model, text)
    return text


def _check_bound(model: Model, names: list[str]) -> None:
    """Raise LanguageError if a quantile binds a name of the model: the text would not parse."""
    bound = {b.name for s in model.statements for formula in s.formulas for b in formula.atoms(Bound)}
    for name in sorted(bound & set(names)):
        raise LanguageError(f"the language cannot express a quantile that binds {name}, which is a name of the model")


def display_model(model: Model) -> str:
    """Print a model for people, in sympy's notation where the language cannot express it."""
    try:
        return print_model(model)
    except LanguageError:
        return "\n".join(_lines(model, display_formula, _words_or_none))


def _words_or_none(base: Any) -> tuple[str, ...]:
    try:
        return words_of(base)
    except LanguageError:
        return ("real",)


def _lines(model: Model, write: Write, words: Callable[[Any], tuple[str, ...]]) -> Iterator[str]:
    laws = LawWriter(write)
    statements = [_statement(model, laws, s) for s in model.statements]
    inputs = {name: _indices(model, name) for name in model.inputs}
    yield from (laws.definition(law) for law in laws.defined.values())
    declared = {label(p): p for p in plates(model)}
    yield from (f"plate {_sized(p)}" for p in declared.values())
    yield from (f"plate {i}" for i in sorted({i for own in inputs.values() for i in own} - set(declared)))
    yield from _declarations(model, laws, statements, inputs, words)
    if model.auxiliary:
        yield f"auxiliary {', '.join(sorted(model.auxiliary & set(model.nodes)))}"
    yield from statements


def _sized(plate: Idx) -> str:
    size = extent(plate)
    return f"{label(plate)}[{size}]" if size.is_Integer else label(plate)


def plates(model: Model) -> list[Idx]:
    """Return the plates of a model in the order in which they first occur."""
    found: dict[Idx, None] = {}
    for statement in model.statements:
        aim = target(statement)
        for formula in (*((aim,) if aim is not None else ()), *statement.formulas):
            found |= dict.fromkeys(sorted((i for i in formula.atoms(Idx) if is_plate(i)), key=str))
        found |= dict.fromkeys(getattr(statement, "event", ()))
    return list(found)


def _indices(model: Model, name: str) -> tuple[str, ...]:
    """Return names for the axes of an input; an axis without a plate is named after the array."""
    return model.axes.of_array(name)


def _statement(model: Model, laws: LawWriter, statement: Statement) -> str:
    match statement:
        case Law():
            observe = "observe " if statement.name in model.observed else ""
            return f"{observe}{laws.write(statement.value)} ~ {laws.right_hand_side(statement)}"
        case Deterministic():
            return f"{laws.write(statement.target)} = {laws.write(statement.formula)}"
    return f"factor {laws.write(statement.formula)}"


def _declarations(
    model: Model,
    laws: LawWriter,
    statements: list[str],
    inputs: dict[str, tuple[str, ...]],
    words: Callable[[Any], tuple[str, ...]],
) -> Iterator[str]:
    """Yield a line for each input, and for each variable whose assumptions are not the default."""
    bases = _bases(model)
    assumed = _default_assumptions(laws, statements, [*inputs, *model.nodes])
    for name, indices in inputs.items():
        kind = "data" if indices else "param"
        yield f"{kind} {_element(name, indices)}{_phrase_unless_default(bases[name], assumed.get(name, ()), words)}"
    for name in model.nodes:
        if said := _phrase_unless_default(bases[name], assumed.get(name, ()), words):
            yield f"var {_element(name, model.axes.of_array(name))}{said}"


def _phrase_unless_default(base: Any, default: tuple[str, ...], words: Callable[[Any], tuple[str, ...]]) -> str:
    known = words(base)
    same = symbol("x", known, 0).assumptions0 == symbol("x", default or ("real",), 0).assumptions0
    return "" if same else phrase(known)


def _element(name: str, indices: tuple[str, ...]) -> str:
    return f"{name}[{', '.join(indices)}]" if indices else name


def _bases(model: Model) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for statement in model.statements:
        aim = target(statement)
        for element in ([] if aim is None else [aim]) + [r.element for r in reads(statement)]:
            base: Any = element.base if isinstance(element, Indexed) else element
            found.setdefault(base.name if isinstance(base, sp.Symbol) else str(base.label), base)
    return found


def _default_assumptions(laws: LawWriter, statements: list[str], names: list[str]) -> dict[str, tuple[str, ...]]:
    """Return the assumptions that the parser would make about each name, by asking the parser."""
    text = "\n".join(statements)
    try:
        parsed: list[Any] = list(model_tree(text).children)
    except LanguageError:
        return {}
    return default_assumptions(Scope(text, laws=dict(laws.defined)), parsed, names)
