r"""Derivatives of a recursion with only their linear part inside the scan.

From $z_t = f(z_{t-1}, \theta, u_t)$ follows $\dot z_t = D_t\,L\,\dot z_{t-1} + b_t$, where the slopes $D_t$ and the pushes
$b_t = \partial_\theta f\,\dot\theta + \partial_u f\,\dot u_t$ are computed for all times at once. This is the rule of a
``jax.custom_jvp`` in the generated code: forward mode is the recursion itself, and reverse mode its transpose, a scan that
only carries the adjoint, while the gradients of weights become one contraction over time outside of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed, IndexedBase

from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.array_code import Piece, aligned
from symaux.codegen.lower.broadcast import evaluated
from symaux.codegen.lower.expression import lower
from symaux.codegen.lower.scope import Scope
from symaux.codegen.lower.tangent import SMOOTH, is_tame, leaves, slopes, sums, tangent
from symaux.codegen.recursion.axis_order import flat, in_a_step
from symaux.codegen.recursion.chains import step_reader
from symaux.codegen.recursion.scan import Recursion
from symaux.codegen.recursion.scan_text import Elements, Walk, listed, unpacked
from symaux.formulas.symbols.indices import indices_of, lag, name_of, references


@dataclass
class Rule:
    """What the function of a recursion is given, the values that its slopes reuse, and the names of the moves."""

    given: dict[str, str]  # parameter to argument
    arrays: list[tuple[str, str]]  # (identifier in a step, parameter) of the inputs over time
    reused: dict[str, dict[Any, str]]  # for every chain: sub-expressions whose values the forward scan leaves
    moves: dict[str, str]  # identifier to the identifier of its move; those of whole numbers have none
    axes: dict[str, tuple[str, ...]]  # of what is reused, at one time


def with_tangents(writer: Writer, found: Recursion) -> bool:
    """Writes the recursion as a function with a rule for its derivative; False where that is beyond it."""
    if not all(_is_tame(found, name) for name in found.chains):
        return False
    rule = _rule(writer, found)
    stem = "_".join(writer.names[name] for name in found.chains)
    run, path = writer.fresh(f"{stem}_run"), writer.fresh(f"{stem}_path")
    _write_run(writer, found, rule, run)
    whole = listed([writer.names[name] for name in found.chains])
    for line in ("", "@jax.custom_jvp", f"def {path}(*given):", f"    return {run}(*given)[0]", ""):
        writer.say(line)
    _write_rule(writer, found, rule, run, path)
    writer.say(f"{whole} = {path}({', '.join(rule.given.values())})")
    return True


def _moving(found: Recursion) -> Any:
    """Return whether a formula reads a chain."""
    return lambda part: any(name_of(r) in found.chains for r in references(part))


def _is_tame(found: Recursion, name: str) -> bool:
    formula, moving = found.formulas[name], _moving(found)
    elements = [r for r in references(formula) if name_of(r) in found.chains]
    lagged = all(lag(indices_of(e)[found.chains[name_of(e)].node.axis or 0]) for e in elements)
    gathers = [i for r in references(formula) for i in indices_of(r) if moving(i)]
    return lagged and not gathers and is_tame(formula, moving)


def _rule(writer: Writer, found: Recursion) -> Rule:
    names = {name_of(r) for f in found.formulas.values() for r in references(f) if r not in found.slots}
    codes = {writer.names[name] for name in names - set(found.chains)}
    timed = {code for code, _ in found.inputs}
    held = {piece.code for symbol, piece in found.slots.items() if piece.code not in timed}
    early = [e for name in found.chains for e in found.before(name)]
    given = {code: code for code in dict.fromkeys([*early, *sorted(codes | held)])}
    arrays = []
    for code, array in found.inputs:
        arrays.append((code, parameter := writer.fresh(f"{code}_all")))
        given[parameter] = array
    whole = {writer.names[name] for name in names & writer.model.index_arrays}
    moves = {code: writer.fresh(f"d_{code}") for code in given if code not in whole}
    reused = {name: _reused(writer, found, name) for name in found.chains}
    return Rule(given, arrays, reused, moves, {})


def _reused(writer: Writer, found: Recursion, name: str) -> dict[Any, str]:
    """What the slopes of a formula read of the formula itself: its functions, or else its sums."""
    moving, formula = _moving(found), found.formulas[name]
    needed = list(slopes(formula).values())
    functions = [f for f in formula.atoms(*SMOOTH) if moving(f) and any(slope.has(f) for slope in needed)]
    blank = {f: sp.Dummy() for f in functions}
    left = [s for s in sums(formula) if moving(s) and any(slope.xreplace(blank).has(s) for slope in needed)]
    ordered = sorted([*functions, *left], key=lambda e: (e.count_ops(), sp.default_sort_key(e)))
    return {part: writer.fresh(f"{writer.names[name]}_part") for part in ordered}


def _write_run(writer: Writer, found: Recursion, rule: Rule, run: str) -> None:
    """The recursion as a function: the chains, and what the slopes reuse."""
    now = {name: writer.fresh(f"{writer.names[name]}_t") for name in found.chains}
    walk = Walk(found.past(writer), now, rule.arrays, blank=False, unrolled=writer.unrolled)
    reader = step_reader(found.chains, found.elements, walk.past, now)
    for name, chain in found.chains.items():
        product = in_a_step(walk, writer.fresh) if chain.turn else None
        scope = replace(
            found.scopes[name], order=chain.axes, start={}, slots=found.slots, reader=reader, product=product
        )
        for part, code in rule.reused[name].items():
            piece = lower(part, scope)
            walk.lines.append((code, piece.code))
            walk.kept.append(code)
            rule.axes[code] = piece.axes
            scope = scope.with_slots({part: Piece(code, piece.axes)})
        walk.lines.append((now[name], evaluated(found.formulas[name], chain.axes, scope, lower).code))
    out = {name: writer.fresh(f"{writer.names[name]}_rest") for name in found.chains}
    walk.rebuilt = frozenset(name for name in found.chains if _is_rebuilt(found, rule, name))
    writer.say("")
    writer.say(f"def {run}({', '.join(rule.given)}):")
    left = [*(code for name, code in out.items() if name not in walk.rebuilt), *walk.kept]
    walk.write(_inside(writer), found.elements, found.first, _length(writer, found), left)
    for name in sorted(walk.rebuilt):
        order = (found.time, *found.chains[name].axes)
        value = evaluated(found.formulas[name], order, _all_times(found, rule, name), lower)
        _inside(writer)(f"{out[name]} = {value.code}")
    whole = [chain.joined(found.before(name), out[name]) for name, chain in found.chains.items()]
    writer.say(f"    return {listed(whole)}, {listed(walk.kept)}")


def _is_rebuilt(found: Recursion, rule: Rule, name: str) -> bool:
    """Return whether the one part that is kept of a chain, and what is known for all times, give its values without
    a scan."""
    parts, moving = rule.reused[name], _moving(found)
    if [rule.axes[code] for code in parts.values()] != [found.chains[name].axes]:
        return False
    return not moving(found.formulas[name].xreplace({part: sp.Dummy() for part in parts}))


def _inside(writer: Writer) -> Any:
    return lambda line: writer.say(f"    {line}" if line else "")


def _length(writer: Writer, found: Recursion) -> str:
    return "" if found.inputs else writer.size(found.time)


def _write_rule(writer: Writer, found: Recursion, rule: Rule, run: str, path: str) -> None:
    """The derivative: slopes and pushes for all times, and a scan that is linear in what it carries."""
    body = _rule_body(replace(writer, lines=[]), found, rule)
    kept = [code for parts in rule.reused.values() for code in parts.values()]
    read = set(re.findall(r"\w+", "\n".join(body)))
    writer.say(f"@{path}.defjvp")
    writer.say(f"def {path}_jvp(given, moves):")
    say = _inside(writer)
    if any(code in read for code in rule.given):
        say(f"{unpacked([code if code in read else '_' for code in rule.given])} = given")
    say(f"{unpacked([rule.moves.get(code, '_') for code in rule.given])} = moves")
    say(f"{listed([writer.names[name] for name in found.chains])}, {listed(kept) if kept else '_'} = {run}(*given)")
    for line in body:
        writer.say(line)
    writer.say("")


def _rule_body(writer: Writer, found: Recursion, rule: Rule) -> list[str]:
    now = {name: writer.fresh(f"d_{writer.names[name]}_t") for name in found.chains}
    walk = Walk(found.past(writer, "d_"), now, unrolled=writer.unrolled)
    reader = step_reader(found.chains, found.elements, walk.past, now)
    for name in found.chains:
        _tangent_step(writer, found, rule, name, walk, reader)
    start: Elements = {place: rule.moves[code] for place, code in found.elements.items()}
    out = {name: writer.fresh(f"d_{writer.names[name]}_rest") for name in found.chains}
    walk.write(_inside(writer), start, found.first, "", list(out.values()))
    before = {n: [rule.moves[code] for code in found.before(n)] for n in found.chains}
    moved = [chain.joined(before[name], out[name]) for name, chain in found.chains.items()]
    _inside(writer)(f"return {listed([writer.names[name] for name in found.chains])}, {listed(moved)}")
    return writer.lines


def _tangent_step(writer: Writer, found: Recursion, rule: Rule, name: str, walk: Walk, reader: Any) -> None:
    """One chain's line in the linear scan, with its slopes and its push written before."""
    chain, formula, moving = found.chains[name], found.formulas[name], _moving(found)
    everywhere = _all_times(found, rule, name)
    code = writer.names[name]
    linear, push, slots = sp.S.Zero, sp.S.Zero, {}
    for part, slope in _by_slope(formula):
        if slope not in everywhere.slots and (any(map(moving, leaves(slope))) or _over_time(found, slope)):
            slope, everywhere = _slope(writer, slope, everywhere, found.time, f"{code}_slope")
        within = tangent(part, {leaf: leaf for leaf in leaves(part) if moving(leaf)})
        beyond = tangent(part, _moves(found, part))
        if within != 0 and slope not in slots and found.time in _axes(everywhere, slope):
            walk.inputs.append((step := writer.fresh(f"{code}_slope_t"), everywhere.slots[slope].code))
            slots[slope] = Piece(step, everywhere.slots[slope].axes[1:])
        linear, push = linear + slope * within, push + slope * beyond
    pushed, moved = writer.fresh(f"{code}_push"), sp.Symbol(f"{code} push", real=True)
    order = (found.time, *chain.axes)
    _inside(writer)(f"{pushed} = {evaluated(push, order, everywhere, lower).code}")
    walk.inputs.append((step := writer.fresh(f"{code}_push_t"), pushed))
    slots[moved] = Piece(step, chain.axes)
    scope = replace(found.scopes[name], order=chain.axes, start={}, slots=found.slots | slots, reader=reader)
    walk.lines.append((walk.now[name], evaluated(moved + linear, chain.axes, scope, lower).code))


def _axes(scope: Scope, part: Any) -> tuple[str, ...]:
    """Return the plates along the axes of what is computed already; none for anything else."""
    return scope.slots[part].axes if part in scope.slots else ()


def _by_slope(formula: Any) -> list[tuple[Any, Any]]:
    """(what it multiplies, slope): the parts of a formula that have the same slope, taken together."""
    together: dict[Any, Any] = {}
    for part, slope in slopes(formula).items():
        together[slope] = together.get(slope, sp.S.Zero) + part
    return [(parts, slope) for slope, parts in together.items() if slope != 0]


def _over_time(found: Recursion, slope: Any) -> bool:
    timed = {code for code, _ in found.inputs}
    return any(leaf in found.slots and found.slots[leaf].code in timed for leaf in leaves(slope))


def _all_times(found: Recursion, rule: Rule, name: str) -> Scope:
    """Return the scope in which a chain's formula is lowered for all times at once, time first; moves are known by
    name."""
    over = dict(rule.arrays)
    order = (found.time, *found.chains[name].axes)
    held: dict[Any, Piece] = {}
    for symbol, piece in found.slots.items():
        code = over.get(piece.code, piece.code)
        axes = (found.time, *piece.axes) if piece.code in over else piece.axes
        held |= {symbol: Piece(code, axes), _move(symbol): Piece(rule.moves[code], axes)}
    for part, code in rule.reused[name].items():
        held[part] = Piece(code, (found.time, *rule.axes[code]))
    scope = found.scopes[name]
    moves = {f"d {n}": rule.moves[code] for n, code in scope.names.items() if code in rule.moves}
    product = flat(scope.use) if found.chains[name].turn else None
    return replace(scope, names={**scope.names, **moves}, order=order, slots=held, product=product)


def _move(leaf: Any) -> Any:
    """Return the move of a leaf: an element of the array of moves, at the same indices."""
    if isinstance(leaf, Indexed):
        moves: Any = IndexedBase(f"d {name_of(leaf)}", real=True)
        return moves[leaf.indices]
    return sp.Symbol(f"d {leaf.name}", real=True)


def _moves(found: Recursion, part: Any) -> dict[Any, Any]:
    """Return the moves of everything but the chains."""
    still = set(found.chains)
    return {leaf: _move(leaf) for leaf in leaves(part) if leaf in found.slots or name_of(leaf) not in still}


def _slope(writer: Writer, slope: Any, scope: Scope, time: str, name: str) -> tuple[Any, Scope]:
    """Return a symbol for a slope that was written for all times, and the scope that knows it."""
    piece = lower(slope, scope)
    piece = aligned(piece, (time, *(a for a in scope.order if a in piece.axes and a != time)))
    code, symbol = writer.fresh(name), sp.Dummy(name, real=True)
    _inside(writer)(f"{code} = {piece.code}")
    return symbol, scope.with_slots({symbol: Piece(code, piece.axes)})
