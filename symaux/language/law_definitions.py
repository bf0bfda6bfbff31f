"""Build the laws that a text defines: ``law Kuma(z | a > 0, b > 0) on (0, 1) = a*b*z^(a-1)*(1-z^a)^(b-1)``."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.language.assumptions import SIGNS, WORDS, is_satisfiable, phrase
from symaux.language.build import COMPARISONS, Builder
from symaux.language.law_calls import LawBuilder
from symaux.language.law_names import DefinedLaw
from symaux.language.model_functions import model_functions, reserved_names
from symaux.language.names import check_twins, suggest, why_invalid
from symaux.language.scope import Scope
from symaux.laws.family import COUNT, POSITIVE, REAL, Domain
from symaux.laws.validity import refuse_bad_mass

Node = Any
KNOWN = {(): REAL, ("real",): REAL, ("positive",): POSITIVE, ("integer", "nonnegative"): COUNT}


def define_law(scope: Scope, node: Node) -> DefinedLaw:
    """Build the law of a ``law`` line; raise LawError if its density is negative or does not integrate to one."""
    _, name, value, *rest = node.children
    domains = dict(_parameter(scope, part) for part in rest if getattr(part, "data", "") == "parameter")
    names = [str(value), *(str(part.children[0].children[_position(part)].children[0]) for part in _parameters(rest))]
    for written in names:
        if reason := why_invalid(written, reserved_names()):
            raise scope.error(f"{written!r} cannot be a variable: {reason}", node)
    if len(set(names)) < len(names):
        raise scope.error(f"{name}: the same name occurs twice in {', '.join(names)}", node)
    check_twins(names)
    symbols = {n: sp.Symbol(n, **dict.fromkeys(domain.assumptions, True)) for n, domain in domains.items()}
    return DefinedLaw(str(name), _template(scope, str(value), symbols, rest), tuple(symbols.values()), domains)


def _template(scope: Scope, value: str, symbols: dict[str, sp.Symbol], rest: list[Node]) -> Any:
    where = next((part for part in rest if getattr(part, "data", "") in ("interval", "integers")), None)
    builder = Builder(scope.text, symbols, model_functions())
    support: Any = None if where is None else LawBuilder(builder, {}).support(where)
    above = support is not None and bool(support.lower.is_nonnegative)
    z = sp.Symbol(value, **({"positive": True} if above else {"real": True}))
    named = Builder(scope.text, symbols | {value: z}, model_functions())
    made = LawBuilder(named, {}).density(z, rest[-1], support)
    refuse_bad_mass(made)
    return made


def _parameters(rest: list[Node]) -> list[Node]:
    return [part for part in rest if getattr(part, "data", "") == "parameter"]


def _position(part: Node) -> int:
    """Return the position of the name in a chain such as ``0 < p < 1``."""
    chain = part.children[0].children
    return next((i for i, child in enumerate(chain) if getattr(child, "data", "") == "name"), 0)


def _parameter(scope: Scope, part: Node) -> tuple[str, Domain]:
    chain, *words = part.children
    at = _position(part)
    aim = chain.children[at]
    if aim.data != "name" or any(str(word) not in WORDS for word in words):
        hint = suggest(str(words[0]), WORDS) if words else ""
        raise scope.error(
            f"a parameter is a name, perhaps with bounds and words: a > 0, 0 < p < 1, n integer{hint}", part
        )
    if not is_satisfiable(map(str, words)):
        raise scope.error(f"nothing is {' and '.join(map(str, words))} at once", part)
    numbers = Builder(scope.text, {}, model_functions())
    bounds = []  # pairs (comparison, number), as in name > 0
    for i, sign in enumerate(chain.children):
        if i % 2:
            left = i < at
            number = numbers.build(chain.children[i - 1] if left else chain.children[i + 1])
            bounds.append((_mirrored(str(sign)) if left else str(sign), number))
    return str(aim.children[0]), _domain(bounds, tuple(map(str, words)))


def _mirrored(sign: str) -> str:
    return {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[sign]


def _domain(bounds: list[tuple[str, Any]], words: tuple[str, ...]) -> Domain:
    signs = {SIGNS[sign] for sign, number in bounds if _implies_sign(sign, number)}
    known = tuple(sorted({*words, *signs}))
    if known in KNOWN and all(number == 0 for _, number in bounds):
        return KNOWN[known]
    told = "".join(f" {sign} {number}" for sign, number in bounds) + phrase(words)
    return Domain(
        f"as declared:{told}",
        known or ("real",),
        lambda x: sp.And(*(COMPARISONS[s](x, number) for s, number in bounds)),
    )


def _implies_sign(sign: str, number: Any) -> bool:
    return bool(number.is_nonnegative) if sign.startswith(">") else bool(number.is_nonpositive)
