"""``constrain`` and ``unconstrain``: between a position and the natural values of variables that were moved."""

from __future__ import annotations

from typing import Any

from symaux.codegen.function.identifiers import identifiers
from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.expression import evaluated
from symaux.codegen.recursion.deterministics import compute
from symaux.codegen.stabilise.simplify import Simplify
from symaux.formulas.symbols.indices import label, name_of, references
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic, plates_of

THERE = '    """A position with its moved variables back on their own scale: log_tau becomes tau; the rest stays."""'
BACK = '    """The position of given values: the inverse of ``constrain``."""'


def moved(model: Model) -> dict[str, Law]:
    """Return the name of every variable that was moved to the real line, with the law that it has there."""
    laws = [s for s in model.statements if isinstance(s, Law) and s.origin]
    found = {name_of(law.origin[0].value): law for law in laws if law.origin}
    return {name: law for name, law in found.items() if name in model.nodes}


def constrain(model: Model, names: dict[str, str], simplify: Simplify, free: list[str]) -> tuple[str, set[str]]:
    """Return the text of ``constrain``."""
    found = moved(model)
    head = ["def constrain(position: dict, data: dict) -> dict:", THERE]
    if not found:
        return "\n".join([*head, "    return dict(position)"]), set()
    writer = Writer(model, names, simplify, tuple(free))
    compute(writer, only=frozenset(found))
    taken, sizes = ", ".join(sorted(repr(law.name) for law in found.values())), writer.size_lines()
    read = [f"{writer.names[n]} = read({n!r}, position, data)" for n in free if n in writer.names.read]
    pairs = [f"    {name!r}: {writer.names[name]}," for name in found]
    kept = f"    **{{name: value for name, value in position.items() if name not in {{{taken}}}}},"
    body = [*read, *sizes, *writer.lines, "return {", kept, *pairs, "}"]
    return writer.laid_out("\n".join([*head, *(f"    {line}" if line else "" for line in body)])), writer.helpers


def unconstrain(model: Model, simplify: Simplify) -> tuple[str, set[str]]:
    """Return the text of ``unconstrain``; a bound that only the whole model could compute is refused when it is
    called."""
    found = moved(model)
    head = ["def unconstrain(values: dict, data: dict) -> dict:", BACK]
    if not found:
        return "\n".join([*head, "    return dict(values)"]), set()
    names = identifiers(sorted([*model.nodes, *model.inputs]))
    several = [n for n in found if len(model.nodes[n].statements) > 1]
    if several:
        reason = f"{several[0]} has elements with laws of their own: give the position itself"
        return "\n".join([*head, f"    raise ValueError({reason!r})"]), set()
    computed = {n for n, node in model.nodes.items() if node.kind == "deterministic"} - set(found)
    writer = Writer(model, names, simplify, (*found, *model.inputs), spare=tuple(sorted(model.observed)))
    pairs = []
    for name, law in found.items():
        assert law.origin is not None
        formula = law.origin[1]
        beyond = sorted({name_of(r) for r in references(formula)} & computed)
        if beyond:
            reason = f"the bounds of {name} are computed from {', '.join(beyond)}: give the position itself"
            return "\n".join([*head, f"    raise ValueError({reason!r})"]), set()
        pairs.append(f"    {law.name!r}: {_code(writer, law, formula)},")
    taken, sizes = ", ".join(sorted(map(repr, found))), writer.size_lines()
    read = [f"{writer.names[n]} = read({n!r}, values, data)" for n in names if n in writer.names.read]
    kept = f"    **{{name: value for name, value in values.items() if name not in {{{taken}}}}},"
    body = [*read, *sizes, *writer.lines, "return {", kept, *pairs, "}"]
    return writer.laid_out("\n".join([*head, *(f"    {line}" for line in body)])), writer.helpers | {"read"}


def _code(writer: Writer, law: Law, formula: Any) -> str:
    statement = Deterministic(law.value, formula)
    return evaluated(writer.simplify(formula), tuple(map(label, plates_of(statement))), writer.scope(statement)).code
