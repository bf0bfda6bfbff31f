r"""Tell names apart as a reader does: two things under one name, or under names that look alike, are refused.

sympy tells symbols apart by identity, which includes their assumptions, and a reader by the name that is printed: with two
symbols called a, or with K and the Kelvin sign, a formula on the page is not the formula that was proved.

>>> a, b = sp.Symbol("a", real=True), sp.Symbol("a", positive=True)
>>> print(describe_clash([a + 1, b]))
a stands for two symbols with different assumptions: positive and real; make the symbol once and use it everywhere
>>> print(describe_clash([sp.Symbol("K"), sp.Symbol("\u212a")]))
the names 'K' and '\u212a' (U+212A KELVIN SIGN) look alike; rename one of them
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed, IndexedBase

from symaux.errors import LawError, SymauxError
from symaux.formulas.symbols.indices import Bound, extent, is_size, name_of

# What looks like an ASCII character and is not one after NFKC normalisation. Letters that are clearly Greek beside a Latin one,
# as α and γ are beside a and y, are not here: models have both.
_LIKE_ASCII = {
    **dict(zip("νικρυχοϲ", "vikpuxoc", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "ABEZHIKMNOPTYXC", strict=True)),
    **dict(zip("аеорсухіјѕԁԛԝһӏүҽь", "aeopcyxijsdqwhlyeb", strict=True)),
    **dict(zip("АВЕКМНОРСТУХІЈЅԌԚԜҮ", "ABEKMHOPCTYXIJSGQWY", strict=True)),
    **dict(zip("օոսցհզյՍՏՕԼ", "onughqjUSOL", strict=True)),
    **dict(zip("ıɩɑɡɪʏᴠᴡᴢƅƖǀ", "iiagiyvwzbIl", strict=True)),
    **dict(zip("‐‑‒–—−’‘′ʹʼ", "------" + "'" * 5, strict=True)),
}
_TABLE = str.maketrans(_LIKE_ASCII)
_INVISIBLE = frozenset({"Cf", "Cc", "Cn", "Co", "Cs", "Zl", "Zp"})


def skeleton(name: str) -> str:
    """Return a text that is equal for names which a reader cannot tell apart.

    >>> skeleton("\u212a") == skeleton("K"), skeleton("eps_z\u200b") == "eps_z", skeleton("\u0435ps_z") == "eps_z"
    (True, True, True)
    >>> skeleton("ν") == "v", skeleton("σ") == "s", skeleton("x_1") == skeleton("x1")
    (True, False, False)
    """
    if name.isascii() and name.isidentifier():
        return name
    plain = unicodedata.normalize("NFKC", name).translate(_TABLE)
    seen = "".join(c for c in plain if unicodedata.category(c) not in _INVISIBLE and not _selects_variant(c))
    return " ".join(unicodedata.normalize("NFKC", seen).split())


def _selects_variant(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef" or character == "\u034f"


def named_things(formula: Any) -> Iterator[Any]:
    """Yield the symbols, arrays and plates of a formula, with repeats; names that a function binds are its own."""
    stack: list[tuple[Any, frozenset[Any]]] = [(formula, frozenset())]
    while stack:
        expr, bound = stack.pop()
        match expr:
            case Idx() as plate:
                yield plate
            case Indexed() as element:
                yield element.base
                stack.extend((index, bound) for index in element.indices)
            case IndexedBase() as array:
                yield array
            case sp.Symbol() as symbol:
                if symbol not in bound and not is_size(symbol) and not isinstance(symbol, Bound):
                    yield symbol
            case sp.Sum() | sp.Product() | sp.Integral():
                inner = bound | {v for v in expr.variables if not isinstance(v, Idx)}
                stack.extend((arg, inner) for arg in expr.args)
            case sp.Basic():
                stack.extend((arg, bound) for arg in expr.args)


def describe_clash(formulas: Iterable[Any]) -> str | None:
    """Return a sentence about two things under one name, or under names that look alike; None if there are none."""
    seen: dict[str, Any] = {}
    arrays: dict[str, Any] = {}
    elements: dict[str, Any] = {}
    for formula in formulas:
        for thing in named_things(formula):
            key = skeleton(_name(thing))
            known = seen.setdefault(key, thing)
            if known is not thing and known != thing:
                return _sentence(known, thing)
            if isinstance(thing, IndexedBase):
                arrays[key] = thing
            elif "[" in key:
                elements[key.split("[", 1)[0].strip()] = thing
    for key in sorted(elements.keys() & arrays.keys()):
        return f"the symbol {_name(elements[key])!r} looks like an element of the array {key}; rename one of them"
    return None


def check_names(formulas: Iterable[Any], what: str = "", error: type[SymauxError] = LawError) -> None:
    """Raise an error that names both, if a reader would take two things in these formulas for one."""
    sentence = describe_clash(formulas)
    if sentence is not None:
        raise error(f"{what}: {sentence}" if what else sentence)


def taken_name(name: str, formulas: Iterable[Any]) -> str | None:
    """Return the name in these formulas that a new name equals, or looks like; None if the new name is fresh.

    >>> taken_name("eps_z", [sp.Symbol("eps_z", positive=True) + 1]), taken_name("eps_z", [sp.Symbol("eps_y")])
    ('eps_z', None)
    """
    key = skeleton(name)
    for formula in formulas:
        for thing in named_things(formula):
            if skeleton(_name(thing)).split("[", 1)[0].strip() == key:
                return _name(thing)
    return None


def _name(thing: Any) -> str:
    return str(thing.label) if isinstance(thing, Idx) else name_of(thing)


def _sentence(one: Any, other: Any) -> str:
    first, second = sorted((one, other), key=lambda t: (not _name(t).isascii(), _name(t), _assumed(t)))
    name = _name(first)
    if name != _name(second):
        return f"the names {_spelled(name)} and {_spelled(_name(second))} look alike; rename one of them"
    match first, second:
        case Idx(), Idx():
            return (
                f"{name} stands for two plates, of {_size(first)} and of {_size(second)} elements; make the plate once"
            )
        case (Idx(), _) | (_, Idx()):
            return f"{name} is used both as a plate and as a variable; rename one of them"
    if isinstance(first, IndexedBase) is not isinstance(second, IndexedBase):
        return f"{name} is used both as a scalar and as an array; rename one of them"
    return (
        f"{name} stands for two symbols with different assumptions: {_assumed(first)} and {_assumed(second)};"
        " make the symbol once and use it everywhere"
    )


def _size(plate: Idx) -> Any:
    return extent(plate) if plate.upper is not None else "unknown"


def _spelled(name: str) -> str:
    """Return a name in quotes, with the code points that are not ASCII."""
    odd = [f"U+{ord(c):04X} {unicodedata.name(c, 'a control character')}" for c in name if not c.isascii()]
    return f"{name!r} ({', '.join(odd)})" if odd else repr(name)


def _assumed(thing: Any) -> str:
    symbol = getattr(thing, "label", thing)
    known = getattr(symbol, "_assumptions_orig", {})
    return ", ".join(sorted(word for word, holds in known.items() if holds)) or "no assumptions"


__all__ = ["check_names", "describe_clash", "named_things", "skeleton", "taken_name"]
