"""Write the module of a model: all its functions, in one file that imports only jax."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from symaux.codegen import library_text as helpers
from symaux.codegen.function.format import with_double_quotes
from symaux.codegen.function.identifiers import identifiers
from symaux.codegen.function.writer import Writer
from symaux.codegen.module.constrain import constrain_source, unconstrain_source
from symaux.codegen.module.docstring import module_docstring
from symaux.codegen.module.guards import write_guards
from symaux.codegen.module.log_density import formula_of, write_log_density
from symaux.codegen.module.prepare import prepare_source
from symaux.codegen.module.sample_prior import sample_prior_source
from symaux.codegen.module.statistics import CollapsedStatement, statistic_key, statistics_source
from symaux.codegen.module.statistics_plan import Collapse, plan_statistics
from symaux.codegen.recursion.checkpoint import find_blocks
from symaux.codegen.recursion.deterministics import write_deterministics
from symaux.codegen.recursion.scan_text import tuple_code
from symaux.codegen.stabilise.known_exponentials import known_exponentials
from symaux.codegen.stabilise.model import stabilise_model
from symaux.codegen.stabilise.simplify import Simplification, Simplify, simplifier
from symaux.laws.law import Law
from symaux.model.domains import indicated
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Factor

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
    """Return the text of a module: prepare, log_density, value_and_grad, generate, sample_prior, (un)constrain.

    ``sampling`` is the same model with every law replaced by parameter-free noise, or the reason why there is none;
    ``collapses`` are the rules for sums over data, and ``dropped`` the names whose terms are left out, if any are.
    """
    names = identifiers(sorted([*model.nodes, *model.inputs]))
    simplify = simplifier(simplifications)
    stated, model = model, stabilise_model(model, simplifications)
    collapsed = _collect(model, simplify, collapses, dropped)
    doc = "The log-density at a position, up to " + ("no constant" if dropped is None else "a constant") + ": a scalar."
    functions = [
        *([statistics_source(model, names, simplify, collapsed)] if collapsed else []),
        prepare_source(model, names, simplify, bool(collapsed)),
        _function(
            "log_density",
            doc,
            model,
            names,
            simplify,
            write_log_density,
            recursions,
            collected=tuple(collapsed),
            dropped=dropped,
        ),
        (VALUE_AND_GRAD, set()),
        _generate(model, names, simplify, recursions),
        constrain_source(model, names, simplify, _free(model)),
        unconstrain_source(model, simplify),
        sample_prior_source(model, sampling, simplify),
    ]
    used = set().union(*(h for _, h in functions))
    body = "\n\n\n".join([*helpers.source(used), *(text for text, _ in functions)])
    constants = _constants(model, [key for statement in collapsed for key in statement.keys])
    return f'"""{module_docstring(stated, title, derivation)}"""\n\n{_imports(body)}\n\n{constants}\n\n\n{body}\n'


def _collect(
    model: Model, simplify: Simplify, collapses: Sequence[Collapse], dropped: frozenset[str] | None
) -> list[CollapsedStatement]:
    """Return the statements whose sums over data can be computed once, before any gradient."""
    collapsed, taken, known = [], {*model.nodes, *model.inputs}, known_exponentials(model)
    for statement in (s for s in model.statements if not isinstance(s, Deterministic)):
        if isinstance(statement, Factor) and indicated(statement) is not None:
            continue
        plan = plan_statistics(model, statement, formula_of(statement, model, simplify, known, dropped), collapses)
        if plan is not None:
            name = statement.name if isinstance(statement, Law) else "a factor"
            start = sum(len(other.keys) for other in collapsed)
            keys = tuple(statistic_key(name, start + number, taken) for number in range(len(plan.slots)))
            collapsed.append(CollapsedStatement(statement, plan, keys))
    return collapsed


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
    shapes = "\n".join(f"    {name!r}: {tuple_code([repr(a) for a in model.axes.of_array(name)])}," for name in arrays)
    sizes = "".join(f"    {group!r}: {length},\n" for group, length in sorted(model.axes.lengths.items()))
    index = ", ".join(map(repr, sorted(model.index_arrays)))
    return with_double_quotes(
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
    """Return a function of position and data: it reads its arrays, computes deterministic nodes, and ends as ``write`` says."""
    free = _free(model)
    shaped = sorted(free, key=lambda n: (n in model.observed, n in model.inputs, n))
    spare = () if write is write_log_density else tuple(n for n in shaped if n in model.observed)
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
    if write is write_log_density and recursions == "checkpoint":
        writer.blocks = tuple(find_blocks(writer))
    read = _read_by(writer, write)
    if write is write_log_density and write_guards(writer):
        write = partial(write, guarded=True)
    write_deterministics(writer, only=read)
    write(writer)
    return _assembled(name, doc, writer, free), writer.helpers | {"read"}


def _read_by(writer: Writer, write: Any) -> frozenset[str]:
    """Return the variables that ``write`` reads, by a trial run: only those are computed."""
    trial = replace(writer, names=dict(writer.names), lines=[], sizes={}, helpers=set(), used=set(writer.used))
    write(trial)
    return frozenset(trial.names.read)


def _assembled(name: str, doc: str, writer: Writer, free: list[str]) -> str:
    body = [*writer.size_lines(), *writer.lines]
    needed = [n for n in free if n in writer.names.read]
    lines = [f"def {name}(position: dict, data: dict) -> {RETURNS[name]}:", f'    """{doc}"""']
    lines += [f"    {writer.names[n]} = read({n!r}, position, data)" for n in needed]
    lines += [f"    {line}" if line else "" for line in body]
    return writer.format("\n".join(lines))


def _generate(model: Model, names: dict[str, str], simplify: Any, recursions: str) -> tuple[str, set[str]]:
    wanted = [n for n, node in model.nodes.items() if not node.observed and n not in model.auxiliary]

    def write(writer: Writer) -> None:
        pairs = [f"    {n!r}: {writer.names[n]}," for n in wanted]
        writer.lines.extend(["return {", *pairs, "}"] if wanted else ["return {}"])

    return _function(
        "generate", "The values of the model's own variables at a position.", model, names, simplify, write, recursions
    )
