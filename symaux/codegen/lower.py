r"""Lowering: a formula in index notation becomes an array expression; sums become contractions, indices axes.

>>> from symaux.indices import arrays, plate
>>> W, z, n, i, k = *arrays("W z"), plate("n"), plate("i", 3), plate("k", 3)
>>> scope = Scope({"W": "W", "z": "z"}, size=lambda p: f"size_{p}", order=("n", "i"))
>>> lower(sp.tanh(sp.Sum(W[i, k]*z[n, k], k)), scope).code
"jnp.tanh(jnp.einsum('ik,nk->ni', W, z))"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or
from sympy.tensor.indexed import Idx, Indexed

from symaux.calculus.chebyshev import ChebyshevPieces
from symaux.calculus.layers import Chain
from symaux.calculus.sums import Series
from symaux.codegen import contract
from symaux.codegen.branches import guarded
from symaux.codegen.calls import library_call
from symaux.codegen.pieces import (
    ATOM,
    COMPARISON,
    PRODUCT,
    SUM,
    UNARY,
    Piece,
    add,
    aligned,
    call,
    multiply,
    negative,
    union,
)
from symaux.codegen.read import read
from symaux.codegen.scope import Scope
from symaux.codegen.table import FUNCTIONS, LIBRARY, RELATIONS
from symaux.errors import UnknownFunction
from symaux.functions import DiscreteQuantile, ImplicitQuantile, ndtr
from symaux.indices import is_size, label
from symaux.kernel import atoms
from symaux.support import REALS
from symaux.vectors.array_functions import ArrayFunction, Normalised, StickBreaking


def lower(formula: Any, scope: Scope) -> Piece:
    """The code of a formula, with the plates along its axes."""
    if formula in scope.slots:
        return scope.slots[formula]
    match formula:
        case Idx():
            return _plate(formula, scope)
        case Indexed():
            return read(formula, scope, lower)
        case sp.Symbol():
            return _symbol(formula, scope)
        case _ if is_constant(formula):
            return literal(formula)
        case sp.Add():
            return add([lower(term, scope) for term in contract.terms(formula)], scope.order)
        case sp.Mul():
            return _product(formula, scope)
        case sp.Pow():
            return _power(formula, scope)
        case sp.Sum():
            return contract.total(formula.function, formula.limits, scope, lower)
        case sp.Piecewise():
            return _piecewise(formula, scope)
        case Series():
            return _series(formula, scope)
        case sp.Max() | sp.Min():
            return _extreme(formula, scope)
        case Relational() | And() | Or() | Not() | BooleanTrue() | BooleanFalse():
            return _condition(formula, scope)
        case sp.KroneckerDelta():
            return _delta(formula, scope)
        case ArrayFunction():
            return _array_function(formula, scope, formula.function)
        case sp.log() if isinstance(formula.args[0], StickBreaking | Normalised):
            return _array_function(formula.args[0], scope, f"log_{formula.args[0].function}")
        case ImplicitQuantile():
            return _implicit(formula, scope)
        case ChebyshevPieces():
            return _chebyshev(formula, scope)
        case DiscreteQuantile():
            return _discrete_quantile(formula, scope)
        case sp.log() if contract.is_sum_of_exponentials(formula.args[0]):
            return contract.log_sum_exp(formula.args[0], scope, lower)
        case sp.log() if isinstance(formula.args[0], sp.besseli) and formula.args[0].args[0] in (0, 1):
            return _log_bessel(formula.args[0], scope)
        case sp.besseli() if formula.args[0] in (0, 1):
            return call(f"special.i{formula.args[0]}({{0}})", [lower(formula.args[1], scope)], scope.order)
        case sp.log() if isinstance(formula.args[0], sp.hyper):
            return _log_hyper(formula.args[0], scope)
        case sp.hyper():
            return call("jnp.exp({0})", [_log_hyper(formula, scope)], scope.order)
        case sp.beta() | sp.binomial():
            return lower(_in_gammas(formula), scope)
        case sp.polygamma():
            return _polygamma(formula, scope)
    if (found := library_call(formula)) is not None:
        return _library(*found, scope)
    template = FUNCTIONS.get(type(formula))
    if template is None:
        raise UnknownFunction(
            f"no JAX code for {type(formula).__name__} in {formula}\n"
            f"  known: {', '.join(sorted({f.__name__ for f in (*FUNCTIONS, *LIBRARY)}))}\n"
            "  try:   write it with these functions"
        )
    return call(template, [lower(arg, scope) for arg in formula.args], scope.order)


def _library(name: str, arguments: Sequence[Any], scope: Scope) -> Piece:
    scope.use(name)
    places = ", ".join(f"{{{number}}}" for number in range(len(arguments)))
    return call(f"{name}({places})", [lower(argument, scope) for argument in arguments], scope.order)


def is_constant(formula: Any) -> bool:
    """Whether a formula is a number: no variable, no plate, no size."""
    if formula.is_Number or formula.is_NumberSymbol:
        return True
    return not formula.has(Idx) and not formula.free_symbols and isinstance(formula, sp.Expr) and formula.is_number


def literal(formula: Any) -> Piece:
    """The number as Python prints it; a Python number takes the dtype of what it meets."""
    if formula in (sp.oo, -sp.oo):
        return Piece("jnp.inf" if formula == sp.oo else "-jnp.inf", (), ATOM if formula == sp.oo else PRODUCT)
    value = int(formula) if formula.is_Integer and abs(formula) < 2**31 else float(formula)
    return Piece(repr(value), (), PRODUCT if value < 0 else ATOM)


def _symbol(symbol: sp.Symbol, scope: Scope) -> Piece:
    if is_size(symbol):
        return Piece(scope.size(symbol.name.removeprefix("size_")))
    if scope.reader and (piece := scope.reader(symbol, scope)):
        return piece
    return Piece(scope.names[symbol.name])


def _plate(plate: Idx, scope: Scope) -> Piece:
    name, first = label(plate), scope.first(label(plate))
    if scope.reader and (piece := scope.reader(plate, scope)):
        return piece
    ends = f"{first}, {scope.size(name)}" if first else scope.size(name)
    return Piece(f"jnp.arange({ends}, dtype=float)", (name,))


def _product(product: sp.Mul, scope: Scope) -> Piece:
    number, factors = product.as_coeff_mul()
    constants = [factor for factor in factors if is_constant(factor)]
    if constants:
        number, factors = number * sp.Mul(*constants), [f for f in factors if f not in constants]
    above, below = [], []
    for factor in sorted(factors, key=sp.default_sort_key):
        base, exponent = factor.as_base_exp()
        if isinstance(factor, sp.Pow) and exponent.could_extract_minus_sign():
            below.append(lower(base**-exponent, scope))
        else:
            above.append(lower(factor, scope))
    size = abs(number)
    if size.is_Rational and size.p == 1 and size.q != 1 and size.q < 2**31 and above and size.q != 2:
        below.insert(0, literal(sp.Integer(size.q)))
    elif size != 1 or not above:
        above.insert(0, literal(size))
    made = multiply(above, scope.order, below)
    return negative(made) if number.is_negative else made


def _power(power: sp.Pow, scope: Scope) -> Piece:
    base, exponent = power.args
    if exponent.could_extract_minus_sign():
        return multiply([], scope.order, [lower(base**-exponent, scope)])
    inner = lower(base, scope)
    match exponent:
        case sp.Integer() if exponent == 2:
            return call("jnp.square({0})", [inner], scope.order)
        case sp.Rational() if exponent == sp.S.Half:
            return call("jnp.sqrt({0})", [inner], scope.order)
    outer = lower(exponent, scope)
    axes = union([inner, outer], scope.order)
    code = f"{aligned(inner, axes).tight(ATOM)} ** {aligned(outer, axes).tight(ATOM)}"
    return Piece(code, axes, UNARY)


def _piecewise(formula: sp.Piecewise, scope: Scope) -> Piece:
    *cases, (last, where, guard) = guarded([tuple(branch) for branch in formula.args])
    made = lower(last, _inside(guard, scope))
    if where != sp.true:
        made = _where(lower(where, scope), made, Piece("jnp.nan"), scope)
    for branch, condition, guard in reversed(cases):
        made = _where(lower(condition, scope), lower(branch, _inside(guard, scope)), made, scope)
    return made


def _inside(guard: Any, scope: Scope) -> Scope:
    """The scope of a branch, in which its variable is harmless where the branch is not taken."""
    if guard is None:
        return scope
    name, variable, taken, otherwise = guard
    return scope.with_slots({name: _where(*(lower(part, scope) for part in (taken, variable, otherwise)), scope)})


def _where(condition: Piece, then: Piece, otherwise: Piece, scope: Scope) -> Piece:
    return call("jnp.where({0}, {1}, {2})", [condition, then, otherwise], scope.order)


def _condition(formula: Any, scope: Scope) -> Piece:
    match formula:
        case BooleanTrue() | BooleanFalse():
            return Piece(str(bool(formula)))
        case Not():
            return call("~({0})", [lower(formula.args[0], scope)], scope.order)
        case And() | Or():
            sign = " & " if isinstance(formula, And) else " | "
            parts = [lower(arg, scope) for arg in sorted(formula.args, key=sp.default_sort_key)]
            axes = union(parts, scope.order)
            return Piece(sign.join(aligned(p, axes).tight(ATOM) for p in parts), axes, COMPARISON)
    left, right = (lower(arg, scope) for arg in formula.args)
    axes = union([left, right], scope.order)
    code = f"{aligned(left, axes).tight(SUM)} {RELATIONS[type(formula)]} {aligned(right, axes).tight(SUM)}"
    return Piece(code, axes, COMPARISON)


def _extreme(formula: Any, scope: Scope) -> Piece:
    name = "maximum" if isinstance(formula, sp.Max) else "minimum"
    made, *rest = (lower(arg, scope) for arg in sorted(formula.args, key=sp.default_sort_key))
    for piece in rest:
        made = call(f"jnp.{name}({{0}}, {{1}})", [made, piece], scope.order)
    return made


def _delta(formula: sp.KroneckerDelta, scope: Scope) -> Piece:
    left, right = (lower(arg, scope) for arg in formula.args)
    axes = union([left, right], scope.order)
    code = f"({aligned(left, axes).tight(SUM)} == {aligned(right, axes).tight(SUM)}).astype(float)"
    return Piece(code, axes)


def _array_function(formula: ArrayFunction, scope: Scope, function: str) -> Piece:
    """A call of a function of whole arrays; other plates are axes in front, over which it is vectorised."""
    inner = scope.within(*formula.plates)
    names = [label(plate) for plate in formula.plates]
    batch = tuple(axis for axis in inner.order if axis not in names)
    given = []
    for operand, positions in zip(formula.operands, formula.along, strict=True):
        core = tuple(names[p] for p in positions)
        piece = lower(operand, inner)
        missing = tuple(axis for axis in core if axis not in piece.axes)
        piece = broadcast(aligned(piece, tuple(a for a in inner.order if a in piece.axes)), missing, inner)
        given.append(aligned(piece, (*batch, *core)))
    scope.use(function)
    axes = tuple(a for a in batch if any(a in piece.axes for piece in given))
    arguments = ", ".join([*(piece.code for piece in given), *map(repr, formula.words)])
    return Piece(f"{function}({arguments})", (*axes, *map(label, formula.results)))


def _implicit(formula: ImplicitQuantile, scope: Scope) -> Piece:
    """The density as a function of its variable and of what it reads, so that gradients reach all of it."""
    u, variable, log_density = formula.args
    read = sorted(atoms(log_density) - {variable}, key=sp.default_sort_key)
    names = {atom: sp.Symbol(f"p{number}", real=True) for number, atom in enumerate(read)}
    inner = Scope({s.name: s.name for s in (*names.values(), sp.Symbol("t"))}, scope.size, use=scope.use)
    body = lower(log_density.xreplace({**names, variable: sp.Symbol("t", real=True)}), inner)
    given = [lower(u, scope), lower(complement(u), scope), *(lower(atom, scope) for atom in read)]
    axes = union(given, scope.order)
    scope.use("implicit_quantile")
    arguments = ", ".join(aligned(piece, axes).code for piece in given)
    signature = ", ".join(["t", *(s.name for s in names.values())])
    corners = _breaks(log_density, variable, names, inner)
    return Piece(f"implicit_quantile(lambda {signature}: {body.code}, {corners}, {arguments})", axes)


def _breaks(log_density: Any, variable: Any, names: dict[Any, Any], scope: Scope) -> str:
    """Where the density may have corners, as a function of what it reads: h(t) is a whole number in floor(h(t))."""
    steps = [e.args[0] for e in log_density.atoms(sp.floor) if e.has(variable)]
    lines = {x for step in steps for x in (step.args if isinstance(step, sp.Min) else (step,))}
    chains = [Chain.of(x, variable, REALS) for x in sorted(lines, key=str)]
    inverses = [c.inverse(sp.Symbol("whole", real=True)).xreplace(names) for c in chains if c is not None]
    if not inverses:
        return "None"
    inner = replace(scope, names=scope.names | {"whole": "whole"})
    places = ", ".join(f"lambda whole: {lower(inverse, inner).code}" for inverse in inverses)
    scope.use("corners_at")
    return f"lambda {', '.join(s.name for s in names.values())}: corners_at({places})"


def _series(formula: Series, scope: Scope) -> Piece:
    """A sum over a bound index: a loop of fixed length, however many terms count."""
    term, index, low, high = formula.args
    if term.has(Series):
        raise UnknownFunction(f"no JAX code for a sum within a sum: {formula}")
    body = lower(term, scope.with_slots({index: Piece("whole")}))
    ends = [lower(end, scope) for end in (low, high)]
    axes = union([body, *ends], scope.order)
    scope.use("bounded_sum")
    arguments = ", ".join(aligned(end, axes).code for end in ends)
    return Piece(f"bounded_sum(lambda whole: {aligned(body, axes).code}, {arguments})", axes)


def _chebyshev(formula: ChebyshevPieces, scope: Scope) -> Piece:
    table = formula.table
    scope.use("chebyshev_pieces")
    numbers = f"{table.edges!r}, {table.rows!r}, {table.slopes!r}"
    return call(f"chebyshev_pieces({{0}}, {numbers})", [lower(formula.args[0], scope)], scope.order)


def complement(u: Any) -> Any:
    """1 - u, with all digits where u is a normal distribution function."""
    return ndtr(-u.args[0]) if isinstance(u, ndtr) else 1 - u


def _discrete_quantile(formula: DiscreteQuantile, scope: Scope) -> Piece:
    u, value, log_mass, low, high = formula.args
    level = lower(u, scope)
    inner = scope.with_slots({value: Piece("whole", level.axes)})
    mass = aligned(lower(log_mass, inner), level.axes)
    ends = ", ".join(aligned(lower(end, scope), level.axes).code for end in (low, high))
    scope.use("discrete_quantile")
    return Piece(f"discrete_quantile({level.code}, lambda whole: {mass.code}, {ends})", level.axes)


def evaluated(formula: Any, axes: tuple[str, ...], scope: Scope) -> Piece:
    """The value of a formula along the given axes; a mere number becomes an array, since others may index it."""
    piece = Piece(f"jnp.asarray({float(formula)!r})") if is_constant(formula) else lower(formula, scope)
    return aligned(broadcast(piece, axes, scope), axes)


def broadcast(piece: Piece, axes: tuple[str, ...], scope: Scope) -> Piece:
    """The piece with at least the given axes, repeated along those that it lacks."""
    missing = [axis for axis in axes if axis not in piece.axes]
    if not missing:
        return piece
    wanted = tuple(a for a in scope.order if a in piece.axes or a in axes)
    shape = ", ".join(scope.length(axis) for axis in wanted)
    code = aligned(piece, wanted).code
    return Piece(f"jnp.broadcast_to({code}, ({shape}{',' if len(wanted) == 1 else ''}))", wanted)


def _log_bessel(formula: sp.besseli, scope: Scope) -> Piece:
    order, argument = formula.args
    inner = lower(argument, scope)
    scaled = call(f"jnp.log(special.i{order}e({{0}}))", [inner], scope.order)
    return add([scaled, call("jnp.abs({0})", [inner], scope.order)], scope.order)


def _log_hyper(formula: sp.hyper, scope: Scope) -> Piece:
    above, below, x = formula.args
    if len(above) > len(below):
        raise UnknownFunction(f"no JAX code for {formula}: its series may not converge")
    scope.use("log_hyper")
    places = iter(range(len(above) + len(below)))
    rows = ["(" + "".join(f"{{{next(places)}}}, " for _ in row) + ")" for row in (above, below)]
    given = [lower(argument, scope) for argument in (*above, *below, x)]
    return call(f"log_hyper({', '.join(rows)}, {{{len(given) - 1}}})", given, scope.order)


def _in_gammas(formula: Any) -> sp.Expr:
    if isinstance(formula, sp.binomial):
        n, k = formula.args
        return sp.exp(sp.loggamma(n + 1) - sp.loggamma(k + 1) - sp.loggamma(n - k + 1))
    a, b = formula.args if len(formula.args) == 2 else formula.args * 2
    return sp.exp(sp.loggamma(a) + sp.loggamma(b) - sp.loggamma(a + b))


def _polygamma(formula: sp.polygamma, scope: Scope) -> Piece:
    order, argument = formula.args
    if order == 0:
        return call("special.digamma({0})", [lower(argument, scope)], scope.order)
    return call("special.polygamma({0}, {1})", [lower(order, scope), lower(argument, scope)], scope.order)
