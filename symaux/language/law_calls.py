"""Build laws from the right-hand side of ``z ~ ...``: a family, a mixture, a density on a support, or a prior that
does not integrate to one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.errors import LanguageError, LawError
from symaux.formulas.algebra.convert import as_formula
from symaux.formulas.symbols.support import Integers, Interval, Support, Vectors
from symaux.language.build import COMPARISONS, Builder
from symaux.language.law_names import DefinedLaw, canonical_name, families, law_names, template, vector_laws
from symaux.language.names import suggest
from symaux.laws.law import Law, flat, law

Node = Any
MIXTURE, FLAT, IMPROPER, LOGARITHM, REALS = "mixture", "flat", "improper", "exp", "reals"


@dataclass(frozen=True)
class RightHandSide:
    """The right-hand side of a ``~``: a formula or a call, perhaps a support, perhaps conditions."""

    body: Node
    support: Node | None = None
    conditions: tuple[Node, ...] = ()

    @property
    def call(self) -> str | None:
        """Return the canonical name of the law that is called, if any."""
        return canonical_name(str(self.body.children[0])) if self.body.data in ("call", "name") else None


def right_hand_side(node: Node) -> RightHandSide:
    """Return the right-hand side of a statement's tree."""
    parts = [child for child in node.children if hasattr(child, "data")]
    _, body, *rest = parts
    support = next((part for part in rest if part.data in ("interval", "integers", "vectors")), None)
    return RightHandSide(body, support, tuple(part for part in rest if part.data == "chain"))


@dataclass(frozen=True)
class LawBuilder:
    """Builder of the laws of one text."""

    builder: Builder
    defined: Mapping[str, DefinedLaw]

    def build(self, value: Any, given: RightHandSide) -> Law:
        """Build the law of a value."""
        if given.support is None and given.call != FLAT:
            if given.conditions:
                raise self.builder.error("given is for a density on a support", given.conditions[0])
            return self._named(value, given.body)
        support = None if given.support is None else self.support(given.support)
        if given.call == FLAT and given.body.data == "name":
            return flat(value, support)
        conditions = tuple(self.condition(chain) for chain in given.conditions)
        if given.call == IMPROPER:
            return self._improper(value, given, support, conditions)
        if isinstance(support, Vectors):
            return self._on_vectors(value, given.body, support, conditions)
        return self.density(value, given.body, support, conditions)

    def _improper(self, value: Any, given: RightHandSide, support: Support | None, conditions: tuple[Any, ...]) -> Law:
        """Build ``improper(FORMULA) on SUPPORT``: a density that need not integrate to one."""
        if given.body.data != "call" or len(given.body.children) != 2:
            raise self.builder.error("improper takes one density: improper(exp(x)) on (-oo, oo)", given.body)
        inner = given.body.children[1]
        if isinstance(support, Vectors):
            return replace(self._on_vectors(value, inner, support, conditions), proper=False)
        return replace(self.density(value, inner, support, conditions), proper=False)

    def density(self, value: Any, body: Node, support: Support | None, conditions: tuple[Any, ...] = ()) -> Law:
        """Build a law from its density, or from the logarithm if the density is written as exp(...)."""
        if body.data == "call" and str(body.children[0]) == LOGARITHM and len(body.children) == 2:
            log_density = self.builder.build(body.children[1])
            return law(value, log_density=log_density, support=support, conditions=conditions)
        return law(value, self.builder.build(body), support=support, conditions=conditions)

    def support(self, node: Node) -> Support:
        """Build a support: ``(lower, upper)``, ``{lower, ..., upper}`` or ``reals(k)``."""
        if node.data == "vectors":
            return self._vectors(node)
        lower, upper = (self.builder.build(child) for child in node.children if hasattr(child, "data"))
        return Interval(lower, upper) if node.data == "interval" else Integers(lower, upper)

    def _vectors(self, node: Node) -> Vectors:
        """Build ``reals(k)``, all vectors along a plate."""
        word, name = map(str, node.children)
        plate = self.builder.symbols.get(name)
        if word != REALS or not isinstance(plate, Idx):
            raise self.builder.error(
                "a support is (lower, upper), {lower, ..., upper}, or reals(k) for a plate k", node
            )
        return Vectors(plate)

    def _on_vectors(self, value: Any, body: Node, support: Vectors, conditions: tuple[Any, ...]) -> Law:
        if body.data != "call" or str(body.children[0]) != LOGARITHM or len(body.children) != 2:
            raise self.builder.error("the density of a vector is written by its logarithm: exp(...) on reals(k)", body)
        if support.plate not in getattr(value, "indices", ()):
            raise self.builder.error(f"{value} does not run along {support.plate}", body)
        log_density = as_formula(self.builder.build(body.children[1]))
        return Law(value, log_density, support, conditions, event=(support.plate,))

    def condition(self, chain: Node) -> Any:
        """Build the conjunction of all comparisons of a chain: ``a < b``, or ``0 < p < 1``."""
        values = [self.builder.build(child) for child in chain.children[::2]]
        signs = [COMPARISONS[str(sign)] for sign in chain.children[1::2]]
        if not signs:
            raise self.builder.error("a condition is a comparison, such as a > 0", chain)
        made = [sign(left, right) for sign, left, right in zip(signs, values, values[1:], strict=False)]
        if len(made) == 1 or made[0] in (sp.true, sp.false):
            return sp.And(*made) if len(made) > 1 else made[0]
        return sp.And(made[0].reversed, *made[1:])  # 0 <= p <= 1: p >= 0 and p <= 1

    def _named(self, value: Any, node: Node) -> Law:
        if node.data not in ("call", "name"):
            raise self.builder.error(
                "expected a law, such as normal(0, 1), or a density with its support: FORMULA on (0, 1)", node
            )
        name, *arguments = node.children
        if canonical_name(str(name)) == MIXTURE:
            return self._mixture(value, node, arguments)
        if canonical_name(str(name)) in (FLAT, IMPROPER):
            raise self.builder.error(f"{name} needs a support, and cannot be mixed: it does not integrate to one", node)
        found = find_law(str(name), self.defined)
        if found is None:
            raise self.builder.error(f"unknown law {str(name)!r}{_hint(str(name), self.defined)}", node)
        plain = [self.builder.build(a) for a in arguments if a.data != "keyword"]
        named = {str(a.children[0]): self.builder.build(a.children[1]) for a in arguments if a.data == "keyword"}
        if len(plain) + len(named) < len(arguments):
            raise self.builder.error(f"{name} is given an argument twice", node)
        try:
            return found(value, *plain, **named)
        except TypeError as failure:
            raise LawError(f"{name}: {failure}") from None

    def _mixture(self, value: Any, node: Node, arguments: list[Node]) -> Law:
        from symaux.laws.vector_laws import mixture

        if not arguments or len(arguments) % 2:
            raise self.builder.error("mixture takes weights and laws in turn: mixture(0.3, normal(0, 1), ...)", node)
        weights = [self.builder.build(a) for a in arguments[::2]]
        laws = [self._named(value, a) for a in arguments[1::2]]
        if len(weights) == 1:
            return mixture(value, weights[0], laws[0])
        return mixture(value, *zip(weights, laws, strict=True))


def find_law(name: str, defined: Mapping[str, DefinedLaw]) -> Any:
    """Return the law of this name: one that the text defines, a family, or a vector law."""
    return defined.get(name) or families().get(canonical_name(name)) or vector_laws().get(canonical_name(name))


def _hint(name: str, defined: Mapping[str, DefinedLaw]) -> str:
    return suggest(name, law_names(defined)) or suggest(canonical_name(name), law_names(defined))


def is_positive(given: RightHandSide, own: Mapping[str, DefinedLaw], builder: Builder) -> bool:
    """Return whether the name and the constants of a law show that its support is positive; then its variable is."""
    if given.support is not None or given.call == FLAT:
        where = given.support
        return where is not None and where.data == "interval" and _above(where.children[0], builder)
    if given.body.data not in ("call", "name"):
        return False
    name, *arguments = given.body.children
    if canonical_name(str(name)) == MIXTURE:
        return len(arguments) > 1 and is_positive(RightHandSide(arguments[1]), own, builder)
    found = find_law(str(name), own)
    if found is None or found in vector_laws().values():
        return found is not None and found.__name__ == "dirichlet"
    pattern = template(found)
    if pattern.discrete or not isinstance(pattern.support, Interval) or pattern.support.lower == -sp.oo:
        return False
    first = [a.children[1] if a.data == "keyword" else a for a in arguments if _is_lower(a)] or arguments
    return bool(pattern.value.is_positive) or bool(first and _above(first[0], builder))


def _is_lower(argument: Node) -> bool:
    return argument.data == "keyword" and str(argument.children[0]) == "lower"


def _above(node: Node, builder: Builder) -> bool:
    try:
        return bool(Builder(builder.text, {}, builder.functions).build(node).is_nonnegative)
    except LanguageError:
        return False
