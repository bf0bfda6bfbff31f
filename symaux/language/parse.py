"""Parse models: ``parse`` reads the statements of the symaux language and builds the model.

>>> print(parse('''
... plate j[8]
... data sigma[j] > 0
... mu ~ Normal(0, 5)
... tau ~ HalfCauchy(5)        # between schools
... theta[j] ~ Normal(mu, tau)
... observe y[j] ~ Normal(theta[j], sigma[j])
... ''').observed)
frozenset({'y'})
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from lark import Token, Tree

from symaux.errors import LanguageError, SymauxError
from symaux.formulas.symbols.indices import name_of
from symaux.language.assumptions import is_consistent_with
from symaux.language.build import Builder
from symaux.language.formulas import check_size
from symaux.language.grammar import model_tree
from symaux.language.law_calls import LawBuilder, find_law, is_positive, right_hand_side
from symaux.language.law_definitions import define_law
from symaux.language.lines import clean_text
from symaux.language.locations import Location
from symaux.language.model_functions import model_functions, reserved_names
from symaux.language.names import suggest, why_invalid
from symaux.language.scope import Scope, index_names
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Statement, deterministic, factor, target

MAX_PARTS = 60_000
FAILURES = (RecursionError, OverflowError, MemoryError, ValueError, TypeError, AttributeError, NotImplementedError)
Node = Any


def parse(text: str) -> Model:
    """Return the model of a text; errors point at the line and the column."""
    parsed = parse_statements(text)
    scope = collect_names(text, parsed)
    words = default_assumptions(scope, parsed, [*scope.declared, *scope.stated])
    ranks = {name: entry.rank for name, entry in {**scope.declared, **scope.stated}.items()}
    builder = Builder(text, scope.symbols(words), model_functions(), ranks)
    statements = list(build_statements(scope, builder, parsed))
    _check_used(scope, statements)
    _check_ranges(scope, [made for made, _ in statements])
    observed = {scope.target(node.children[1])[0] for node in parsed if _is_observed(node)}
    with _locate_model_errors(scope, [(made, node) for made, node in statements]):
        model = Model.of(*(made for made, _ in statements), observed=sorted(observed), auxiliary=sorted(scope.marked))
    _check_axes(scope, model)
    return model


def parse_statements(text: str) -> list[Node]:
    """Return the syntax trees of the statements; raise LanguageError if one, or all together, are too large."""
    parsed: list[Node] = list(model_tree(clean_text(text), text).children)
    if not any(node.data in ("stated", "defined", "factor") for node in parsed):
        raise LanguageError("the model is empty: it has no statement about a variable")
    for node in parsed:
        assert isinstance(node, Tree)
        check_size(text, node)
    parts = sum(1 for node in parsed for _ in node.iter_subtrees())
    if parts > MAX_PARTS:
        raise LanguageError(f"the model has {parts} parts; at most {MAX_PARTS} are read")
    return parsed


def collect_names(text: str, parsed: list[Node]) -> Scope:
    """Return the scope of the names that the lines introduce, with the laws that the text defines."""
    scope = Scope(text)
    for node in parsed:
        match node.data:
            case "plate":
                scope.add_plate(node)
            case "declared":
                scope.add_input(node)
            case "stated" | "defined":
                scope.add_stated(node)
            case "marked":
                scope.marked |= {str(name): name for name in node.children[1:]}
    for node in parsed:
        if node.data == "own":
            _add_law(scope, node)
    scope.check()
    return scope


def _add_law(scope: Scope, node: Node) -> None:
    name = str(node.children[1])
    if find_law(name, scope.laws) is not None:
        raise scope.error(f"there is a law {name} already", node.children[1])
    if reason := why_invalid(name, reserved_names()):
        raise scope.error(f"{name!r} cannot be the name of a law: {reason}", node.children[1])
    with locate_errors(scope.place(node)):
        scope.laws[name] = define_law(scope, node)


def default_assumptions(scope: Scope, parsed: list[Node], names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the assumptions of names without a declaration: integer if used as an index, positive by its law, or real."""
    indices = {name for node in parsed for name in index_names(node)}
    words = {name: ("integer",) if name in indices else ("real",) for name in names}
    numbers = Builder(scope.text, {}, model_functions())
    signs: dict[str, bool] = {}
    for node in parsed:
        if node.data == "stated":
            name = scope.target(_aim(node))[0]
            signs[name] = signs.get(name, True) and is_positive(right_hand_side(node), scope.laws, numbers)
    return words | {name: ("positive",) for name, above in signs.items() if above and name not in indices}


def build_statements(scope: Scope, builder: Builder, parsed: list[Node]) -> Iterator[tuple[Statement, Node]]:
    """Yield the statements with the syntax trees of their lines."""
    laws = LawBuilder(builder, scope.laws)
    for node in parsed:
        with locate_errors(scope.place(node)):
            match node.data:
                case "stated":
                    yield laws.build(builder.build(_aim(node)), right_hand_side(node)), node
                case "defined":
                    aim, formula = node.children
                    yield deterministic(builder.build(aim), builder.build(formula)), node
                case "factor":
                    term = builder.indicator(node.children[1])
                    yield factor(builder.build(node.children[1]) if term is None else term), node


@contextmanager
def locate_errors(place: Location) -> Iterator[None]:
    """Prefix errors raised inside with the line and column of a location."""
    try:
        yield
    except LanguageError:
        raise
    except SymauxError as failure:
        raise type(failure)(f"line {place.line}, column {place.column}: {failure}\n{place.picture}") from failure
    except FAILURES as failure:
        told = f"this cannot be worked out: {type(failure).__name__}: {failure}"
        raise LanguageError(f"line {place.line}, column {place.column}: {told[:300]}\n{place.picture}") from failure


@contextmanager
def _locate_model_errors(scope: Scope, statements: list[tuple[Statement, Node]]) -> Iterator[None]:
    """Prefix errors about the model with the line that they are about, if their message names a statement or variable."""
    try:
        yield
    except SymauxError as failure:
        told = str(failure)
        about = [node for made, node in statements if told.startswith(str(made))]
        about += [node for made, node in statements if (aim := target(made)) is not None and str(aim) in told]
        words = set(re.findall(r"\w+", told))
        about += [node for made, node in statements if (aim := target(made)) is not None and name_of(aim) in words]
        if not about:
            raise
        with locate_errors(scope.place(about[0])):
            raise


def _is_observed(node: Node) -> bool:
    return node.data == "stated" and isinstance(node.children[0], Token)


def _aim(node: Node) -> Node:
    return node.children[1] if isinstance(node.children[0], Token) else node.children[0]


def _check_used(scope: Scope, statements: list[tuple[Statement, Node]]) -> None:
    read = {name for _, node in statements for name in _names(node)}
    for name, entry in scope.declared.items():
        if entry.kind != "var" and name not in read:
            hint = suggest(name, read - set(scope.declared))
            raise scope.error(f"{name} is declared, but no formula reads it{hint}", entry.node)


def _names(node: Node) -> Iterator[str]:
    for part in node.iter_subtrees():
        if part.data in ("name", "element"):
            yield str(part.children[0])


def _check_ranges(scope: Scope, statements: list[Statement]) -> None:
    """Raise LanguageError if a var line contradicts the law of its variable: formulas are simplified by what it says."""
    laws = [s for s in statements if isinstance(s, Law)]
    for name, entry in scope.declared.items():
        for law in (made for made in laws if entry.kind == "var" and made.name == name):
            if not is_consistent_with(entry.words, law):
                raise scope.error(
                    f"var {name}: its law on {law.support} says otherwise; leave this line out", entry.node
                )


def _check_axes(scope: Scope, model: Model) -> None:
    """Raise LanguageError unless the indices of every declaration are those that the formulas use."""
    for name, entry in scope.declared.items():
        groups = model.axes.of_array(name)
        if len(groups) != entry.rank:
            raise scope.error(f"{name} is declared with {entry.rank} indices and used with {len(groups)}", entry.node)
        for index, group in zip(entry.indices, groups, strict=True):
            if index not in scope.plates:
                raise scope.error(f"{name}: {index!r} is not a plate{suggest(index, scope.plates)}", entry.node)
            if index != group and group in scope.plates and model.axes.group.get(index) != group:
                raise scope.error(f"{name} is declared along {index}, but used along {group}", entry.node)


__all__ = ["parse"]
