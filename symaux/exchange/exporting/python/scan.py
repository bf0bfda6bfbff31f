"""Print recursions of deterministic variables as scans over time: first elements, then one step for all that follow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.exchange.exporting.spelling.natural_coordinates import Unsupported
from symaux.formulas.symbols.indices import arrays, as_lag, indices_of, name_of
from symaux.model.statements import Deterministic, reads, target


@dataclass(frozen=True)
class Scan:
    """A recursion: the names of its first elements, of the sequences that a step reads, and of earlier elements."""

    name: str
    firsts: tuple[str, ...]
    inputs: tuple[tuple[str, Any], ...]
    back: tuple[tuple[str, Any], ...]  # the variable's own earlier elements
    text: str
    step: str
    rest: str

    @property
    def depth(self) -> int:
        return len(self.firsts)


def scan_lines(source: Any, node: Any) -> list[str]:
    """Return the lines that compute a lagged deterministic variable; the names of intermediate values are fresh."""
    general = node.general
    assert isinstance(general, Deterministic)
    time, name = target(general).indices[node.axis], source.names[node.name]
    firsts = tuple(source.fresh(f"{name}_{k}") for k in range(len(node.initial)))
    starts = [
        f"{first} = {_first_element(source, s, node, firsts)}" for first, s in zip(firsts, node.initial, strict=True)
    ]
    earlier, others = _elements(node, time, general)
    inputs = tuple((source.fresh(f"{source.names[name_of(e)]}_now"), e) for e in others)
    back = tuple((source.fresh(f"{name}_back_{_place(e, time)}"), e) for e in earlier)
    text = _step_text(source, node, time, dict((e, n) for n, e in (*inputs, *back)))
    step, rest = source.fresh(f"step_{name}"), source.fresh(f"{name}_rest")
    scan = Scan(name, firsts, inputs, back, text, step, rest)
    sequences = [_sequence(source, element, time, scan.depth) for element in others]
    length = f"{source.formula(general).size(time)} - {scan.depth}"
    if source.kind == "numpyro":
        body = _jax(source, scan, time, sequences, length)
    else:
        fixed = _fixed(source, general, [*earlier, *others])
        body = _pytensor(scan, time, sequences, fixed, length)
    return [*starts, *body, *_concatenate(source, node, scan)]


def _first_element(source: Any, statement: Any, node: Any, firsts: tuple[str, ...]) -> str:
    """Print a first element; those before it, which it may read, have names of their own."""
    writer, held = source.formula(statement), {}
    for read in reads(statement):
        if read.name == node.name:
            held[read.element] = firsts[int(read.indices[node.axis])]
    text = _named(writer, held, statement.formula, lambda n, i: n != node.axis)
    if (
        source.kind == "pymc" and statement.formula.is_number
    ):  # a step returns doubles, not integers or single precision
        text = f'pt.constant({float(statement.formula)!r}, dtype="float64")'
    return f"{source.module}.broadcast_to({text}, {source.shape(writer)})" if writer.axes else text


def _named(writer: Any, held: dict[Any, str], formula: Any, stays: Any) -> str:
    """Print a formula in which elements are names, whose other axes are aligned as usual."""
    changed, names = {}, dict(writer.names)
    for element, name in held.items():
        rest = tuple(i for n, i in enumerate(indices_of(element)) if stays(n, i))
        changed[element] = arrays(name)[rest] if rest else sp.Symbol(name, real=True)
        names[name] = name
    return replace(writer, names=names).text(formula.xreplace(changed))


def _elements(node: Any, time: Any, general: Any) -> tuple[list[Any], list[Any]]:
    """Return the variable's own earlier elements, and what else varies in time."""
    earlier, inputs = [], []
    for read in reads(general):
        element = read.element
        if not isinstance(element, Indexed):
            continue
        shifts = [as_lag(i) for i in indices_of(element)]
        if not any(s is not None and s[0] == time for s in shifts):
            if name_of(element) == node.name:
                raise Unsupported(f"{element} is one of its own first elements")
            continue
        (earlier if name_of(element) == node.name else inputs).append(element)
    return list(dict.fromkeys(earlier)), list(dict.fromkeys(inputs))


def _step_text(source: Any, node: Any, time: Any, held: dict[Any, str]) -> str:
    """Print the formula of one step in the names of the carry and the sequences."""
    if time in node.general.formula.xreplace({e: sp.Dummy() for e in held}).atoms(type(time)):
        raise Unsupported(f"a step reads {time} itself")
    plates = tuple(i for i in target(node.general).indices if i != time and not i.is_Integer)
    writer = replace(source.formula(node.general), axes=plates)
    return _named(writer, held, node.general.formula, lambda n, i: not i.is_Integer and not _along(i, time))


def _along(index: Any, time: Any) -> bool:
    shift = as_lag(index)
    return shift is not None and shift[0] == time


def _place(element: Any, time: Any) -> int:
    return next(s[1] for i in element.indices if (s := as_lag(i)) is not None and s[0] == time)


def _sequence(source: Any, element: Any, time: Any, depth: int) -> str:
    """Print an array with time as its first axis, from the first step on; fixed indices are applied first."""
    name = source.names[name_of(element)]
    if source.kind == "pymc" and name_of(element) in {*source.model.inputs, *source.model.observed}:
        name = f"pt.as_tensor({name})"  # a scan cuts its sequences to its own length, which numpy's arrays refuse
    kept = [i for i in element.indices if not i.is_Integer]
    if any(as_lag(i) is None for i in kept):
        raise Unsupported(f"{element} picks elements along time and another axis")
    if len(kept) < len(element.indices):
        name = f"{name}[{', '.join(str(i) if i.is_Integer else ':' for i in element.indices)}]"
    at = next(n for n, i in enumerate(kept) if _along(i, time))
    if at:
        name = f"{source.module}.moveaxis({name}, {at}, 0)"
    back = _place(element, time)
    begin, end = depth - back, -back or ""
    return name if begin == 0 and not end else f"{name}[{begin}:{end}]"


def _jax(source: Any, scan: Scan, time: Any, sequences: list[str], length: str) -> list[str]:
    held = [source.fresh(f"{scan.name}_held_{k}") for k in range(1, scan.depth + 1)]  # the first is the step before
    lines = [f"def {scan.step}(held, given):", f"    {', '.join(held)}, = held"]
    if scan.inputs:
        lines.append(f"    {', '.join(name for name, _ in scan.inputs)}, = given")
    lines += [f"    {name} = {held[_place(element, time) - 1]}" for name, element in scan.back]
    lines += [f"    new = {scan.text}", f"    return ({', '.join(['new', *held[:-1]])},), new"]
    given = f"({', '.join(sequences)},)" if sequences else f"None, length={length}"
    return [*lines, f"_, {scan.rest} = lax.scan({scan.step}, ({', '.join(reversed(scan.firsts))},), {given})"]


def _fixed(source: Any, statement: Any, moving: list[Any]) -> list[str]:
    """Return the names that a step reads and that do not change with time: PyTensor's non_sequences."""
    return sorted({source.names[r.name] for r in reads(statement) if r.element not in moving})


def _pytensor(scan: Scan, time: Any, sequences: list[str], fixed: list[str], length: str) -> list[str]:
    taps = sorted({_place(element, time) for _, element in scan.back}, reverse=True) or [1]
    by_place = {_place(element, time): [] for _, element in scan.back}
    for name, element in scan.back:
        by_place[_place(element, time)].append(name)
    held = [by_place[t][0] if t in by_place else "_" for t in taps]
    again = [f"    {other} = {names[0]}" for names in by_place.values() for other in names[1:]]
    inputs = [name for name, _ in scan.inputs]
    lines = [f"def {scan.step}({', '.join([*inputs, *held, *fixed])}):", *again, f"    return {scan.text}"]
    first = ", ".join(scan.firsts)
    info = f"[{first}]" if scan.depth == 1 else f"[dict(initial=pt.stack([{first}]), taps={[-t for t in taps]})]"
    given = f"sequences=[{', '.join(sequences)}], non_sequences=[{', '.join(fixed)}], outputs_info={info}"
    steps = "" if sequences else f", n_steps={length}"
    return [*lines, f"{scan.rest} = pytensor.scan({scan.step}, {given}{steps}, return_updates=False)"]


def _concatenate(source: Any, node: Any, scan: Scan) -> list[str]:
    module, first = source.module, ", ".join(scan.firsts)
    whole = f"{module}.concatenate([{module}.stack([{first}]), {scan.rest}])"
    return [f"{scan.name} = {module}.moveaxis({whole}, 0, {node.axis})" if node.axis else f"{scan.name} = {whole}"]
