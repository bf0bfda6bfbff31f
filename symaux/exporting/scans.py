"""Recursions of deterministic variables as scans over time: first elements, then one step for all that follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.exporting.natural import Unsayable
from symaux.indices import arrays, indices_of, lag, name_of
from symaux.statements import Deterministic, reads, target


def scan_lines(source: Any, node: Any) -> list[str]:
    """The lines that compute a lagged deterministic variable."""
    general, axis = node.general, node.axis
    assert isinstance(general, Deterministic)
    time = target(general).indices[axis]
    depth, name = len(node.initial), source.names[node.name]
    firsts = [_whole(source, statement, node) for statement in node.initial]
    earlier, inputs = _elements(node, time, general)
    step = _step(source, node, time, earlier, inputs)
    sequences = [_sequence(source, element, time, depth) for element in inputs]
    starts = [f"{name}_{k} = {text}" for k, text in enumerate(firsts)]
    if source.kind == "numpyro":
        body = _jax(name, depth, step, sequences, [n for n, _ in step[0]], source.model, node)
    else:
        fixed = _fixed(source, general, [*earlier, *inputs])
        body = _pytensor(name, depth, step, sequences, [n for n, _ in step[0]], fixed)
    return [*starts, *body, *_joined(source, node, name, depth)]


def _whole(source: Any, statement: Any, node: Any) -> str:
    """A first element; those before it, which it may read, have names of their own."""
    writer, changed, names = source.formula(statement), {}, dict(source.names)
    for read in reads(statement):
        if read.name == node.name:
            place = int(read.indices[node.axis])
            name, rest = f"{source.names[node.name]}_{place}", read.indices[: node.axis] + read.indices[node.axis + 1 :]
            changed[read.element] = arrays(name)[rest] if rest else sp.Symbol(name, real=True)
            names[name] = name
    text = replace(writer, names=names).text(statement.formula.xreplace(changed))
    return f"{source.module}.broadcast_to({text}, {source.shape(writer)})" if writer.axes else text


def _elements(node: Any, time: Any, general: Any) -> tuple[list[Any], list[Any]]:
    """The variable's own earlier elements, and what else varies in time."""
    earlier, inputs = [], []
    for read in reads(general):
        element = read.element
        if not isinstance(element, Indexed):
            continue
        shifts = [lag(i) for i in indices_of(element)]
        if not any(s is not None and s[0] == time for s in shifts):
            if name_of(element) == node.name:
                raise Unsayable(f"{element} is one of its own first elements")
            if any(time in i.atoms(type(time)) for i in indices_of(element) if lag(i) is None):
                raise Unsayable(f"{element} picks along the time axis")
            continue
        (earlier if name_of(element) == node.name else inputs).append(element)
    return list(dict.fromkeys(earlier)), list(dict.fromkeys(inputs))


def _step(source: Any, node: Any, time: Any, earlier: list[Any], inputs: list[Any]) -> Any:
    """Names for what changes from step to step, and the formula of one step in them."""
    plates = tuple(i for i in target(node.general).indices if i != time and not i.is_Integer)
    writer = replace(source.formula(node.general), axes=plates)
    named = [(f"{source.names[name_of(e)]}_{_place(e, time)}", e) for e in inputs]
    back = [(f"{source.names[node.name]}_back_{_place(e, time)}", e) for e in earlier]
    inner = _Step(writer, {e: n for n, e in (*named, *back)}, time)
    return named, back, inner.text(node.general.formula)


def _place(element: Any, time: Any) -> int:
    return next(s[1] for i in element.indices if (s := lag(i)) is not None and s[0] == time)


class _Step:
    """Formulas of one step: elements at a time are names, whose other axes are aligned as usual."""

    def __init__(self, writer: Any, names: dict[Any, str], time: Any) -> None:
        self.writer, self.names, self.time = writer, names, time

    def text(self, formula: Any) -> str:
        changed, names = {}, dict(self.writer.names)
        for element, name in self.names.items():
            rest = tuple(i for i in element.indices if (s := lag(i)) is None or s[0] != self.time)
            changed[element] = arrays(name)[rest] if rest else sp.Symbol(name, real=True)
            names[name] = name
        return replace(self.writer, names=names).text(formula.xreplace(changed))


def _sequence(source: Any, element: Any, time: Any, depth: int) -> str:
    """An array with time in front, from the first step on."""
    name = source.names[name_of(element)]
    at = next(n for n, i in enumerate(element.indices) if (s := lag(i)) is not None and s[0] == time)
    others = [":" if lag(i) is not None else str(i) for i in element.indices]
    if any(o != ":" for n, o in enumerate(others) if n != at):
        raise Unsayable(f"{element} is fixed along another axis")
    if at:
        name = f"{source.module}.moveaxis({name}, {at}, 0)"
    back = _place(element, time)
    begin, end = depth - back, -back or ""
    return name if begin == 0 and not end else f"{name}[{begin}:{end}]"


def _jax(name: str, depth: int, step: Any, sequences: list[str], named: list[str], model: Any, node: Any) -> list[str]:
    _, back, text = step
    held = [f"{name}_held_{k}" for k in range(1, depth + 1)]  # 1 is the step before
    lines = [f"def step_{name}(held, given):", f"    {', '.join(held)}, = held"]
    if named:
        lines.append(f"    {', '.join(named)}, = given")
    places = {n: int(n.rsplit("_", 1)[1]) for n, _ in back}
    lines += [f"    {n} = {name}_held_{place}" for n, place in places.items()]
    lines += [f"    new = {text}", f"    return ({', '.join(['new', *held[:-1]])},), new"]
    first = ", ".join(f"{name}_{k}" for k in reversed(range(depth)))
    given = f"({', '.join(sequences)},)" if sequences else f"None, length={_length(model, node)} - {depth}"
    return [*lines, f"_, {name}_rest = lax.scan(step_{name}, ({first},), {given})"]


def _length(model: Any, node: Any) -> str:
    group = model.axes.of_array(node.name)[node.axis]
    if group not in model.axes.lengths:
        raise Unsayable("the length of its time axis is not known")
    return str(model.axes.lengths[group])


def _fixed(source: Any, statement: Any, moving: list[Any]) -> list[str]:
    """The names of what a step reads and does not change with time: PyMC wants to be told."""
    return sorted({source.names[r.name] for r in reads(statement) if r.element not in moving})


def _pytensor(name: str, depth: int, step: Any, sequences: list[str], named: list[str], fixed: list[str]) -> list[str]:
    _, back, text = step
    if not sequences:
        raise Unsayable("nothing but its own past enters a step")
    taps = sorted({int(n.rsplit("_", 1)[1]) for n, _ in back}, reverse=True) or [1]
    held = [f"{name}_back_{place}" for place in taps]
    first = ", ".join(f"{name}_{k}" for k in range(depth))
    lines = [f"def step_{name}({', '.join([*named, *held, *fixed])}):", f"    return {text}"]
    info = f"[{first}]" if depth == 1 else f"[dict(initial=pt.stack([{first}]), taps={[-t for t in taps]})]"
    given = f"sequences=[{', '.join(sequences)}], non_sequences=[{', '.join(fixed)}], outputs_info={info}"
    return [*lines, f"{name}_rest = pytensor.scan(step_{name}, {given}, return_updates=False)"]


def _joined(source: Any, node: Any, name: str, depth: int) -> list[str]:
    module = source.module
    first = ", ".join(f"{name}_{k}" for k in range(depth))
    whole = f"{module}.concatenate([{module}.stack([{first}]), {name}_rest])"
    return [f"{name} = {module}.moveaxis({whole}, 0, {node.axis})" if node.axis else f"{name} = {whole}"]
