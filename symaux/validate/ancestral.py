r"""Draw from a model by its densities alone, parents first, without generating functions, rules or proofs.

Every element is drawn by inverting the distribution function of its law, $z = F^{-1}(u)$, with $F$ summed on a grid where
the density is: the support is mapped to the real line t, and the grid closes in on the points within $e^{-DEPTH}$ of the
maximum. The error is about 1e-4 in probability, which is finer than any rank can show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import mpmath as mp
import networkx as nx
import numpy as np
import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.errors import SymauxError
from symaux.formulas.symbols.indices import indices_of
from symaux.formulas.symbols.support import REALS, Integers, Interval, bounds
from symaux.laws.kernel import kernel
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic
from symaux.model.unroll import assignments, element_name, unroll
from symaux.validate import reference
from symaux.validate.random_inputs import shape_of

Source = Callable[[Model], str]  # the generated code of a model
NODES, ZOOMS = 1000, 12  # points of a grid, and how often it may close in on where the density is
DEPTH = 25.0  # nats: outside of the grid the density is below e**-25 of its maximum
COUNTS = 4000  # values of a discrete law that are tabulated, from its lowest on
EDGE, BEYOND = 10, 2e-3  # nodes at the ends of the grid, and the largest share of the mass that they may hold


class NoDraws(SymauxError):
    """A model cannot be drawn from by its densities."""

    code = "no-draws"


@dataclass(frozen=True)
class _Element:
    """One number to draw: its law, the assignment of its plates, and its index in its array."""

    law: Law
    where: Mapping[Any, int]
    index: tuple[int, ...]


def draw_ancestral(
    model: Model, data: Mapping[str, Any], lengths: Mapping[str, int], count: int, rng: Any, source: Source
) -> Any:
    """Draw all stochastic variables ``count`` times; return a dictionary of arrays with the draws along the first axis."""
    if model.factors:
        raise NoDraws("a model with sa.factor terms is not normalised, so it cannot be drawn from")
    if model.domain:
        raise NoDraws(f"the model has no density unless {', '.join(map(str, model.domain))}, which it does not imply")
    made = {
        n: np.zeros((count, *shape_of(model, n, lengths)))
        for n, node in model.nodes.items()
        if node.kind == "stochastic"
    }
    quantile = partial(_line_quantile, source)
    known = [reference.Deterministics(model, {**data, **_row(made, k)}, lengths, None, quantile) for k in range(count)]
    for each in _in_order(model, lengths):
        target = made[each.law.name]
        target[(slice(None), *each.index)] = _drawn(model, each, known, lengths, rng.uniform(size=count), source)
    return made


def _row(made: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return one draw as views of the arrays, so that later elements become visible in it."""
    return {name: array[number, ...] for name, array in made.items()}


def _in_order(model: Model, lengths: Mapping[str, int]) -> Sequence[_Element]:
    laws: dict[str, _Element] = {}
    for statement in model.statements:
        if isinstance(statement, Deterministic):
            continue
        assert isinstance(statement, Law)
        _check(statement)
        for where in assignments(model, statement, lengths):
            index = tuple(where[i] if isinstance(i, Idx) else int(i) for i in indices_of(statement.value))
            laws[element_name(statement.name, index)] = _Element(statement, where, index)
    graph = unroll(model, None, lengths)  # a gather may read any element, so all come first
    return [laws[name] for name in nx.lexicographical_topological_sort(graph) if name in laws]


def _check(law: Law) -> None:
    if law.event or not isinstance(law.support, Interval | Integers):
        raise NoDraws(f"{law.name} is a vector or a matrix, which is not drawn by its density")
    if not law.proper:
        raise NoDraws(f"{law.name} has a flat prior, which cannot be drawn from; give it a proper one")


def _drawn(model: Model, each: _Element, known: Any, lengths: Any, u: Any, source: Source) -> Any:
    found = kernel(each.law)
    formulas = {symbol.name: formula for symbol, formula in found.arguments.items()}

    def column(formula: Any) -> Any:
        if formula.is_number:
            return np.full(len(known), float(formula))
        return np.array([_real(k.evaluate(formula, each.where), formula) for k in known])

    height = _height(found.law, source, tuple(sorted(formulas)))
    arguments = {name: column(formula) for name, formula in formulas.items()}
    ends = [column(bound) for bound in bounds(each.law.support)]
    invert = invert_mass if isinstance(each.law.support, Integers) else invert_density
    return invert(lambda z: np.asarray(height(z, arguments)), ends[0], ends[1], u)


def _line_quantile(source: Source, u: Any, variable: Any, log_density: Any, parameters: Mapping[Any, Any]) -> float:
    """Return the quantile of a density on the line from the same grid: by quadrature, each draw would take a second."""
    names = {atom: sp.Symbol(f"p{k}", real=True) for k, atom in enumerate(sorted(parameters, key=str))}
    law = Law(variable, log_density.xreplace(names), REALS)
    height = _height(law, source, tuple(sorted(s.name for s in names.values())))
    values = {names[atom].name: np.array([float(value)]) for atom, value in parameters.items()}
    found = invert_density(
        lambda z: np.asarray(height(z, values)), *(np.array([x]) for x in (-np.inf, np.inf, float(mp.re(u))))
    )
    return float(found[0])


def _real(number: Any, formula: Any) -> float:
    if mp.im(number) != 0:
        raise NoDraws(f"{formula} is not a real number with random data; declare what is known of them: data t[n] > 0")
    return float(mp.re(number))


@lru_cache(maxsize=256)
def _height(law: Law, source: Source, names: tuple[str, ...]) -> Callable[..., Any]:
    """Compile the log-density of a kernel for rows of values, with one set of parameters for each row."""
    import jax

    from symaux.codegen.load import load

    plain = Model.derived(replace(law, origin=None), observed=[law.value])  # what it came from has other parameters
    code = load(source(plain)).log_density
    at = jax.vmap(lambda z, p: code({}, {law.name: z, **p}), (0, None))
    return jax.jit(jax.vmap(at, (0, 0)))


def invert_density(height: Callable[[Any], Any], lower: Any, upper: Any, u: Any) -> Any:
    """Return the u-quantiles of densities on intervals, one for each row.

    >>> z = invert_density(lambda z: -z, np.zeros(2), np.full(2, np.inf), np.array([0.5, 0.9]))
    >>> bool(np.all(np.abs(np.exp(-z) - [0.5, 0.1]) < 1e-4))
    True
    """
    spread, log_slope, far = _line(lower, upper)
    low, high = np.full(len(u), -far), np.full(len(u), far)
    for zoom in range(ZOOMS):
        t = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, NODES)
        tall = np.where(np.isfinite(value := height(spread(t)) + log_slope(t)), value, -np.inf)
        inside = tall > tall.max(axis=1, keepdims=True) - DEPTH
        first, last = inside.argmax(axis=1), NODES - 1 - inside[:, ::-1].argmax(axis=1)
        if zoom == ZOOMS - 1 or np.all(last - first > NODES // 2):
            break
        rows = np.arange(len(u))
        low, high = t[rows, np.maximum(first - 1, 0)], t[rows, np.minimum(last + 1, NODES - 1)]
    if np.any(high - low < 1e-9 * np.maximum(1, np.abs(low))):
        raise NoDraws("a law is narrower than doubles can resolve, and is not drawn by its density")
    with np.errstate(invalid="ignore"):  # a density that is nowhere a double has no quantile: NaN
        mass = np.exp(tall - tall.max(axis=1, keepdims=True))
    steps = (mass[:, 1:] + mass[:, :-1]) / 2
    edges, total = steps[:, :EDGE].sum(axis=1) + steps[:, -EDGE:].sum(axis=1), steps.sum(axis=1)
    if np.any(edges > BEYOND * total):
        raise NoDraws("a law has mass beyond what doubles can hold, and is not drawn by its density")
    level = np.concatenate([np.zeros((len(u), 1)), np.cumsum(steps, axis=1)], axis=1)
    at = np.array([np.interp(p * row[-1], row, s) for p, row, s in zip(u, level, t, strict=True)])
    return spread(at[:, None])[:, 0]


def _line(lower: Any, upper: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any], float]:
    """Return the map from the real line to the support, its log-derivative, and the largest |t| of the grid."""
    low, high = lower[:, None], upper[:, None]
    if np.all(np.isfinite(lower)) and np.all(np.isfinite(upper)):
        soft = lambda t: np.logaddexp(0, t)  # noqa: E731
        return (lambda t: low + (high - low) * np.exp(-soft(-t))), lambda t: -soft(t) - soft(-t), 36.0
    if np.all(np.isfinite(lower)):
        return (lambda t: low + np.exp(t)), lambda t: t, 90.0
    if np.all(np.isfinite(upper)):
        return (lambda t: high - np.exp(t)), lambda t: t, 90.0
    return np.sinh, lambda t: np.log(np.cosh(t)), 40.0


def invert_mass(height: Callable[[Any], Any], lower: Any, upper: Any, u: Any) -> Any:
    """Return the u-quantiles of laws on integers, one for each row."""
    if not np.all(np.isfinite(lower)):
        raise NoDraws("a discrete law without a least value is not drawn by its density")
    z = lower[:, None] + np.arange(COUNTS)
    with np.errstate(over="ignore"):
        mass = np.where(z <= upper[:, None], np.nan_to_num(np.exp(height(np.minimum(z, upper[:, None])))), 0.0)
    level = np.cumsum(mass, axis=1)
    if np.any(level[:, -1] < 1 - 1e-4):
        raise NoDraws(f"a discrete law has mass beyond {COUNTS} values, and is not drawn by its density")
    return lower + np.sum(level < u[:, None] * level[:, -1:], axis=1)
