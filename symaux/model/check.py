"""Check that the statements of a model form a Bayesian network; raise ModelError naming the statement or node."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import networkx as nx
import sympy as sp

from symaux.errors import ModelError
from symaux.formulas.functions.elementary import DiscreteQuantile
from symaux.formulas.symbols.indices import SIZE_PREFIX, free_plates, is_gather, is_size, name_of
from symaux.formulas.symbols.names import check_names
from symaux.formulas.symbols.support import Interval, bounds
from symaux.laws.law import Law
from symaux.model.statements import Deterministic, Factor, Statement, lags_of, named_formulas, plates_of, reads, target

if TYPE_CHECKING:
    from symaux.model.model import Model

MOST_TERMS = 1_000_000  # of sums whose terms no array holds


def check_model(model: Model) -> None:
    """Raise ModelError unless the statements form a Bayesian network."""
    for statement in model.statements:
        _check_statement(statement)
    nodes = model.nodes
    for name in sorted(model.observed):
        if name not in nodes:
            raise ModelError(
                f"the observed variable {name} has no law in the model; its variables are {', '.join(nodes)}"
            )
        if nodes[name].kind != "stochastic":
            raise ModelError(f"{name} is deterministic and cannot be observed: {nodes[name].general}")
    for node in nodes.values():
        if node.latent and any(isinstance(s, Law) and s.discrete for s in node.statements):
            raise ModelError(f"{node.general}: a discrete variable must be observed; latent ones are continuous")
    _check_symbols(model)
    _check_gathers(model)
    _check_cycles(model)
    _ = model.axes  # ranks and lengths that fit together
    _check_sizes(model)
    _check_terms(model)
    _check_elements(model)


def _check_statement(statement: Statement) -> None:
    lags_of(statement)
    for formula in statement.formulas:
        _check_conditions(statement, formula)
    _check_sums(statement)
    if isinstance(statement, Factor):
        return
    if isinstance(statement, Deterministic) and _mentions(statement.formula, statement.target):
        raise ModelError(f"{statement}: a cycle: {statement.target} depends on itself")
    if isinstance(statement, Law):
        _check_sign(statement)
        for bound in bounds(statement.support):
            if bound.has(statement.value):
                raise ModelError(f"{statement}: the support contains {statement.value} itself")
    undefined = {p for f in statement.formulas for p in free_plates(f)} - set(plates_of(statement))
    if undefined:
        listed = ", ".join(sorted(map(str, undefined)))
        raise ModelError(
            f"{statement}: the index {listed} is not defined for {target(statement)}; sum over it or add it"
        )


def _check_sign(law: Law) -> None:
    """Raise ModelError if a symbol lacks its declared sign somewhere on its support: sympy takes abs(x) for x if x > 0."""
    if not isinstance(law.support, Interval):
        return
    lower, upper, value = law.support.lower, law.support.upper, law.value
    if (value.is_nonnegative and lower.is_extended_negative) or (value.is_nonpositive and upper.is_extended_positive):
        word = "positive" if value.is_nonnegative else "negative"
        raise ModelError(
            f"{law}: {value} is declared to be {word}, and its support {law.support} is not; declare it real, or give the"
            " law another support"
        )


def _check_conditions(statement: Statement, formula: Any) -> None:
    """Raise ModelError if a condition with the index of an inner sum is outside that sum.

    When an outer sum is built, sympy moves a Piecewise out of the inner sum although its condition has the inner index.
    """
    for choice in formula.atoms(sp.Piecewise) if formula.has(sp.Sum) else ():
        inner = {limit[0] for value, _ in choice.args for part in value.atoms(sp.Sum) for limit in part.limits}
        torn = {p for _, condition in choice.args for p in free_plates(condition)} & inner
        if torn:
            listed = ", ".join(sorted(map(str, torn)))
            raise ModelError(
                f"{statement}: a condition with the index {listed} occurs outside of the sum over {listed}. If it was written"
                " inside of two sums, give the inner sum a name of its own: s[n] = sum(k, ...)"
            )


def _check_sums(statement: Statement) -> None:
    """Raise ModelError unless every sum over elements runs over a whole plate, and over each plate once."""
    stack: list[tuple[Any, frozenset[Any]]] = [(f, frozenset()) for f in statement.formulas if f.has(sp.Sum)]
    while stack:
        expr, around = stack.pop()
        if isinstance(expr, sp.Sum):
            for index, lower, upper in expr.limits:
                if index in around or expr.variables.count(index) > 1:
                    raise ModelError(f"{statement}: a sum over {index} occurs in a sum over {index}")
                size = upper - lower + 1
                if lower != 0 or not (is_size(size) or (size.is_Integer and size > 0)):
                    raise ModelError(
                        f"{statement}: the sum over {index} runs from {lower} to {upper}; where its index picks elements"
                        " of arrays, or plates occur in its bounds, a sum runs over a whole plate"
                    )
            around |= set(expr.variables)
        stack.extend((arg, around) for arg in expr.args if arg.has(sp.Sum))


def _check_terms(model: Model) -> None:
    """Raise ModelError if sums over plates without arrays, which are evaluated term by term, have too many terms."""
    filled = {group for name in (*model.inputs, *model.nodes) for group in model.axes.of_array(name)}
    for statement in model.statements:
        stack = [(formula, 1) for formula in statement.formulas if formula.has(sp.Sum)]
        while stack:
            expr, terms = stack.pop()
            if isinstance(expr, sp.Sum):
                groups = [model.axes.of_plate(plate) for plate in expr.variables]
                terms *= math.prod(model.axes.lengths.get(g, 1) for g in groups if g not in filled)
                if terms > MOST_TERMS:
                    raise ModelError(f"{statement}: its sums have {terms:,} terms; at most {MOST_TERMS:,} are added up")
            stack.extend((arg, terms) for arg in expr.args if arg.has(sp.Sum))


def _mentions(formula: Any, element: Any) -> bool:
    """Return whether a formula reads an element; the quantile of a discrete law has its value as a bound name."""
    stack = [formula]
    while stack:
        expr = stack.pop()
        if expr == element:
            return True
        stack.extend(expr.args[:1] if getattr(expr, "opaque", False) else expr.args)
    return False


def _check_symbols(model: Model) -> None:
    """Raise ModelError if a reader would take two symbols, arrays or plates for one: all statements share their names."""
    for statement in model.statements:
        check_names(named_formulas(statement), str(statement), ModelError)
    check_names((f for s in model.statements for f in named_formulas(s)), error=ModelError)


def _check_gathers(model: Model) -> None:
    """Raise ModelError unless indices into arrays are integers: data, or discrete variables that are observed."""
    for statement in model.statements:
        for read in reads(statement):
            for index in filter(is_gather, read.indices):
                node = model.nodes.get(name_of(index)) if isinstance(index, sp.Symbol | sp.Indexed) else None
                if node is not None and not _is_whole(model, node):
                    raise ModelError(
                        f"{statement}: {index} picks an element of {read.name} and must be an integer, but {node.name}"
                        " is a continuous variable, or computed from one"
                    )


def _is_whole(model: Model, node: Any) -> bool:
    """Return whether a variable is computed from integers alone, through any number of others."""
    stack, seen = [node], {node.name}
    while stack:
        node = stack.pop()
        if node.kind == "stochastic":
            if node.name not in model.observed or not all(isinstance(s, Law) and s.discrete for s in node.statements):
                return False
        elif not all(isinstance(s, Deterministic) and isinstance(s.formula, DiscreteQuantile) for s in node.statements):
            new = [p for p in node.parents if p in model.nodes and p not in seen]
            seen.update(new)
            stack += [model.nodes[p] for p in new]
    return True


def _check_sizes(model: Model) -> None:
    """Raise ModelError if a formula reads the size of a plate that the model does not have."""
    for statement in model.statements:
        for symbol in {s for formula in statement.formulas for s in formula.free_symbols if is_size(s)}:
            if symbol.name.removeprefix(SIZE_PREFIX) not in model.axes.group:
                raise ModelError(f"{statement}: {symbol} is the name of a plate's size, and there is no such plate")


def _check_cycles(model: Model) -> None:
    edges = nx.DiGraph((p, n) for n, node in model.nodes.items() for p in node.parents if p in model.nodes)
    if nx.is_directed_acyclic_graph(edges):
        return
    circle = [parent for parent, _ in nx.find_cycle(edges)]
    raise ModelError(f"the model has a cycle: {' -> '.join([*circle, circle[0]])}")


def _check_elements(model: Model) -> None:
    """Raise ModelError if elements form a cycle that the variables do not show, as fixed elements of a series may."""
    fixed = {
        r.name for n in model.nodes.values() for s in n.statements for r in reads(s) if _is_fixed(model, n.name, r)
    }
    if not fixed:
        return
    from symaux.model.unroll import unroll

    axes = model.axes
    few = {g: min(max(3, axes.least.get(g, 0) + 2), axes.lengths.get(g, 10**9)) for g in set(axes.group.values())}
    graph = unroll(model, None, few)
    if not nx.is_directed_acyclic_graph(graph):
        circle = [parent for parent, _ in nx.find_cycle(graph)]
        raise ModelError(f"the model has a cycle: {' -> '.join([*circle, circle[0]])}")


def _is_fixed(model: Model, reader: str, read: Any) -> bool:
    node = model.nodes.get(read.name)
    return node is not None and read.name != reader and node.axis is not None and read.indices[node.axis].is_Integer
