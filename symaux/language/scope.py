"""Collect the names of a model text: plates, inputs, variables and the laws that it defines, with their assumptions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lark import Token, Tree
from sympy.tensor.indexed import Idx

from symaux.errors import LanguageError
from symaux.formulas.symbols.indices import plate
from symaux.language.assumptions import ANYTHING, SIGNS, WORDS, is_satisfiable, symbol
from symaux.language.locations import Location, error_at
from symaux.language.model_functions import reserved_names
from symaux.language.names import check_twins, suggest, why_invalid

LARGEST_PLATE = 10**9
Node = Any


@dataclass(frozen=True)
class Declared:
    """A declared name with its indices and assumptions; without words it has the default assumptions."""

    name: str
    kind: str  # data, param, var, stated, defined
    indices: tuple[str, ...]
    words: tuple[str, ...]
    node: Node

    @property
    def rank(self) -> int:
        return len(self.indices)


@dataclass
class Scope:
    """The names of one text, as they are collected from its lines."""

    text: str
    plates: dict[str, Idx] = field(default_factory=dict)
    declared: dict[str, Declared] = field(default_factory=dict)
    stated: dict[str, Declared] = field(default_factory=dict)
    laws: dict[str, Any] = field(default_factory=dict)
    marked: dict[str, Node] = field(default_factory=dict)

    def error(self, message: str, node: Node) -> LanguageError:
        """Return the error that points at a node."""
        return error_at(message, self.place(node))

    def place(self, node: Node) -> Location:
        return Location(self.text, (node.start_pos or 0) if isinstance(node, Token) else node.meta.start_pos)

    def add_plate(self, node: Node) -> None:
        """Add a plate: ``plate i`` or ``plate i[8]``."""
        _, name, *size = node.children
        self._check_fresh(str(name), name)
        if size and not (size[0].isdigit() and len(size[0]) < 12 and 1 <= int(size[0]) <= LARGEST_PLATE):
            raise self.error(f"the size of a plate is an integer from 1 to {LARGEST_PLATE}", size[0])
        self.plates[str(name)] = plate(str(name), int(size[0]) if size else None)

    def add_input(self, node: Node) -> None:
        """Add a declaration: ``data sigma[j] > 0``, ``param n integer``, ``var x[i] real``."""
        kind, chain, *words = node.children
        name, indices = self.target(chain.children[0])
        if name in self.declared:
            raise self.error(f"{name} is declared twice", chain)
        self._check_fresh(name, chain, self.declared)
        self.declared[name] = Declared(name, str(kind), indices, self._words(chain, words), node)

    def add_stated(self, node: Node) -> None:
        """Add the target of ``z[t] ~ ...`` or ``eta[i] = ...``: the first statement of a name fixes its number of indices."""
        aim = node.children[1] if isinstance(node.children[0], Token) else node.children[0]
        name, indices = self.target(aim)
        if name not in self.stated:
            self._check_fresh(name, aim, self.stated)
            self.stated[name] = Declared(name, str(node.data), indices, (), aim)

    def target(self, node: Node) -> tuple[str, tuple[str, ...]]:
        """Return the name and the indices of the target of a line."""
        if node.data not in ("name", "element"):
            raise self.error("expected a name, or an element such as z[i]", node)
        name, *indices = node.children
        return str(name), tuple(str(i.children[0]) if i.data in ("name", "number") else "" for i in indices)

    def _words(self, chain: Node, words: list[Token]) -> tuple[str, ...]:
        """Return the assumptions that a constraint and the words after it state."""
        known = []
        for word in words:
            if str(word) not in (*WORDS, ANYTHING):
                raise self.error(f"unknown word {str(word)!r}{suggest(str(word), (*WORDS, ANYTHING))}", word)
            known.append(str(word))
        if len(chain.children) == 1:
            return self._possible(known, chain)
        _, sign, bound, *more = chain.children
        if more or bound.data != "number" or float(bound.children[0]) != 0:
            raise self.error(
                "an input may be constrained by > 0, >= 0, < 0 or <= 0; for other bounds give it a law,"
                " such as p ~ flat on (0, 1)",
                bound,
            )
        return self._possible([*known, SIGNS[str(sign)]], chain)

    def _possible(self, words: list[str], node: Node) -> tuple[str, ...]:
        """Return the words themselves; raise LanguageError if they contradict each other or hold for zero alone."""
        if not is_satisfiable(words):
            raise self.error(f"nothing is {' and '.join(words)} at once, but perhaps 0: say less, or write 0", node)
        return tuple(words)

    def _check_fresh(self, name: str, node: Node, own: Any = ()) -> None:
        if reason := why_invalid(name, reserved_names()):
            raise self.error(f"{name!r} cannot be a variable: {reason}", node)
        if name in self.plates and name not in own:
            raise self.error(f"{name} is a plate already", node)
        if own == () and (name in self.declared or name in self.stated):
            raise self.error(f"{name} is a variable already", node)

    def check(self) -> None:
        """Raise LanguageError for inputs with a law, declarations without a statement, and names that look alike."""
        for name, entry in self.declared.items():
            if entry.kind != "var" and name in self.stated:
                raise self.error(
                    f"{name} is declared as {entry.kind} and has a law or a formula; observe NAME ~ LAW says that it"
                    f" is data, and var {name} what is known about it",
                    entry.node,
                )
            if entry.kind == "var" and name not in self.stated:
                hint = suggest(name, self.stated)
                raise self.error(f"var {name}: there is no {name} ~ LAW and no {name} = FORMULA{hint}", entry.node)
        for name, node in self.marked.items():
            if name not in self.stated:
                raise self.error(f"{name} has no law{suggest(name, self.stated)}", node)
        check_twins([*self.plates, *self.declared, *self.stated])

    def symbols(self, words: dict[str, tuple[str, ...]]) -> dict[str, Any]:
        """Return the symbol, array or plate of every name, given the assumptions of those that state none."""
        entries = {**self.declared, **self.stated}
        made = {name: symbol(name, self._said(name) or words[name], entry.rank) for name, entry in entries.items()}
        return made | self.plates

    def _said(self, name: str) -> tuple[str, ...]:
        return self.declared[name].words if name in self.declared else ()


def index_names(node: Node, inside: bool = False) -> Iterator[str]:
    """Yield the names that occur in an index, such as ``county`` in ``alpha[county[i]]``."""
    if not isinstance(node, Tree):
        return
    if inside and node.data in ("name", "element"):
        yield str(node.children[0])
    for child in node.children:
        yield from index_names(child, inside or node.data == "element")
