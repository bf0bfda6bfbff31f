"""Models from text: ``parse`` reads the statements of the symaux language and makes the model that they say.

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
from symaux.language.assumptions import agrees
from symaux.language.build import Builder
from symaux.language.formulas import check_size
from symaux.language.grammar import model_tree
from symaux.language.law_calls import LawBuilder, find, is_positive, side
from symaux.language.law_definitions import own_law
from symaux.language.lines import cleaned
from symaux.language.locations import Place
from symaux.language.model_functions import model_functions, reserved
from symaux.language.names import nearest, reason_against
from symaux.language.scope import Scope, used_as_index
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Statement, deterministic, factor, target

MAX_PARTS = 60_000
FAILURES = (RecursionError, OverflowError, MemoryError, ValueError, TypeError, AttributeError, NotImplementedError)
Node = Any


def parse(text: str) -> Model:
    """Return the model that a text says; errors point at the line and the column."""
    parsed = trees(text)
    scope = collected(text, parsed)
    words = default_words(scope, parsed, [*scope.declared, *scope.stated])
    ranks = {name: entry.rank for name, entry in {**scope.declared, **scope.stated}.items()}
    builder = Builder(text, scope.symbols(words), model_functions(), ranks)
    statements = list(built(scope, builder, parsed))
    _check_used(scope, statements)
    _check_ranges(scope, [made for made, _ in statements])
    observed = {scope.target(node.children[1])[0] for node in parsed if _is_observed(node)}
    with _placed(scope, [(made, node) for made, node in statements]):
        model = Model.of(*(made for made, _ in statements), observed=sorted(observed), auxiliary=sorted(scope.marked))
    _check_axes(scope, model)
    return model


def trees(text: str) -> list[Node]:
    """Return the syntax trees of the statements, none of them too large, nor all of them together."""
    parsed = model_tree(cleaned(text), text).children
    if not any(node.data in ("stated", "defined", "factor") for node in parsed):  # type: ignore[union-attr]
        raise LanguageError("the model is empty: it has no statement about a variable")
    for node in parsed:
        assert isinstance(node, Tree)
        check_size(text, node)
    parts = sum(1 for node in parsed for _ in node.iter_subtrees())  # type: ignore[union-attr]
    if parts > MAX_PARTS:
        raise LanguageError(f"the model has {parts} parts; at most {MAX_PARTS} are read")
    return list(parsed)


def collected(text: str, parsed: list[Node]) -> Scope:
    """Return the names that the lines introduce, laws of the text's own included."""
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
    if find(name, scope.laws) is not None:
        raise scope.refuse(f"there is a law {name} already", node.children[1])
    if reason := reason_against(name, reserved()):
        raise scope.refuse(f"{name!r} cannot be the name of a law: {reason}", node.children[1])
    with placed(scope.place(node)):
        scope.laws[name] = own_law(scope, node)


def default_words(scope: Scope, parsed: list[Node], names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What is assumed of names about which nothing is said: whole numbers as indices, positive by its law, or real."""
    indices = {name for node in parsed for name in used_as_index(node)}
    words = {name: ("integer",) if name in indices else ("real",) for name in names}
    numbers = Builder(scope.text, {}, model_functions())
    signs: dict[str, bool] = {}
    for node in parsed:
        if node.data == "stated":
            name = scope.target(_aim(node))[0]
            signs[name] = signs.get(name, True) and is_positive(side(node), scope.laws, numbers)
    return words | {name: ("positive",) for name, above in signs.items() if above and name not in indices}


def built(scope: Scope, builder: Builder, parsed: list[Node]) -> Iterator[tuple[Statement, Node]]:
    """Yield the statements with the lines that they stand on."""
    laws = LawBuilder(builder, scope.laws)
    for node in parsed:
        with placed(scope.place(node)):
            match node.data:
                case "stated":
                    yield laws.build(builder.build(_aim(node)), side(node)), node
                case "defined":
                    aim, formula = node.children
                    yield deterministic(builder.build(aim), builder.build(formula)), node
                case "factor":
                    yield factor(builder.build(node.children[1])), node


@contextmanager
def placed(place: Place) -> Iterator[None]:
    """Errors about a line say which one it is."""
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
def _placed(scope: Scope, statements: list[tuple[Statement, Node]]) -> Iterator[None]:
    """Errors about the whole say which line they are about, where their message tells."""
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
        with placed(scope.place(about[0])):
            raise


def _is_observed(node: Node) -> bool:
    return node.data == "stated" and isinstance(node.children[0], Token)


def _aim(node: Node) -> Node:
    return node.children[1] if isinstance(node.children[0], Token) else node.children[0]


def _check_used(scope: Scope, statements: list[tuple[Statement, Node]]) -> None:
    read = {name for _, node in statements for name in _names(node)}
    for name, entry in scope.declared.items():
        if entry.kind != "var" and name not in read:
            hint = nearest(name, read - set(scope.declared))
            raise scope.refuse(f"{name} is declared, but no formula reads it{hint}", entry.node)


def _names(node: Node) -> Iterator[str]:
    for part in node.iter_subtrees():
        if part.data in ("name", "element"):
            yield str(part.children[0])


def _check_ranges(scope: Scope, statements: list[Statement]) -> None:
    """What a var line says of a variable must not contradict its law: formulas are simplified by it."""
    laws = [s for s in statements if isinstance(s, Law)]
    for name, entry in scope.declared.items():
        for law in (made for made in laws if entry.kind == "var" and made.name == name):
            if not agrees(entry.words, law):
                raise scope.refuse(
                    f"var {name}: its law on {law.support} says otherwise; leave this line out", entry.node
                )


def _check_axes(scope: Scope, model: Model) -> None:
    """The indices of a declaration are those that the formulas use."""
    for name, entry in scope.declared.items():
        groups = model.axes.of_array(name)
        if len(groups) != entry.rank:
            raise scope.refuse(f"{name} is declared with {entry.rank} indices and used with {len(groups)}", entry.node)
        for index, group in zip(entry.indices, groups, strict=True):
            if index not in scope.plates:
                raise scope.refuse(f"{name}: {index!r} is not a plate{nearest(index, scope.plates)}", entry.node)
            if index != group and group in scope.plates and model.axes.group.get(index) != group:
                raise scope.refuse(f"{name} is declared along {index}, but used along {group}", entry.node)


__all__ = ["parse"]
