"""Write a model as a Stan program: loops over elements, latents in transformed parameters, normalised terms of the target."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from symaux.exchange.exporting.spelling.natural_coordinates import NotExported, Unsupported
from symaux.exchange.exporting.stan.array_functions import FUNCTIONS, function_lines
from symaux.exchange.exporting.stan.data import data_lines, declaration, gathered_axes, whole_numbers
from symaux.exchange.exporting.stan.formulas import Names, StanPrinter, wrap_in_loops
from symaux.exchange.exporting.stan.laws import log_density_text
from symaux.exchange.exporting.stan.names import stan_names
from symaux.exchange.exporting.stan.parameters import parameter_declaration
from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.indices import free_plates, indices_of, name_of
from symaux.laws.law import Law
from symaux.model.domains import guards, indicated, indicator
from symaux.model.model import Model
from symaux.model.statements import plates_of, target


@dataclass
class Stan:
    """A program while its formulas are written, and the parts that are unsupported."""

    model: Model
    names: Names
    failed: dict[str, str] = field(default_factory=dict)
    own_functions: list[str] = field(default_factory=list)

    def lines(self, statement: Any, write: Any) -> list[str]:
        """Return the lines of ``write`` in loops over all elements of a statement; lines that these need come first, as far
        outside as possible."""
        loops = [
            (plate, self.names.identifiers[f"plate {plate.label}"], self._start(statement, plate))
            for plate in loop_order(self.model, statement)
        ]
        printer = StanPrinter(self.names, {plate: index for plate, index, _ in loops})
        inner = write(printer)
        chunks, lines = wrap_in_loops(self.names, loops, printer.chunks, inner)
        if not chunks:
            return lines
        body = [*(line for c in chunks for line in c.lines), *lines]
        return ["{", *(f"  {line}" for line in body), "}"]

    def _start(self, statement: Any, plate: Any) -> int:
        node = _node(self.model, statement)
        return node.start(statement) if node and _time(node) == plate else 0

    def guarded(self, name: str, write: Any) -> list[str]:
        """Return the lines of one part; if it is unsupported, record the reason and return no lines."""
        try:
            return write()
        except Unsupported as failure:
            self.failed[name] = str(failure)
            return []


def loop_order(model: Model, statement: Any) -> list[Any]:
    """Return the plates of a statement from the outermost loop to the innermost.

    Time comes first, because a step may read all elements of the one before; last those that one array function fills.
    """
    node = _node(model, statement)
    made = {p for formula in statement.formulas for f in formula.atoms(ArrayFunction) for p in f.results}
    event = set(getattr(statement, "event", ()))
    plates = [plate for plate in plates_of(statement) if plate not in event]
    return sorted(plates, key=lambda plate: 0 if node and plate == _time(node) else 2 if plate in made else 1)


def _node(model: Model, statement: Any) -> Any:
    aim = target(statement)
    return None if aim is None else model.nodes[name_of(aim)]


def _time(node: Any) -> Any:
    return None if node.axis is None else indices_of(target(node.general))[node.axis]


def stan_program(model: Model, title: str) -> str:
    """Return the text of a Stan program; raise NotExported with all parts that are unsupported."""
    stan = Stan(model, stan_names_of(model))
    order = [model.nodes[name] for name in model.order]
    blocks = {
        "data": data_lines(model, stan.names),
        "parameters": [
            line for n in order if n.latent for line in stan.guarded(n.name, lambda n=n: parameter_declaration(stan, n))
        ],
        "transformed parameters": _transformed(stan, [n for n in order if n.kind == "deterministic"]),
        "model": _terms(stan, [n for n in order if n.kind == "stochastic"]),
    }
    if stan.failed:
        raise NotExported("Stan", stan.failed)
    carried = function_lines(stan.names.functions, stan.names.identifiers) + stan.own_functions
    told = "\n".join(f"// {line}".rstrip() for line in [title, *_about(model), "", *str(model).splitlines()])
    written = [
        f"{name} {{\n" + "\n".join(f"  {line}" for line in lines) + "\n}"
        for name, lines in {"functions": carried, **blocks}.items()
        if lines
    ]
    return "\n".join([told, *written, ""])


def _about(model: Model) -> list[str]:
    """Return the comments about the data for users of the program."""
    told = ["Terms keep their constants. The data block says which data to give, in which shapes."]
    if gathered_axes(model):
        told.append("Whole numbers that pick elements count from 0, as in the model: the program adds the one.")
    return told


def stan_names_of(model: Model) -> Names:
    """Return the names of a model's variables, plates, functions and sizes in its program."""
    from symaux.language.print_model import plates

    used: set[str] = set()
    given = stan_names([*model.nodes, *model.inputs], used)
    labels = [str(p.label) for p in plates(model)]
    given |= {f"plate {n}": i for n, i in zip(labels, stan_names(labels, used).values(), strict=True)}
    given |= {f"function {n}": i for n, i in stan_names(FUNCTIONS, used).items()}
    groups = sorted(set(model.axes.group.values()))
    sizes = {g: str(n) for g, n in model.axes.lengths.items()}
    for group in groups:
        if group not in sizes:
            (sizes[group],) = stan_names([f"N_{group}"], used).values()
    every = {key: sizes[group] for key, group in model.axes.group.items() if isinstance(key, str)}
    return Names(given, sizes | every, whole_numbers(model), used)


def _transformed(stan: Stan, nodes: list[Any]) -> list[str]:
    lines = [declaration(stan.model, stan.names, "real", node.name) for node in nodes]
    for node in nodes:
        for statement in node.statements:
            lines += stan.guarded(node.name, lambda s=statement: stan.lines(s, lambda p: [_assigned(p, s)]))
    return lines


def _assigned(printer: StanPrinter, statement: Any) -> str:
    return f"{printer._print(target(statement))} = {printer._print(statement.formula)};"


def _terms(stan: Stan, nodes: list[Any]) -> list[str]:
    lines = [line for statement, condition in guards(stan.model) for line in _rejection(stan, statement, condition)]
    for node in nodes:
        for statement in node.statements:
            assert isinstance(statement, Law)
            if statement.proper or statement.log_density != 0:
                lines += stan.guarded(
                    node.name, lambda s=statement: stan.lines(s, lambda p: [f"target += {log_density_text(p, s)};"])
                )
    for number, factor in enumerate(stan.model.factors, 1):
        if indicated(factor) is not None:
            continue
        lines += stan.guarded(
            f"factor {number}",
            lambda f=factor: stan.lines(f, lambda p: [f"target += {p._print(f.formula)};"]),
        )
    return lines


def _rejection(stan: Stan, statement: Any, condition: Any) -> list[str]:
    """Return the lines that reject a point where a condition fails, as Stan's own distributions do: its log-density is −∞."""
    term = indicator(condition)
    more = free_plates(condition) <= set(plates_of(statement))
    where = statement if more and isinstance(statement, Law) and not statement.event else term
    return stan.guarded(
        str(condition),
        lambda: stan.lines(
            where, lambda p: [f'if (!({p._print(condition)})) reject("{_printable_ascii(condition)} does not hold");']
        ),
    )


def _printable_ascii(condition: Any) -> str:
    return "".join(c for c in str(condition) if c.isascii() and c not in '"\\')


__all__ = ["stan_program"]
