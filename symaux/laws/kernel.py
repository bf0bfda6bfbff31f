r"""Extract the kernel of a law: a small scalar law whose parameters stand for the parents' formulas.

Every maximal sub-expression that is free of the value becomes a parameter that inherits its assumptions; pieces that
share a parent are written in common generators ($\sigma$ for both $\sigma^{-2}$ and $\log\sigma$), so a kernel is
still normalised. Nodes with the same kernel share one derivation. Sums and elements of arrays are opaque here.

>>> from symaux.laws.families import normal
>>> from symaux.laws.law import law
>>> a, b, mu = sp.symbols("a b mu", real=True)
>>> z = sp.Symbol("z", real=True)
>>> found = kernel(law(z, normal(z, mu, sp.sqrt(a**2 + b**2 + 1)).density))
>>> sorted(map(str, found.arguments.values()))
['a**2 + b**2 + 1', 'mu']
>>> [p.is_positive for p in found.arguments if found.arguments[p] != mu]
[True]
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import IndexedBase

from symaux.errors import NoRuleApplies
from symaux.formulas.algebra.plate_sums import pull_out_of_sums, sums_containing
from symaux.formulas.symbols.atoms import OPAQUE, atoms
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import Bound
from symaux.formulas.symbols.support import Integers, Interval, bounds
from symaux.laws.law import Law
from symaux.laws.parameter_signs import inherited_sign

CHOSEN = sp.EulerGamma  # replaces generators that are already chosen: as a number, it is not an atom


@dataclass(frozen=True)
class Kernel:
    """A law in parameter symbols, and the formula that each of them stands for."""

    law: Law
    value: Any  # the variable that the kernel's value stands for
    arguments: dict[sp.Symbol, Formula]

    def restored(self, formula: Formula) -> Formula:
        """Return a formula about the kernel as one about the law that it came from."""
        return formula.xreplace(self.inverse)

    @property
    def inverse(self) -> dict[Any, Any]:
        return {self.law.value: self.value, **self.arguments}


def kernel(law: Law) -> Kernel:
    """Return the kernel of a law; that of a named family is the family's own formula."""
    if law.spelling is not None:
        spelling = law.spelling
        return Kernel(spelling.template, law.value, dict(zip(spelling.symbols, spelling.arguments, strict=True)))
    return _extract(law) if law.components or law.origin is not None else _extract_cached(law)


def _with_value_outside(law: Law) -> Law:
    """Return the law with its value moved out of sums over plates, which are opaque here; raise NoRuleApplies if impossible."""
    if not any(sums_containing(f, law.value) for f in law.formulas):
        return law
    made = replace(law, log_density=pull_out_of_sums(law.log_density, law.value))
    if inside := [part for f in made.formulas for part in sums_containing(f, law.value)]:
        raise NoRuleApplies(
            f"{law.value} occurs inside of a sum over a plate: {inside[0]}\n"
            "  try:   mixture(w[k], LAW), if it is a mixture: its parts have forms of their own"
        )
    return made


def _extract(law: Law) -> Kernel:
    law = _with_value_outside(law)
    pieces = {_primitive(piece) for formula in law.formulas for piece in _value_free(formula, law.value)}
    pieces -= {piece for piece in pieces if not atoms(piece)}
    generators = _generators(pieces)
    order = _order_of_appearance(law.formulas, generators)
    symbols = {g: _parameter(f"p{n}", g, law.conditions) for n, g in enumerate(order, 1)}
    value = value_symbol(law)
    replaced = {law.value: value} | {g: s for g, s in symbols.items()} | {-g: -s for g, s in symbols.items()}
    made = replace(
        law,
        value=value,
        log_density=_rewritten(law.log_density, law.value, replaced),
        support=_rewritten_support(law, replaced),
        conditions=(),
        spelling=None,
    )
    conditions = tuple(
        c for c in (_rewritten(c, law.value, replaced) for c in law.conditions) if atoms(c) <= set(symbols.values())
    )
    conditions = tuple(c for c in conditions if c != sp.true)
    return Kernel(replace(made, conditions=conditions), law.value, {s: g for g, s in symbols.items()})


@functools.lru_cache(maxsize=256)
def _extract_cached(law: Law) -> Kernel:
    return _extract(law)


def value_symbol(law: Law) -> sp.Symbol:
    """Return a scalar symbol for the value, with the assumption that the support implies."""
    if isinstance(law.support, Integers):
        known = {"integer": True} | ({"nonnegative": True} if law.support.lower.is_nonnegative else {})
    elif isinstance(law.support, Interval) and law.support.lower.is_nonnegative:
        known = {"positive": True}
    elif isinstance(law.support, Interval) and law.support.upper.is_nonpositive:
        known = {"negative": True}
    else:
        known = {"real": True}
    return sp.Symbol("z", **known)


def _value_free(formula: sp.Basic, value: Formula) -> Iterator[Formula]:
    """Yield the maximal sub-expressions without the value; the free part of a sum or a product counts as one."""
    if _is_free(formula, value):
        if isinstance(formula, sp.Expr):
            yield formula
        return
    if isinstance(formula, sp.Add | sp.Mul):
        free, rest = _split(formula, value)
        yield free
        if rest.func is not formula.func:
            yield from _value_free(rest, value)
            return
        formula = rest
    if formula == value or isinstance(formula, OPAQUE):
        return
    for part in formula.args:
        yield from _value_free(part, value)


def _split(formula: Formula, value: Formula) -> tuple[Formula, Formula]:
    """Split a sum or a product into the part without the value and the rest; an array of the value's name is not the value."""
    free = [arg for arg in formula.args if _is_free(arg, value)]
    rest = [arg for arg in formula.args if not _is_free(arg, value)]
    return formula.func(*free), formula.func(*rest)


def _is_free(formula: sp.Basic, value: Formula) -> bool:
    """Return whether a formula contains neither the value nor the index of an enclosing sum."""
    return value not in atoms(formula) and not _has_index(formula)


def _has_index(formula: sp.Basic) -> bool:
    return any(isinstance(symbol, Bound) for symbol in formula.free_symbols)


def _primitive(piece: Formula) -> Formula:
    """Return the piece without its number factor and sign: -2a - 2b and a + b are the same piece."""
    _, rest = piece.as_content_primitive()
    _, rest = rest.as_coeff_Mul()
    if isinstance(rest, sp.Add) and rest.could_extract_minus_sign():
        return -rest
    return rest


def _generators(pieces: Iterable[Formula]) -> list[Formula]:
    """Return expressions in which all pieces can be written and which share no atom, as large as possible."""
    left = sorted(pieces, key=_size, reverse=True)
    chosen: list[Formula] = []
    while any(atoms(piece) for piece in left):
        for candidate in _candidates(left):
            mark = sp.Dummy()
            written = _written(left, candidate, mark)
            if written is not None:
                chosen.append(candidate)
                number = CHOSEN + len(chosen)  # not one: (p/q)**a would lose its a
                left = [piece.xreplace({mark: number}) if piece.has(mark) else piece for piece in written]
                break
        else:  # cannot happen: an atom always qualifies
            raise AssertionError(left)
    return chosen


def _written(pieces: list[Formula], candidate: Formula, mark: sp.Symbol) -> list[Formula] | None:
    """Return the pieces with a candidate marked; None if one of its atoms occurs elsewhere too."""
    inside, written = atoms(candidate), []
    for piece in pieces:
        if inside & atoms(piece):
            piece = _rewritten(piece, mark, {candidate: mark, -candidate: -mark})
            if inside & atoms(piece):
                return None
        written.append(piece)
    return written


def _candidates(pieces: Iterable[Formula]) -> list[Formula]:
    found: set[Formula] = set()
    stack: list[sp.Basic] = list(pieces)
    while stack:
        expr = stack.pop()
        if isinstance(expr, sp.Expr) and atoms(expr) and not _hides_a_sign(expr) and not _is_bound(expr):
            found.add(_primitive(expr))
        if not isinstance(expr, (sp.Symbol, IndexedBase, *OPAQUE)):
            stack.extend(expr.args)
    return sorted(found, key=_size, reverse=True)


def _is_bound(formula: Formula) -> bool:
    """Return whether a formula contains the index of a sum, or a generator that is already chosen."""
    return formula.has(CHOSEN) or _has_index(formula)


def _hides_a_sign(formula: Formula) -> bool:
    """Return whether a sum with a number, as k - 2 for a positive k, lacks a sign that is known without the number."""
    if not isinstance(formula, sp.Add):
        return False
    number, rest = formula.as_coeff_Add()
    return number != 0 and _signed(rest) and not _signed(formula)


def _signed(formula: Formula) -> bool:
    return bool(formula.is_positive or formula.is_negative)


def _size(formula: Formula) -> tuple[int, str]:
    """Return a sort key, larger for larger formulas: the number of sub-expressions, an opaque sum counting as one."""
    count, stack = 0, [formula]
    while stack:
        expr = stack.pop()
        count += 1
        if not isinstance(expr, (sp.Symbol, *OPAQUE)):
            stack.extend(expr.args)
    return count, str(formula)


def _order_of_appearance(formulas: Iterable[Formula], generators: list[Formula]) -> list[Formula]:
    text = " ".join(map(str, formulas))

    def place(generator: Formula) -> tuple[int, str]:
        where = min((text.find(str(a)) for a in atoms(generator)), default=0)
        return where, str(generator)

    return sorted(generators, key=place)


def _parameter(name: str, stands_for: Formula, conditions: Iterable[Any]) -> sp.Symbol:
    sign = inherited_sign(stands_for, conditions)
    known = {sign: True} if sign else {"real": True}
    if stands_for.is_integer:
        known["integer"] = True
    return sp.Symbol(name, **known)


def _rewritten(formula: Any, value: Formula, replaced: dict[Any, Any]) -> Any:
    """Return the formula with generators replaced, also where a generator is the free part of a larger sum or
    product."""
    if formula in replaced:
        return replaced[formula]
    if not formula.args or isinstance(formula, OPAQUE):
        return formula
    if isinstance(formula, sp.Add | sp.Mul):
        free, rest = _split(formula, value)
        if free not in (0, 1) and rest not in (0, 1):
            return formula.func(_rewritten(free, value, replaced), _rewritten(rest, value, replaced))
        content, primitive = formula.as_content_primitive()
        if content != 1 and primitive != formula:
            return content * _rewritten(primitive, value, replaced)
    return formula.func(*(_rewritten(arg, value, replaced) for arg in formula.args))


def _rewritten_support(law: Law, replaced: dict[Any, Any]) -> Any:
    if not bounds(law.support):
        return law.support
    lower, upper = (_rewritten(bound, law.value, replaced) for bound in bounds(law.support))
    return replace(law.support, lower=lower, upper=upper)
