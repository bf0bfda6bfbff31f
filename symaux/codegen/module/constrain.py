"""Write ``constrain`` and ``unconstrain``: from a position to the natural values of moved variables, and back."""

from __future__ import annotations

from typing import Any

from symaux.codegen.function.identifiers import identifiers
from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.expression import lower_along
from symaux.codegen.recursion.deterministics import write_deterministics
from symaux.codegen.stabilise.simplify import Simplify
from symaux.formulas.symbols.indices import label, name_of, references
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic, plates_of

THERE = '    """A position with its moved variables back on their own scale: log_tau becomes tau; the rest stays."""'
BACK = '    """The position of given values: the inverse of ``constrain``."""'


def unconstrained_laws(model: Model) -> dict[str, Law]:
    """Return the law on the real line of every variable that was moved there, by the variable's name."""
    laws = [s for s in model.statements if isinstance(s, Law) and s.origin]
    moved = {name_of(law.origin[0].value): law for law in laws if law.origin}
    return {name: law for name, law in moved.items() if name in model.nodes}


def constrain_source(model: Model, names: dict[str, str], simplify: Simplify, free: list[str]) -> tuple[str, set[str]]:
    """Return the text of ``constrain``."""
    moved = unconstrained_laws(model)
    head = ["def constrain(position: dict, data: dict) -> dict:", THERE]
    if not moved:
        return "\n".join([*head, "    return dict(position)"]), set()
    writer = Writer(model, names, simplify, tuple(free))
    write_deterministics(writer, only=frozenset(moved))
    taken, sizes = ", ".join(sorted(repr(law.name) for law in moved.values())), writer.size_lines()
    read = [f"{writer.names[n]} = read({n!r}, position, data)" for n in free if n in writer.names.read]
    pairs = [f"    {name!r}: {writer.names[name]}," for name in moved]
    kept = f"    **{{name: value for name, value in position.items() if name not in {{{taken}}}}},"
    body = [*read, *sizes, *writer.lines, "return {", kept, *pairs, "}"]
    return writer.format("\n".join([*head, *(f"    {line}" if line else "" for line in body)])), writer.helpers


def unconstrain_source(model: Model, simplify: Simplify) -> tuple[str, set[str]]:
    """Return the text of ``unconstrain``; it raises where a bound needs the whole model to be computed."""
    moved = unconstrained_laws(model)
    head = ["def unconstrain(values: dict, data: dict) -> dict:", BACK]
    if not moved:
        return "\n".join([*head, "    return dict(values)"]), set()
    names = identifiers(sorted([*model.nodes, *model.inputs]))
    several = [n for n in moved if len(model.nodes[n].statements) > 1]
    if several:
        reason = f"{several[0]} has elements with laws of their own: give the position itself"
        return "\n".join([*head, f"    raise ValueError({reason!r})"]), set()
    computed = {n for n, node in model.nodes.items() if node.kind == "deterministic"} - set(moved)
    writer = Writer(model, names, simplify, (*moved, *model.inputs), spare=tuple(sorted(model.observed)))
    pairs = []
    for name, law in moved.items():
        assert law.origin is not None
        formula = law.origin[1]
        beyond = sorted({name_of(r) for r in references(formula)} & computed)
        if beyond:
            reason = f"the bounds of {name} are computed from {', '.join(beyond)}: give the position itself"
            return "\n".join([*head, f"    raise ValueError({reason!r})"]), set()
        pairs.append(f"    {law.name!r}: {_code(writer, law, formula)},")
    taken, sizes = ", ".join(sorted(map(repr, moved))), writer.size_lines()
    read = [f"{writer.names[n]} = read({n!r}, values, data)" for n in names if n in writer.names.read]
    kept = f"    **{{name: value for name, value in values.items() if name not in {{{taken}}}}},"
    body = [*read, *sizes, *writer.lines, "return {", kept, *pairs, "}"]
    return writer.format("\n".join([*head, *(f"    {line}" for line in body)])), writer.helpers | {"read"}


def _code(writer: Writer, law: Law, formula: Any) -> str:
    statement = Deterministic(law.value, formula)
    return lower_along(writer.simplify(formula), tuple(map(label, plates_of(statement))), writer.scope(statement)).code
