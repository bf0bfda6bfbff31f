"""The exported module: everything that a model means, in one file that imports only jax."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from symaux.codegen import library_text as helpers
from symaux.codegen.function.format import double_quoted
from symaux.codegen.function.identifiers import identifiers
from symaux.codegen.function.writer import Writer
from symaux.codegen.module.constrain import constrain, unconstrain
from symaux.codegen.module.docstring import heading
from symaux.codegen.module.log_density import density, formula_of
from symaux.codegen.module.prepare import prepare
from symaux.codegen.module.sample_prior import draw
from symaux.codegen.module.statistics import Collected, key, statistics
from symaux.codegen.module.statistics_plan import Collapse, planned
from symaux.codegen.recursion.checkpoint import blocks
from symaux.codegen.recursion.deterministics import compute
from symaux.codegen.recursion.scan_text import listed
from symaux.codegen.stabilise.known_exponentials import exponentials
from symaux.codegen.stabilise.model import steadied
from symaux.codegen.stabilise.simplify import Simplification, Simplify, simplifier
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic

IMPORTS = {
    "jax.": "import jax",
    "jnp.": "import jax.numpy as jnp",
    "core.": "from jax import core",
    "lax.": "from jax import lax",
    "random.": "from jax import random",
    "special.": "from jax.scipy import special",
    "linalg.": "from jax.scipy import linalg",
}
RETURNS = {"log_density": "jax.Array", "generate": "dict"}


VALUE_AND_GRAD = '''\
def value_and_grad(position: dict, data: dict) -> tuple[jax.Array, dict]:
    """The log-density at a position, and its gradient there."""
    return jax.value_and_grad(log_density)(position, data)'''


def to_source(
    model: Model,
    simplifications: Sequence[Simplification] = (),
    sampling: Any = None,
    title: str = "",
    derivation: Any = None,
    recursions: str = "scan",
    collapses: Sequence[Collapse] = (),
    dropped: frozenset[str] | None = None,
) -> str:
    """Return the text of a module: prepare, log_density, value_and_grad, generate, sample_prior, constrain and
    unconstrain.

    ``sampling`` is the same model with every law replaced by parameter-free noise, or the reason why there is none;
    ``collapses`` are the rules for sums over data, and ``dropped`` the names whose terms are left out, if any are.
    """
    names = identifiers(sorted([*model.nodes, *model.inputs]))
    simplify = simplifier(simplifications)
    stated, model = model, steadied(model, simplifications)
    found = _collected(model, simplify, collapses, dropped)
    told = (
        "The log-density at a position, up to " + ("no constant" if dropped is None else "a constant") + ": a scalar."
    )
    functions = [
        *([statistics(model, names, simplify, found)] if found else []),
        prepare(model, names, simplify, bool(found)),
        _function(
            "log_density", told, model, names, simplify, density, recursions, collected=tuple(found), dropped=dropped
        ),
        (VALUE_AND_GRAD, set()),
        _generate(model, names, simplify, recursions),
        constrain(model, names, simplify, _free(model)),
        unconstrain(model, simplify),
        draw(model, sampling, simplify),
    ]
    used = set().union(*(h for _, h in functions))
    body = "\n\n\n".join([*helpers.source(used), *(text for text, _ in functions)])
    constants = _constants(model, [key for made in found for key in made.keys])
    return f'"""{heading(stated, title, derivation)}"""\n\n{_imports(body)}\n\n{constants}\n\n\n{body}\n'


def _collected(
    model: Model, simplify: Simplify, collapses: Sequence[Collapse], dropped: frozenset[str] | None
) -> list[Collected]:
    """Return the statements whose sums over data can be made before any gradient."""
    found, taken, known = [], {*model.nodes, *model.inputs}, exponentials(model)
    for statement in (s for s in model.statements if not isinstance(s, Deterministic)):
        plan = planned(model, statement, formula_of(statement, model, simplify, known, dropped), collapses)
        if plan is not None:
            name = statement.name if isinstance(statement, Law) else "a factor"
            start = sum(len(made.keys) for made in found)
            keys = tuple(key(name, start + number, taken) for number in range(len(plan.slots)))
            found.append(Collected(statement, plan, keys))
    return found


def _imports(body: str) -> str:
    lines = [line for mark, line in IMPORTS.items() if _uses(body, mark)]
    plain = sorted(line for line in lines if line.startswith("import"))
    merged = sorted(line.removeprefix("from jax import ") for line in lines if line.startswith("from jax import"))
    scipy = sorted(line.removeprefix("from jax.scipy import ") for line in lines if "jax.scipy" in line)
    parts = [*plain, *([f"from jax import {', '.join(merged)}"] if merged else [])]
    return "\n".join([*parts, *([f"from jax.scipy import {', '.join(scipy)}"] if scipy else [])])


def _uses(body: str, mark: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(mark)}", body) is not None


def _constants(model: Model, keys: list[str]) -> str:
    arrays = sorted([*model.inputs, *model.nodes])
    shapes = "\n".join(f"    {name!r}: {listed([repr(a) for a in model.axes.of_array(name)])}," for name in arrays)
    sizes = "".join(f"    {group!r}: {length},\n" for group, length in sorted(model.axes.lengths.items()))
    index = ", ".join(map(repr, sorted(model.index_arrays)))
    return double_quoted(
        f"SHAPES = {{\n{shapes}\n}}  # the plates along the axes of every variable\n"
        f"SIZES = {{{chr(10) + sizes if sizes else ''}}}  # the lengths that the model fixes\n"
        f"INDICES = frozenset([{index}])  # whole numbers that pick elements"
        + (f"\nSTATISTICS = {{\n{''.join(f'    {k!r},{chr(10)}' for k in keys)}}}  # what prepare adds" if keys else "")
    )


def _free(model: Model) -> list[str]:
    return [n for n in (*model.nodes, *model.inputs) if n not in model.nodes or model.nodes[n].kind == "stochastic"]


def _function(
    name: str, doc: str, model: Model, names: dict[str, str], simplify: Any, write: Any, recursions: str, **more: Any
) -> tuple[str, set[str]]:
    """Return a function of a position and data: reads what it needs, computes the deterministic nodes, then
    ``write``."""
    free = _free(model)
    shaped = sorted(free, key=lambda n: (n in model.observed, n in model.inputs, n))
    spare = () if write is density else tuple(n for n in shaped if n in model.observed)
    writer = Writer(
        model,
        names,
        simplify,
        tuple(n for n in shaped if n not in spare),
        spare=spare,
        recursions=recursions,
        differentiable=True,
        **more,
    )
    if write is density and recursions == "checkpoint":
        writer.blocks = tuple(blocks(writer))
    compute(writer, only=_read_by(writer, write))
    write(writer)
    return _assembled(name, doc, writer, free), writer.helpers | {"read"}


def _read_by(writer: Writer, write: Any) -> frozenset[str]:
    """Return the variables that what is written reads: only those are computed."""
    trial = replace(writer, names=dict(writer.names), lines=[], sizes={}, helpers=set(), used=set(writer.used))
    write(trial)
    return frozenset(trial.names.read)


def _assembled(name: str, doc: str, writer: Writer, free: list[str]) -> str:
    body = [*writer.size_lines(), *writer.lines]
    needed = [n for n in free if n in writer.names.read]
    lines = [f"def {name}(position: dict, data: dict) -> {RETURNS[name]}:", f'    """{doc}"""']
    lines += [f"    {writer.names[n]} = read({n!r}, position, data)" for n in needed]
    lines += [f"    {line}" if line else "" for line in body]
    return writer.laid_out("\n".join(lines))


def _generate(model: Model, names: dict[str, str], simplify: Any, recursions: str) -> tuple[str, set[str]]:
    wanted = [n for n, node in model.nodes.items() if not node.observed and n not in model.auxiliary]

    def write(writer: Writer) -> None:
        pairs = [f"    {n!r}: {writer.names[n]}," for n in wanted]
        writer.lines.extend(["return {", *pairs, "}"] if wanted else ["return {}"])

    return _function(
        "generate", "The values of the model's own variables at a position.", model, names, simplify, write, recursions
    )
