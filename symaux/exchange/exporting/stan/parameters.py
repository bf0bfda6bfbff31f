"""Declare the parameters of a Stan program with their supports; bounds that differ by element are a function's array."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.exchange.exporting.spelling.natural_coordinates import Unsupported
from symaux.exchange.exporting.stan.data import argument_type, declaration
from symaux.exchange.exporting.stan.formulas import StanPrinter
from symaux.exchange.exporting.stan.names import fresh_name
from symaux.formulas.symbols.indices import at_index, free_plates, indices_of, name_of, references
from symaux.formulas.symbols.support import CorrelationFactors, Interval, PositiveDefinite, Simplex, Vectors
from symaux.laws.law import Law
from symaux.model.statements import Deterministic, target

SHAPED = {Simplex: "simplex", CorrelationFactors: "cholesky_factor_corr", PositiveDefinite: "cov_matrix"}


def parameter_declaration(stan: Any, node: Any) -> list[str]:
    """Return the declaration of a latent variable."""
    law = node.general
    assert isinstance(law, Law)
    if type(law.support) in SHAPED:
        return [_shaped(stan, node, law)]
    if isinstance(law.support, Vectors):
        return [declaration(stan.model, stan.names, "real", node.name)]
    if not all(isinstance(s.support, Interval) for s in node.statements):
        raise Unsupported(f"its support {law.support} is not supported")
    told = [
        f"{word}={_bound(stan, node, word)}"
        for word, none in {"lower": -sp.oo, "upper": sp.oo}.items()
        if any(getattr(s.support, word) != none for s in node.statements)
    ]
    return [declaration(stan.model, stan.names, f"real<{', '.join(told)}>" if told else "real", node.name)]


def _shaped(stan: Any, node: Any, law: Law) -> str:
    """Return the declaration of a vector or matrix of one of Stan's constrained types, in an array over the other plates."""
    if node.initial or indices_of(law.value)[-len(law.event) :] != law.event:
        raise Unsupported(f"a series of points on {law.support} is not supported")
    sizes = [stan.names.size(group) for group in stan.model.axes.of_array(node.name)]
    before, own = sizes[: -len(law.event)], sizes[-1]
    array = f"array[{', '.join(before)}] " if before else ""
    return f"{array}{SHAPED[type(law.support)]}[{own}] {stan.names.identifiers[node.name]};"


def _bound(stan: Any, node: Any, word: str) -> str:
    """Print a bound for all elements, or the call of a function that returns one for each."""
    formulas = [_stated(stan.model, getattr(s.support, word)) for s in node.statements]
    if any(name_of(r) == node.name for f in formulas for r in references(f)):
        raise Unsupported("its bounds depend on its own earlier elements")
    if len(set(formulas)) == 1 and not free_plates(formulas[0]):
        return _printed(StanPrinter(stan.names), formulas[0])
    read = sorted({name_of(r) for f in formulas for r in references(f)})
    sizes = sorted({s for s in stan.names.sizes.values() if not s.isdigit()})
    name = fresh_name(f"{word}_of_{stan.names.identifiers[node.name]}", stan.names.used)
    typed = [f"int {s}" for s in sizes] + [
        f"{argument_type(stan.model, stan.names, r)} {stan.names.identifiers[r]}" for r in read
    ]
    stan.own_functions += _function(stan, node, name, typed, formulas)
    return f"{name}({', '.join([*sizes, *(stan.names.identifiers[r] for r in read)])})"


def _function(stan: Any, node: Any, name: str, arguments: list[str], formulas: list[Any]) -> list[str]:
    shape = ", ".join(stan.names.size(group) for group in stan.model.axes.of_array(node.name))
    made = stan.names.fresh("bound")
    lines = [f"array[{shape}] real {made};"]
    for statement, formula in zip(node.statements, formulas, strict=True):

        def assigned(printer: StanPrinter, statement: Any = statement, formula: Any = formula) -> list[str]:
            places = ", ".join(map(printer._place, indices_of(target(statement))))
            return [f"{made}[{places}] = {printer._print(formula)};"]

        lines += stan.lines(statement, assigned)
    commas = "," * shape.count(",")
    head = f"array[{commas}] real {name}({', '.join(arguments)}) {{"
    return [head, *(f"  {line}" for line in lines), f"  return {made};", "}"]


def _printed(printer: StanPrinter, formula: Any) -> str:
    text = printer._print(formula)
    if printer.chunks:
        raise Unsupported("its bounds contain a sum")
    return text


def _stated(model: Any, formula: Any) -> Any:
    """Return a bound in parameters and data alone: deterministic variables are not defined where parameters are declared."""
    for _ in range(len(model.nodes) + 1):
        found = {r for r in references(formula) if _computed(model, name_of(r))}
        if not found:
            return formula
        formula = formula.xreplace({element: _definition(model, element) for element in found})
    raise Unsupported("its bounds depend on variables that define each other")


def _computed(model: Any, name: str) -> bool:
    return name in model.nodes and model.nodes[name].kind == "deterministic"


def _definition(model: Any, element: Any) -> Any:
    node = model.nodes[name_of(element)]
    general = node.general
    assert isinstance(general, Deterministic)
    if node.initial:
        raise Unsupported(f"its bounds depend on the series {node.name}")
    formula: Any = general.formula
    own: Any = indices_of(general.target)
    between: Any = [Idx(sp.Dummy(integer=True), (0, plate.upper)) for plate in own]
    for plate, dummy in zip(own, between, strict=True):  # in two steps: a[j, i] may be read where a[i, j] is stated
        formula = at_index(formula, plate, dummy)
    for dummy, index in zip(between, indices_of(element), strict=True):
        formula = at_index(formula, dummy, index)
    return formula
