r"""Slice a time series: one node for each variable and time step, with every other axis whole.

Variables without a time index are fixed and left out, as an E-step fixes the parameters: then the slice shows how far
information travels along the series in one gradient step.

>>> from symaux.laws.families import normal
>>> from symaux.formulas.symbols.indices import arrays, plate
>>> z, x, t, n = *arrays("z x"), plate("t", 100), plate("n")
>>> walk = Model.of(normal(z[0, n], 0, 1), normal(z[t, n], z[t - 1, n], 1), normal(x[t, n], z[t, n], 1), observed=[x])
>>> sorted(slice_time_series(walk, 2).edges)
[('z[0]', 'x[0]'), ('z[0]', 'z[1]'), ('z[1]', 'x[1]')]
"""

from __future__ import annotations

import networkx as nx

from symaux.model.model import Model
from symaux.model.unroll import element_name

STEPS = 5


def time_axes(model: Model) -> frozenset[str]:
    """Return the axes along which a formula looks back or a variable has an initial statement."""
    return frozenset(
        model.axes.of_array(name)[node.axis] for name, node in model.nodes.items() if node.axis is not None
    )


def slice_time_series(model: Model, steps: int = STEPS) -> nx.DiGraph:
    """Return the graph of the first steps of a time series; it is empty for a model without time."""
    times = time_axes(model)
    least = model.axes.least
    groups = set(model.axes.group.values())
    sizes = {g: max(steps if g in times else 1, least.get(g, 1)) for g in groups}
    sizes |= {g: min(sizes[g], length) for g, length in model.axes.lengths.items() if g in groups}
    whole = model.unroll(**sizes)
    timed = {n: _timed(model, times, a["variable"], a["index"]) for n, a in whole.nodes(data=True)}
    kept = nx.relabel_nodes(whole.subgraph(n for n in whole if timed[n]), {n: timed[n] for n in whole if timed[n]})
    scopes = ({timed[n] for n in scope if timed[n]} for scope in whole.graph["factors"])
    kept.graph["factors"] = tuple(dict.fromkeys(tuple(sorted(s)) for s in scopes if len(s) > 1))
    return kept


def _timed(model: Model, times: frozenset[str], name: str, index: tuple[int, ...]) -> str:
    """Return the name of an element by its times alone; empty if it has none."""
    axes = model.axes.of_array(name)
    at = tuple(i for group, i in zip(axes, index, strict=True) if group in times)
    return element_name(name, at) if at else ""
