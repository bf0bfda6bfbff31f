"""Define plates and arrays: sympy's index notation is the tensor language of symaux.

A *plate* is a sympy ``Idx`` with a range that starts at 0; an *array* is an ``IndexedBase``.

>>> theta = arrays("theta")
>>> j = plate("j", 8)
>>> theta[j]
theta[j]
>>> extent(j), extent(plate("n"))
(8, size_n)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast, overload

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed, IndexedBase

from symaux.errors import ModelError
from symaux.formulas.symbols.formula import Formula

SIZE_PREFIX = "size_"


class Bound(sp.Symbol):
    """A variable that a function binds, like the variable of an integral: it is not free in the formula."""


def plate(name: str, size: int | None = None) -> Idx:
    """Return the index ``name`` of a plate of ``size`` elements; without a size, the shapes of the data determine it.

    >>> plate("j", 8).upper
    7
    """
    if not isinstance(name, str) or not name:
        raise ModelError(f"a plate needs a name, not {name!r}")
    if size is None:
        return cast(Idx, Idx(name, sp.Symbol(SIZE_PREFIX + name, integer=True, positive=True)))
    if isinstance(size, bool) or not isinstance(size, int | sp.Integer) or int(size) < 1:
        raise ModelError(f"plate {name}: its size must be an integer of at least 1, not {size!r}")
    return cast(Idx, Idx(name, int(size)))


@overload
def arrays(names: str, **assumptions: Any) -> Any: ...
@overload
def arrays(names: list[str], **assumptions: Any) -> tuple[IndexedBase, ...]: ...
def arrays(names: str | list[str], **assumptions: Any) -> IndexedBase | tuple[IndexedBase, ...]:
    """Return real arrays with the given names: for one name the array itself, for several a tuple.

    >>> y, sigma = arrays("y sigma", positive=True)
    >>> sigma[plate("j", 3)].is_positive
    True
    """
    listed = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    if not listed:
        raise ModelError("sa.arrays needs at least one name")
    known: dict[str, Any] = {"real": True, **assumptions}
    named = tuple(cast(IndexedBase, IndexedBase(name, **known)) for name in listed)
    return named[0] if isinstance(names, str) and len(named) == 1 else named


def extent(index: Idx) -> Formula:
    """Return the number of elements of a plate, or the symbol of its size."""
    return index.upper - index.lower + 1  # pyright: ignore[reportOptionalOperand]  # a plate has a range


def is_size(symbol: sp.Basic) -> bool:
    """Return whether the symbol is the size of a plate that the data determine."""
    return isinstance(symbol, sp.Symbol) and symbol.name.startswith(SIZE_PREFIX) and bool(symbol.is_integer)


def label(index: Idx) -> str:
    """Return the name of a plate.

    >>> label(plate("j", 8))
    'j'
    """
    return str(index.label)


def name_of(target: sp.Basic | str) -> str:
    """Return the name of a variable, an element of it, or an array.

    >>> name_of(arrays("z")[0]), name_of(sp.Symbol("mu")), name_of("mu")
    ('z', 'mu', 'mu')
    """
    match target:
        case str():
            return target
        case Indexed():
            return str(target.base.label)  # pyright: ignore[reportAttributeAccessIssue]  # sympy says Basic, not IndexedBase
        case IndexedBase():
            return str(target.label)
        case sp.Symbol():
            return target.name
    raise ModelError(f"expected a symbol, an array or an element of an array, not {target!r}")


def indices_of(target: sp.Basic) -> tuple[Formula, ...]:
    """Return the indices as written: ``z[t, 0]`` gives ``(t, 0)``; a scalar gives ``()``."""
    return tuple(target.indices) if isinstance(target, Indexed) else ()


def references(formula: sp.Basic) -> Iterator[Formula]:
    """Yield every variable or element that a formula reads, with repeats: symbols and indexed arrays, no plates.

    A gather reads the array and its index: ``alpha[county[i]]`` refers to both.

    >>> alpha, county = arrays("alpha"), arrays("county", integer=True)
    >>> sorted(map(str, references(2*alpha[county[plate("i", 3)]])))
    ['alpha[county[i]]', 'county[i]']
    """
    stack: list[sp.Basic] = [formula]
    while stack:
        match stack.pop():
            case Idx():
                pass
            case Indexed() as element:
                yield element
                stack.extend(element.indices)
            case sp.Symbol() as symbol:
                if not is_size(symbol) and not isinstance(symbol, Bound):
                    yield symbol
            case other:
                stack.extend(other.args)


def free_plates(formula: sp.Basic) -> set[Idx]:
    """Return the plates that are free in a formula: those not bound by a ``Sum`` or another reduction."""
    free: set[Idx] = set()
    stack: list[tuple[sp.Basic, frozenset[Idx]]] = [(formula, frozenset())]
    while stack:
        expr, bound = stack.pop()
        if isinstance(expr, Idx):
            if expr not in bound:
                free.add(expr)
            continue
        inner = bound | frozenset(bound_plates(expr))
        stack.extend((arg, inner) for arg in expr.args if not isinstance(arg, IndexedBase))
    return free


def as_lag(index: Formula) -> tuple[Idx, int] | None:
    """Return ``(t, 2)`` for an index ``t - 2`` and ``(t, 0)`` for ``t``; None for anything else.

    >>> t = plate("t", 10)
    >>> as_lag(t - 2), as_lag(sp.Integer(3))
    ((t, 2), None)
    """
    if isinstance(index, Idx):
        return index, 0
    if isinstance(index, sp.Add) and len(index.args) == 2:
        shift, inner = index.as_coeff_Add()
        if isinstance(inner, Idx) and shift.is_Integer:
            return inner, -int(shift)
    return None


def is_gather(index: Formula) -> bool:
    """Return whether an index is itself an element of an array, or a variable: neither a plate, a lag nor a number."""
    return not index.is_Integer and as_lag(index) is None


def names_outside_indices(formula: sp.Basic) -> Iterator[str]:
    """Yield the names of the variables that a formula reads outside of any index.

    >>> alpha, county, i = arrays("alpha"), arrays("county", integer=True), plate("i", 3)
    >>> list(names_outside_indices(sp.exp(alpha[county[i]])))
    ['alpha']
    """
    stack: list[sp.Basic] = [formula]
    while stack:
        match stack.pop():
            case Idx():
                pass
            case (Indexed() | sp.Symbol()) as element:
                yield name_of(element)
            case other:
                stack.extend(other.args)


def bound_plates(formula: sp.Basic) -> tuple[Any, ...]:
    """Return the plates that the outermost node binds, which is a ``Sum`` or an array function."""
    if isinstance(formula, sp.Sum):
        return tuple(formula.variables)
    return tuple(getattr(formula, "bound_plates", ()))


def at_index(formula: Any, plate: Idx, index: Any) -> Any:
    """Return the formula with a free plate replaced by an index; a sum over the same plate keeps its own.

    >>> w, k = arrays("w"), plate("k", 3)
    >>> at_index(w[k]/sp.Sum(w[k], k), k, sp.Integer(0))
    w[0]/Sum(w[k], (k, 0, 2))
    """
    if formula == plate:
        return index
    if not formula.args or isinstance(formula, IndexedBase | Idx) or plate in bound_plates(formula):
        return formula
    return formula.func(*(at_index(arg, plate, index) for arg in formula.args))


def rename_variable(value: Any, name: str, like: Any) -> Any:
    """Return a variable with the indices of ``value`` and the sign of ``like``.

    >>> rename_variable(IndexedBase("z")[0], "eps_z", sp.Symbol("e", positive=True)).is_positive
    True
    """
    sign = "positive" if like.is_positive else "negative" if like.is_negative else "real"
    known: dict[str, Any] = {sign: True}
    if isinstance(value, Indexed):
        array: Formula = cast(Formula, IndexedBase(name, **{"real": True, **known}))
        return array[indices_of(value)]
    return sp.Symbol(name, **known)
