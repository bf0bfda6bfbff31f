r"""Lower sums over plates: factors free of the plate move out, products contract, constants are multiplied by the length.

$\sum_k W_{ik} z_{nk}$ is one ``einsum``; $\sum_j (-\tfrac12 \varepsilon_j^2 - c)$ is ``-0.5 * jnp.sum(...) - c * size_j``.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any, cast

import sympy as sp

from symaux.codegen.lower.arithmetic import is_below_zero, is_constant
from symaux.codegen.lower.array_code import ATOM, Piece, add, align, call, multiply, negate, union_axes
from symaux.codegen.lower.broadcast import broadcast
from symaux.codegen.lower.fused_terms import fused_sum, softplus_term, split_fusable
from symaux.codegen.lower.scope import Lower, Scope
from symaux.errors import ModelError
from symaux.formulas.symbols.indices import extent, free_plates, label
from symaux.formulas.symbols.log import log_modulus


def lower_sum(summand: Any, limits: Sequence[Any], scope: Scope, lower: Lower) -> Piece:
    """Return the code of a sum over whole plates; raise ModelError for other limits."""
    plates = tuple(limit[0] for limit in limits)
    for plate, low, high in limits:
        if low != 0 or high != extent(plate) - 1:
            raise ModelError(f"Sum over {plate} from {low} to {high}: a sum runs over a whole plate")
    return sum_over(summand, tuple(map(label, plates)), scope.within(*plates), lower)


def sum_over(summand: Any, over: tuple[str, ...], scope: Scope, lower: Lower) -> Piece:
    """Return the code of the sum of a formula over the plates in ``over``, term by term."""
    if isinstance(summand, sp.Add) and not summand.is_number:
        whole, others = split_fusable(ordered_terms(summand), over)
        made = [_lower_fused(whole, over, scope, lower)] if whole else []
        return add([*made, *(sum_over(term, over, scope, lower) for term in others)], scope.order)
    number, factors = (summand, ()) if summand.is_number else summand.as_coeff_mul()
    inside = [f for f in factors if {label(p) for p in free_plates(f)} & set(over)]
    outside = [f for f in factors if f not in inside]
    below_zero = is_below_zero(number)
    size = -number if below_zero else number
    pieces = [*_outside(size, outside, scope, lower), *_inside(inside, over, scope, lower)]
    made = multiply(pieces, scope.order) if pieces else Piece("1")
    return negate(made) if below_zero else made


def _lower_fused(whole: Sequence[Any], over: tuple[str, ...], scope: Scope, lower: Lower) -> Piece:
    """Return the code of terms over the same plates, added and then summed."""
    term = fused_sum(whole)
    piece = lower(term, scope)
    rest = tuple(axis for axis in piece.axes if axis not in over)
    if rest or len(over) == 1 or not term.has(softplus_term):
        return _summed(piece, tuple(axis for axis in piece.axes if axis in over))
    scope.use("total")
    return Piece(f"total({piece.code})")


def ordered_terms(summand: sp.Add) -> list[Any]:
    """Return the terms of a sum in a fixed order, with numbers combined into the last one."""
    numbers = [term for term in summand.args if is_constant(term)]  # Sum(2, k) is not one: it has a plate
    ordered = cast(list[Any], summand.as_ordered_terms())
    rest = [term for term in ordered if not is_constant(term)]
    return [*rest, *([sp.Add(*numbers, evaluate=True)] if numbers else [])]


def _outside(number: Any, factors: list[Any], scope: Scope, lower: Lower) -> list[Piece]:
    product = sp.Mul(number, *factors)
    return [] if product == 1 else [lower(product, scope)]


def _inside(factors: list[Any], over: tuple[str, ...], scope: Scope, lower: Lower) -> list[Piece]:
    """Return the contraction of factors, and the lengths of the plates that none of them depends on."""
    pieces = [lower(factor, scope) for factor in factors]
    present = {axis for piece in pieces for axis in piece.axes}
    counts = [Piece(scope.length(plate)) for plate in over if plate not in present]
    if not pieces:
        return counts
    axes = union_axes(pieces, scope.order)
    summed = tuple(axis for axis in axes if axis in over)
    if all(set(piece.axes) == set(axes) for piece in pieces) or len(pieces) == 1:
        return [*counts, _summed(lower(sp.Mul(*factors), scope), summed)]
    out = tuple(a for a in axes if a not in over)
    made = scope.product(pieces, summed, out) if scope.product else None
    return [*counts, made or _einsum(pieces, out)]


def _summed(piece: Piece, over: tuple[str, ...]) -> Piece:
    rest = tuple(axis for axis in piece.axes if axis not in over)
    if not rest:
        return Piece(f"jnp.sum({piece.code})")
    positions = tuple(piece.axes.index(axis) for axis in over)
    where = positions[0] if len(positions) == 1 else positions
    return Piece(f"jnp.sum({piece.code}, axis={where})", rest)


def _einsum(pieces: Sequence[Piece], out: tuple[str, ...]) -> Piece:
    letters = _letters(axis for piece in pieces for axis in piece.axes)
    pattern = ",".join("".join(letters[a] for a in piece.axes) for piece in pieces)
    result = "".join(letters[a] for a in out)
    operands = ", ".join(piece.code for piece in pieces)
    return Piece(f"jnp.einsum('{pattern}->{result}', {operands})", out)


def _letters(axes: Any) -> dict[str, str]:
    """Return one letter for each plate: its own name if that is a single unused letter."""
    chosen: dict[str, str] = {}
    for axis in axes:
        if axis not in chosen:
            own = axis if len(axis) == 1 and axis in string.ascii_letters else None
            spare = (c for c in string.ascii_letters if c not in chosen.values())
            chosen[axis] = own if own and own not in chosen.values() else next(spare)
    return chosen


def is_sum_of_exponentials(formula: Any) -> bool:
    """Return whether log(formula) should be a log-sum-exp: each term has a varying exponential or is a positive number."""
    if isinstance(formula, sp.Sum):
        return bool(_exponential(formula.function)[0])
    if not isinstance(formula, sp.Add):
        return False
    varying = [bool(_exponential(term)[0]) for term in formula.args]
    return any(varying) and all(v or term.is_positive for v, term in zip(varying, formula.args, strict=True))


def _exponential(term: Any) -> tuple[Any, Any]:
    """Return a term as (exponent, weight), for weight * exp(exponent); the exponent is 0 if there is none."""
    factors: tuple[Any, ...] = sp.Mul.make_args(term)
    exponents: list[Any] = [f.args[0] for f in factors if isinstance(f, sp.exp)]
    return sp.Add(*exponents), sp.Mul(*(f for f in factors if not isinstance(f, sp.exp)))


def lower_log_sum_exp(formula: Any, scope: Scope, lower: Lower) -> Piece:
    """Return the code of log(Σ w exp(a)), without overflow, whatever the signs of the weights."""
    if isinstance(formula, sp.Sum):
        return _over_plates(formula, scope, lower)
    pairs = [_exponential(term) for term in formula.as_ordered_terms()]
    if len(pairs) == 2 and all(weight.is_positive for _, weight in pairs):
        both = [lower(exponent + log_modulus(weight), scope) for exponent, weight in pairs]
        return call("jnp.logaddexp({0}, {1})", both, scope.order)
    tops, tails = ([lower(part, scope) for part in parts] for parts in zip(*pairs, strict=True))
    axes = union_axes([*tops, *tails], scope.order)
    a, b = (", ".join(align(p, axes, full=bool(p.axes)).code for p in part) for part in (tops, tails))
    scope.use("mixed")
    return Piece(f"mixed(({a}), ({b}))", axes)


def _over_plates(formula: sp.Sum, scope: Scope, lower: Lower) -> Piece:
    plates: tuple[Any, ...] = tuple(limit[0] for limit in formula.limits)
    inner, names = scope.within(*plates), tuple(map(label, plates))
    top, tail = (lower(part, inner) for part in _exponential(formula.function))
    axes = union_axes([top, tail, Piece("", names)], inner.order)
    top = align(broadcast(top, axes, inner), axes)
    where = tuple(axes.index(name) for name in names)
    weight = "" if tail.code == "1" else f", b={align(tail, axes).code}"
    axis = where[0] if len(where) == 1 else where
    code = f"special.logsumexp({top.code}, axis={axis}{weight})"
    return Piece(code, tuple(a for a in axes if a not in names), ATOM)
