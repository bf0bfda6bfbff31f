"""Write a model as a NumPyro function or a PyMC model: sampled noise, then formulas over whole arrays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from symaux.codegen.function.identifiers import TAKEN, fresh_identifier, identifiers
from symaux.exchange.exporting.python.formulas import ArrayFormula
from symaux.exchange.exporting.python.functions import carried_source
from symaux.exchange.exporting.python.pytensor_library import PYTENSOR
from symaux.exchange.exporting.python.scan import scan_lines
from symaux.exchange.exporting.python.unnamed_laws import declare_flat, log_density_text
from symaux.exchange.exporting.spelling.domains import with_explicit_domains
from symaux.exchange.exporting.spelling.natural_coordinates import NotExported, Unsupported
from symaux.exchange.exporting.spelling.tables import JNP, NUMPYRO, PT, PYMC, Family
from symaux.formulas.symbols.indices import extent, free_plates
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.node import Node
from symaux.model.statements import Deterministic, plates_of, target

RESERVED = ("jax", "jnp", "dist", "numpyro", "special", "lax", "math", "pm", "pt", "pytensor", "model", "np", "step")
RESERVED += ("built", "held", "given", "new", "core", "random", "linalg", *PYTENSOR)


@dataclass
class Source:
    """The lines of a function while they are written, and the parts that are unsupported."""

    model: Model
    kind: str  # numpyro or pymc
    names: dict[str, str]
    lines: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    carries: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)

    @property
    def module(self) -> str:
        return "jnp" if self.kind == "numpyro" else "pt"

    @property
    def functions(self) -> Mapping[Any, str]:
        return JNP if self.kind == "numpyro" else PT

    @property
    def families(self) -> Mapping[str, Family]:
        return NUMPYRO if self.kind == "numpyro" else PYMC

    def formula(self, statement: Any, start: int = 0, axis: Any = None) -> ArrayFormula:
        """Return a printer for the formulas of a statement, along its plates."""
        event = getattr(statement, "event", ())
        plates = tuple(i for i in getattr(target(statement), "indices", ()) if not i.is_Integer and i not in event)
        starts = {axis: start} if axis is not None and start else {}
        return ArrayFormula(self.functions, self.names, self.module, plates, starts, carries=self.carries)

    def shape(self, writer: ArrayFormula, event: tuple[Any, ...] = ()) -> str:
        sizes = [writer.length(plate) for plate in (*writer.axes, *event)]
        return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"

    def fresh(self, stem: str) -> str:
        """Return an unused name for something without a name in the model: a term, or an intermediate value."""
        made = fresh_identifier(stem, self.used)
        self.used.add(made)
        return made

    def node(self, node: Node) -> None:
        """Append the lines of a variable."""
        if node.kind == "deterministic":
            self._deterministic(node)
        elif node.initial:
            self._series(node)
        else:
            self._sampled(node)

    def _sampled(self, node: Node) -> None:
        law = node.general
        assert isinstance(law, Law)
        writer, name = self.formula(law), self.names[node.name]
        made = self._distribution(law, writer)
        if made is None:
            self._by_density(node, law, writer)
        elif self.kind == "numpyro":
            expanded = f".expand({self.shape(writer)})" if writer.axes else ""
            observed = f", obs={name}" if node.observed else ""
            left = "" if node.observed else f"{name} = "
            self.lines.append(f'{left}numpyro.sample("{name}", dist.{made}{expanded}{observed})')
        else:
            shape = f", shape={self.shape(writer)}" if writer.axes else ""
            observed = f", observed={name}" if node.observed else ""
            left = "" if node.observed else f"{name} = "
            opening, rest = made.split("(", 1)
            self.lines.append(f'{left}pm.{opening}("{name}", {rest[:-1]}{shape}{observed})')

    def _distribution(self, law: Law, writer: ArrayFormula) -> str | None:
        family = self.families.get(law.spelling.family) if law.spelling else None
        if family is None or law.spelling is None:
            return None
        given = [self._number(writer, a) for a in law.spelling.arguments]
        return f"{family.name}({family.arguments.format(*given)})"

    def _number(self, writer: ArrayFormula, argument: Any) -> str:
        """Print an argument; an integer as a float for PyMC, which takes logarithms of integers in low precision."""
        text = writer.text(argument)
        return f"{text}.0" if argument.is_Integer and self.kind == "pymc" and text.lstrip("-").isdigit() else text

    def _by_density(self, node: Node, law: Law, writer: ArrayFormula) -> None:
        """Append the lines of a law that the target lacks: a flat variable on its support, and its log-density as a term."""
        if not node.observed:
            declare_flat(self, node, law, writer)
        if law.log_density != 0:
            self._term(self.fresh(f"{self.names[node.name]}_law"), writer, log_density_text(law, writer))

    def _term(self, name: str, writer: ArrayFormula, text: str) -> None:
        """Append a term of the log-density, summed over the statement's plates."""
        if text == "0":
            return
        if writer.axes:
            whole = f"{self.module}.broadcast_to({text}, {self.shape(writer)})"
            text = f"{self.module}.sum({whole})"
        elif self.kind == "pymc":
            text = f"pt.as_tensor({text})"  # of data alone it is a number, which cannot be named
        call = "numpyro.factor" if self.kind == "numpyro" else "pm.Potential"
        self.lines.append(f'{call}("{name}", {text})')

    def _series(self, node: Node) -> None:
        """Append the lines of a lagged variable: its elements are flat, or observed, and every statement is a term."""
        general = node.general
        assert isinstance(general, Law)
        writer = self.formula(general)
        axis = getattr(general.value, "indices", ())[node.axis or 0]
        if not node.observed:
            if any(s.support != general.support for s in node.statements if isinstance(s, Law)):
                raise Unsupported("its first elements have another support than the rest")
            declare_flat(self, node, general, writer)
        for number, statement in enumerate(node.statements):
            assert isinstance(statement, Law)
            at = self.formula(statement, node.start(statement), axis)
            self._term(self.fresh(f"{self.names[node.name]}_law_{number}"), at, log_density_text(statement, at))

    def _deterministic(self, node: Node) -> None:
        name = self.names[node.name]
        if node.initial:
            self.lines += scan_lines(self, node)
        else:
            general = node.general
            assert isinstance(general, Deterministic)
            writer = self.formula(general)
            text = writer.text(general.formula)
            if writer.axes and not _covers(general.formula, writer.axes):
                text = f"{self.module}.broadcast_to({text}, {self.shape(writer)})"
            self.lines.append(f"{name} = {text}")
        if node.name not in self.model.auxiliary:
            call = "numpyro.deterministic" if self.kind == "numpyro" else "pm.Deterministic"
            self.lines.append(f'{call}("{name}", {name})')


def _covers(formula: Any, axes: tuple[Any, ...]) -> bool:
    """Return whether a formula has every axis, so that it need not be broadcast."""
    return set(axes) <= free_plates(formula)


def python_source(model: Model, kind: str, title: str) -> str:
    """Return the text of a module with ``model(...)``; raise NotExported with all parts that are unsupported."""
    model = with_explicit_domains(model)
    names = identifiers([*model.nodes, *model.inputs], taken=RESERVED)
    sizes, openings = _sizes(model, names)
    source = Source(model, kind, names | sizes, list(openings))
    source.used |= {*RESERVED, *TAKEN, *source.names.values()}
    for name in model.order:
        try:
            source.node(model.nodes[name])
        except Unsupported as failure:
            source.failed[name] = str(failure)
    for number, term in enumerate(model.factors, 1):
        try:
            writer = replace(source.formula(term), axes=plates_of(term))
            source._term(source.fresh(f"factor_{number}"), writer, writer.text(term.formula))
        except Unsupported as failure:
            source.failed[f"factor {number}"] = str(failure)
    if source.failed:
        raise NotExported("NumPyro" if kind == "numpyro" else "PyMC", source.failed)
    return _assembled(model, kind, source, title)


def _sizes(model: Model, names: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return names for the sizes that the data give, and the lines that read them."""
    from symaux.language.print_model import plates

    made, lines, used = {}, [], {*RESERVED, *TAKEN, *names.values()}
    for plate in plates(model):
        if extent(plate).is_Integer:
            continue
        group = model.axes.of_plate(plate)
        for name in sorted({*model.inputs, *model.observed}):
            if group in model.axes.of_array(name):
                size = made[f"size of {plate.label}"] = fresh_identifier(f"size_{plate.label}", used)
                used.add(size)
                lines.append(f"{size} = {names[name]}.shape[{model.axes.of_array(name).index(group)}]")
                break
        else:
            raise NotExported("arrays", {str(plate.label): "its size is not that of any data"})
    return made, lines


def _assembled(model: Model, kind: str, source: Source, title: str) -> str:
    arguments = [source.names[n] for n in (*model.inputs, *sorted(model.observed))]
    body = "\n".join(source.lines)
    if kind == "numpyro":
        imports = ["import numpyro", "import numpyro.distributions as dist"]
        used = {"jax.": "import jax", "jnp.": "import jax.numpy as jnp", "math.": "import math"}
        used |= {"special.": "from jax.scipy import special", "lax.": "from jax import lax"}
        head, lines = f"def model({', '.join(arguments)}):", source.lines
    else:
        imports = ["import pymc as pm"]
        used = {"pt.": "import pytensor.tensor as pt", "math.": "import math", "pytensor.scan": "import pytensor"}
        used |= {"np.": "import numpy as np"}
        head, lines = f"def model({', '.join(arguments)}):", ["with pm.Model() as built:"]
        lines += [f"    {line}" for line in source.lines] + ["return built"]
    imports += [text for mark, text in used.items() if _uses(body, mark)]
    helpers, needed = carried_source(kind, source.carries, body)
    imports += needed
    told = "\n".join(f"    {line}" for line in str(model).splitlines()).replace('"""', "'''").replace("\\", "\\\\")
    order = sorted(set(imports), key=lambda line: (line.startswith("from"), line))
    text = "\n".join(f"    {line}" for line in lines)
    parts = [f'"""{title}\n\n{told}\n"""', "\n".join(order), *helpers, f"{head}\n{text}"]
    return "\n\n\n".join(parts).replace('"""\n\n\n', '"""\n\n', 1) + "\n"


def _uses(body: str, mark: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(mark)}", body) is not None


__all__ = ["python_source"]
