r"""Write the derivative of a recursion with only its linear part inside the scan.

From $z_t = f(z_{t-1}, \theta, u_t)$ follows $\dot z_t = D_t\,L\,\dot z_{t-1} + b_t$, where the derivatives $D_t$ and the shifts
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
from symaux.codegen.lower.array_code import Piece, align
from symaux.codegen.lower.broadcast import lower_broadcast
from symaux.codegen.lower.expression import lower
from symaux.codegen.lower.scope import Scope
from symaux.codegen.lower.tangent import SMOOTH, is_tame, leaves, outermost_sums, partial_derivatives, tangent
from symaux.codegen.recursion.axis_order import batched_matmul, scan_matmul
from symaux.codegen.recursion.chains import step_reader
from symaux.codegen.recursion.scan import Recursion
from symaux.codegen.recursion.scan_text import Elements, ScanText, target_code, tuple_code
from symaux.formulas.symbols.indices import as_lag, indices_of, name_of, references


@dataclass
class JvpRule:
    """Arguments of the function of a recursion, the values that its derivatives reuse, and identifiers of the tangents."""

    given: dict[str, str]  # parameter to argument
    arrays: list[tuple[str, str]]  # (identifier in a step, parameter) of the inputs over time
    reused: dict[str, dict[Any, str]]  # for every chain: sub-expressions whose values the forward scan outputs
    tangents: dict[str, str]  # identifier to that of its tangent; integers have none
    axes: dict[str, tuple[str, ...]]  # the axes of reused values, at one time


def write_with_jvp(writer: Writer, recursion: Recursion) -> bool:
    """Write the recursion as a function with a rule for its derivative; return False where the rule does not cover it."""
    if not all(_is_tame(recursion, name) for name in recursion.chains):
        return False
    rule = _rule(writer, recursion)
    stem = "_".join(writer.names[name] for name in recursion.chains)
    run, path = writer.fresh(f"{stem}_run"), writer.fresh(f"{stem}_path")
    _write_run(writer, recursion, rule, run)
    whole = tuple_code([writer.names[name] for name in recursion.chains])
    for line in ("", "@jax.custom_jvp", f"def {path}(*given):", f"    return {run}(*given)[0]", ""):
        writer.append_line(line)
    _write_rule(writer, recursion, rule, run, path)
    writer.append_line(f"{whole} = {path}({', '.join(rule.given.values())})")
    return True


def _moving(recursion: Recursion) -> Any:
    """Return the predicate of formulas that read a chain."""
    return lambda part: any(name_of(r) in recursion.chains for r in references(part))


def _is_tame(recursion: Recursion, name: str) -> bool:
    formula, moving = recursion.formulas[name], _moving(recursion)
    elements = [r for r in references(formula) if name_of(r) in recursion.chains]
    lagged = all(as_lag(indices_of(e)[recursion.chains[name_of(e)].node.axis or 0]) for e in elements)
    gathers = [i for r in references(formula) for i in indices_of(r) if moving(i)]
    return lagged and not gathers and is_tame(formula, moving)


def _rule(writer: Writer, recursion: Recursion) -> JvpRule:
    names = {name_of(r) for f in recursion.formulas.values() for r in references(f) if r not in recursion.slots}
    codes = {writer.names[name] for name in names - set(recursion.chains)}
    timed = {code for code, _ in recursion.inputs}
    held = {piece.code for symbol, piece in recursion.slots.items() if piece.code not in timed}
    early = [e for name in recursion.chains for e in recursion.before(name)]
    given = {code: code for code in dict.fromkeys([*early, *sorted(codes | held)])}
    arrays = []
    for code, array in recursion.inputs:
        arrays.append((code, parameter := writer.fresh(f"{code}_all")))
        given[parameter] = array
    whole = {writer.names[name] for name in names & writer.model.index_arrays}
    tangents = {code: writer.fresh(f"d_{code}") for code in given if code not in whole}
    reused = {name: _reused(writer, recursion, name) for name in recursion.chains}
    return JvpRule(given, arrays, reused, tangents, {})


def _reused(writer: Writer, recursion: Recursion, name: str) -> dict[Any, str]:
    """Return the sub-expressions that the derivatives of a formula share with it: its functions, or else its sums."""
    moving, formula = _moving(recursion), recursion.formulas[name]
    needed = list(partial_derivatives(formula).values())
    functions = [f for f in formula.atoms(*SMOOTH) if moving(f) and any(slope.has(f) for slope in needed)]
    blank = {f: sp.Dummy() for f in functions}
    left = [s for s in outermost_sums(formula) if moving(s) and any(slope.xreplace(blank).has(s) for slope in needed)]
    ordered = sorted([*functions, *left], key=lambda e: (e.count_ops(), sp.default_sort_key(e)))
    return {part: writer.fresh(f"{writer.names[name]}_part") for part in ordered}


def _write_run(writer: Writer, recursion: Recursion, rule: JvpRule, run: str) -> None:
    """Write the recursion as a function that returns the chains and the values that its derivatives reuse.

    Lowering the reused parts records their axes in ``rule``; ``_is_rebuilt`` and ``_write_rule`` read them later.
    """
    now = {name: writer.fresh(f"{writer.names[name]}_t") for name in recursion.chains}
    scan = ScanText(recursion.carry_identifiers(writer), now, rule.arrays, blank=False, unrolled=writer.unrolled)
    reader = step_reader(recursion.chains, recursion.elements, scan.past, now)
    for name, chain in recursion.chains.items():
        product = scan_matmul(scan, writer.fresh) if chain.permutation else None
        scope = replace(
            recursion.scopes[name], order=chain.axes, start={}, slots=recursion.slots, reader=reader, product=product
        )
        for part, code in rule.reused[name].items():
            piece = lower(part, scope)
            scan.lines.append((code, piece.code))
            scan.extra_outputs.append(code)
            rule.axes[code] = piece.axes
            scope = scope.with_slots({part: Piece(code, piece.axes)})
        scan.lines.append((now[name], lower_broadcast(recursion.formulas[name], chain.axes, scope, lower).code))
    out = {name: writer.fresh(f"{writer.names[name]}_rest") for name in recursion.chains}
    scan.rebuilt = frozenset(name for name in recursion.chains if _is_rebuilt(recursion, rule, name))
    writer.append_line("")
    writer.append_line(f"def {run}({', '.join(rule.given)}):")
    left = [*(code for name, code in out.items() if name not in scan.rebuilt), *scan.extra_outputs]
    scan.write(_inside(writer), recursion.elements, recursion.first, _length(writer, recursion), left)
    for name in sorted(scan.rebuilt):
        order = (recursion.time, *recursion.chains[name].axes)
        value = lower_broadcast(recursion.formulas[name], order, _all_times(recursion, rule, name), lower)
        _inside(writer)(f"{out[name]} = {value.code}")
    whole = [chain.concatenate(recursion.before(name), out[name]) for name, chain in recursion.chains.items()]
    writer.append_line(f"    return {tuple_code(whole)}, {tuple_code(scan.extra_outputs)}")


def _is_rebuilt(recursion: Recursion, rule: JvpRule, name: str) -> bool:
    """Return whether a chain can be recomputed for all times at once from the one part of it that the scan outputs."""
    parts, moving = rule.reused[name], _moving(recursion)
    if [rule.axes[code] for code in parts.values()] != [recursion.chains[name].axes]:
        return False
    return not moving(recursion.formulas[name].xreplace({part: sp.Dummy() for part in parts}))


def _inside(writer: Writer) -> Any:
    return lambda line: writer.append_line(f"    {line}" if line else "")


def _length(writer: Writer, recursion: Recursion) -> str:
    return "" if recursion.inputs else writer.size(recursion.time)


def _write_rule(writer: Writer, recursion: Recursion, rule: JvpRule, run: str, path: str) -> None:
    """Write the rule for the derivative: slopes and shifts for all times, and a scan that is linear in its carry."""
    body = _rule_body(replace(writer, lines=[]), recursion, rule)
    kept = [code for parts in rule.reused.values() for code in parts.values()]
    read = set(re.findall(r"\w+", "\n".join(body)))
    writer.append_line(f"@{path}.defjvp")
    writer.append_line(f"def {path}_jvp(given, moves):")
    append_line = _inside(writer)
    if any(code in read for code in rule.given):
        append_line(f"{target_code([code if code in read else '_' for code in rule.given])} = given")
    append_line(f"{target_code([rule.tangents.get(code, '_') for code in rule.given])} = moves")
    append_line(
        f"{tuple_code([writer.names[name] for name in recursion.chains])}, {tuple_code(kept) if kept else '_'} = {run}(*given)"
    )
    for line in body:
        writer.append_line(line)
    writer.append_line("")


def _rule_body(writer: Writer, recursion: Recursion, rule: JvpRule) -> list[str]:
    now = {name: writer.fresh(f"d_{writer.names[name]}_t") for name in recursion.chains}
    scan = ScanText(recursion.carry_identifiers(writer, "d_"), now, unrolled=writer.unrolled)
    reader = step_reader(recursion.chains, recursion.elements, scan.past, now)
    for name in recursion.chains:
        _tangent_step(writer, recursion, rule, name, scan, reader)
    start: Elements = {place: rule.tangents[code] for place, code in recursion.elements.items()}
    out = {name: writer.fresh(f"d_{writer.names[name]}_rest") for name in recursion.chains}
    scan.write(_inside(writer), start, recursion.first, "", list(out.values()))
    before = {n: [rule.tangents[code] for code in recursion.before(n)] for n in recursion.chains}
    moved = [chain.concatenate(before[name], out[name]) for name, chain in recursion.chains.items()]
    _inside(writer)(f"return {tuple_code([writer.names[name] for name in recursion.chains])}, {tuple_code(moved)}")
    return writer.lines


def _tangent_step(writer: Writer, recursion: Recursion, rule: JvpRule, name: str, scan: ScanText, reader: Any) -> None:
    """Add one chain's line to the linear scan, with its slopes and its shift written before."""
    chain, formula, moving = recursion.chains[name], recursion.formulas[name], _moving(recursion)
    everywhere = _all_times(recursion, rule, name)
    code = writer.names[name]
    linear, push, slots = sp.S.Zero, sp.S.Zero, {}
    for part, slope in _by_slope(formula):
        if slope not in everywhere.slots and (any(map(moving, leaves(slope))) or _over_time(recursion, slope)):
            slope, everywhere = _slope(writer, slope, everywhere, recursion.time, f"{code}_slope")
        within = tangent(part, {leaf: leaf for leaf in leaves(part) if moving(leaf)})
        beyond = tangent(part, _tangents(recursion, part))
        if within != 0 and slope not in slots and recursion.time in _axes(everywhere, slope):
            scan.inputs.append((step := writer.fresh(f"{code}_slope_t"), everywhere.slots[slope].code))
            slots[slope] = Piece(step, everywhere.slots[slope].axes[1:])
        linear, push = linear + slope * within, push + slope * beyond
    pushed, moved = writer.fresh(f"{code}_push"), sp.Symbol(f"{code} push", real=True)
    order = (recursion.time, *chain.axes)
    _inside(writer)(f"{pushed} = {lower_broadcast(push, order, everywhere, lower).code}")
    scan.inputs.append((step := writer.fresh(f"{code}_push_t"), pushed))
    slots[moved] = Piece(step, chain.axes)
    scope = replace(recursion.scopes[name], order=chain.axes, start={}, slots=recursion.slots | slots, reader=reader)
    scan.lines.append((scan.now[name], lower_broadcast(moved + linear, chain.axes, scope, lower).code))


def _axes(scope: Scope, part: Any) -> tuple[str, ...]:
    """Return the axes of a value that is computed already; none for anything else."""
    return scope.slots[part].axes if part in scope.slots else ()


def _by_slope(formula: Any) -> list[tuple[Any, Any]]:
    """Return (parts, slope) with the parts of a formula that have the same slope combined into one sum."""
    together: dict[Any, Any] = {}
    for part, slope in partial_derivatives(formula).items():
        together[slope] = together.get(slope, sp.S.Zero) + part
    return [(parts, slope) for slope, parts in together.items() if slope != 0]


def _over_time(recursion: Recursion, slope: Any) -> bool:
    timed = {code for code, _ in recursion.inputs}
    return any(leaf in recursion.slots and recursion.slots[leaf].code in timed for leaf in leaves(slope))


def _all_times(recursion: Recursion, rule: JvpRule, name: str) -> Scope:
    """Return the scope in which a chain's formula is lowered for all times at once, time first, with tangents by name."""
    over = dict(rule.arrays)
    order = (recursion.time, *recursion.chains[name].axes)
    held: dict[Any, Piece] = {}
    for symbol, piece in recursion.slots.items():
        code = over.get(piece.code, piece.code)
        axes = (recursion.time, *piece.axes) if piece.code in over else piece.axes
        held |= {symbol: Piece(code, axes), _tangent_of(symbol): Piece(rule.tangents[code], axes)}
    for part, code in rule.reused[name].items():
        held[part] = Piece(code, (recursion.time, *rule.axes[code]))
    scope = recursion.scopes[name]
    tangents = {f"d {n}": rule.tangents[code] for n, code in scope.names.items() if code in rule.tangents}
    product = batched_matmul(scope.use) if recursion.chains[name].permutation else None
    return replace(scope, names={**scope.names, **tangents}, order=order, slots=held, product=product)


def _tangent_of(leaf: Any) -> Any:
    """Return the tangent of a leaf: an element of the array of tangents, at the same indices."""
    if isinstance(leaf, Indexed):
        tangents: Any = IndexedBase(f"d {name_of(leaf)}", real=True)
        return tangents[leaf.indices]
    return sp.Symbol(f"d {leaf.name}", real=True)


def _tangents(recursion: Recursion, part: Any) -> dict[Any, Any]:
    """Return the tangents of all leaves but the chains."""
    still = set(recursion.chains)
    return {leaf: _tangent_of(leaf) for leaf in leaves(part) if leaf in recursion.slots or name_of(leaf) not in still}


def _slope(writer: Writer, slope: Any, scope: Scope, time: str, name: str) -> tuple[Any, Scope]:
    """Write a slope for all times; return a symbol for it, and the scope that knows it."""
    piece = lower(slope, scope)
    piece = align(piece, (time, *(a for a in scope.order if a in piece.axes and a != time)))
    code, symbol = writer.fresh(name), sp.Dummy(name, real=True)
    _inside(writer)(f"{code} = {piece.code}")
    return symbol, scope.with_slots({symbol: Piece(code, piece.axes)})
