"""Write ``sample_prior(key, data)``, which draws noise and applies the generating functions."""

from __future__ import annotations

from symaux.codegen.function.format import format_source
from symaux.codegen.function.identifiers import identifiers
from symaux.codegen.function.writer import Writer
from symaux.codegen.recursion.deterministics import write_deterministics
from symaux.codegen.stabilise.simplify import Simplify
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_normal, is_standard_uniform
from symaux.model.model import Model

DOC = '    """A draw of every variable; data give the inputs, and the lengths of plates that the model leaves open."""'


def sample_prior_source(model: Model, sampling: Model | str | None, simplify: Simplify) -> tuple[str, set[str]]:
    """Return the text of ``sample_prior``; where there is no sampler, it raises with the reason."""
    head = ["def sample_prior(key: jax.Array, data: dict) -> dict:", DOC]
    if not isinstance(sampling, Model):
        reason = sampling or "this module was made without a sampler"
        return format_source("\n".join([*head, f"    raise ValueError({reason!r})"]), str), set()
    names = identifiers(sorted([*sampling.nodes, *sampling.inputs]))
    writer = Writer(sampling, names, simplify, (), table="sizes")
    noises = [name for name, node in sampling.nodes.items() if node.kind == "stochastic"]
    writer.helpers |= {"lengths", "read"}
    for position, name in enumerate(noises):
        law = sampling.nodes[name].general
        assert isinstance(law, Law)
        shape = [f"sizes[{group!r}]" for group in sampling.axes.of_array(name)]
        writer.append_line(f"{writer.names[name]} = {_noise(writer, law)}(keys[{position}], {_tuple(shape)})")
    write_deterministics(writer)
    pairs = [f"    {name!r}: {writer.names[name]}," for name in model.nodes]
    inputs = [
        f"{writer.names[name]} = read({name!r}, {{}}, data)" for name in sampling.inputs if name in writer.names.read
    ]
    more = {group: n for group, n in sorted(sampling.axes.lengths.items()) if group not in model.axes.lengths}
    table = f"lengths(data) | {more!r}" if more else "lengths(data)"  # plates of the noise alone, such as pairs of rows
    setup = [f"sizes = {table}", *([f"keys = random.split(key, {len(noises)})"] if noises else []), *inputs]
    if not any("sizes[" in line for line in (*writer.size_lines(), *writer.lines)):
        setup[0] = "lengths(data)"
    body = [*setup, *writer.size_lines(), *writer.lines, "return {", *pairs, "}"]
    return writer.format("\n".join([*head, *(f"    {line}" if line else "" for line in body)])), writer.helpers


def _noise(writer: Writer, law: Law) -> str:
    if is_standard_normal(law):
        return "random.normal"
    assert is_standard_uniform(law), law
    writer.helpers.add("uniform")
    return "uniform"


def _tuple(parts: list[str]) -> str:
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
