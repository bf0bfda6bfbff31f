r"""Compute distances between elements of an array without unrolling it: exchangeable plates are cut to a few elements.

An index of an exchangeable plate is only ever compared with itself or summed over. Mapping every index that a question does
not name to one that it names maps each factor of the whole model to a factor of the cut model, so no path becomes longer;
and a path of the cut model is a path of the whole. So both have the same distances, whatever the size of the plate. An axis
along which something looks back, or that fixed numbers index, is not such a plate and keeps its length.

>>> import sympy as sp
>>> from symaux.laws.families import normal
>>> from symaux.formulas.symbols.indices import arrays, plate
>>> mu, theta, y, j = sp.Symbol("mu", real=True), *arrays("theta y"), plate("j", 10**9)
>>> seen = normal(y[j], theta[j], 1)
>>> model = Model.of(normal(mu, 0, 1), normal(theta[j], mu, 1), seen, observed=[y])
>>> element_distance(model, y[7], theta[7]), element_distance(model, y[7], theta[123456789])
(1, 3)
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.analysis.information import information_distance
from symaux.analysis.time_slice import time_axes
from symaux.errors import ModelError
from symaux.formulas.symbols.indices import indices_of, name_of
from symaux.model.model import Model
from symaux.model.unroll import element_name

Place = tuple[str, tuple[int, ...]]  # the name of a variable, and the indices of an element of it


def element_distance(model: Model, source: Any, target: Any) -> Any:
    """Return the gradient steps from one element, as ``y[3]``, to another, as ``theta[5]``; ``math.inf`` if none reaches it."""
    asked = [_place(model, thing) for thing in (source, target)]
    named = _indices_by_axis(model, asked)
    cut = model.unroll(**{group: _length(model, group, found) for group, found in named.items()})
    return information_distance(cut, *(_in_cut_model(model, place, named) for place in asked))


def is_exchangeable(model: Model, group: str) -> bool:
    """Return whether the elements along an axis are alike.

    No formula looks back along such an axis, and no fixed number picks an element of it.
    """
    return group not in time_axes(model) and not model.axes.least.get(group)


def _place(model: Model, thing: Any) -> Place:
    name = name_of(thing)
    if name not in model.axes.ranks:
        raise ModelError(f"{name} is not a variable of the model; it has {', '.join((*model.nodes, *model.inputs))}")
    indices = indices_of(thing) if isinstance(thing, Indexed) else ()
    if len(indices) != model.axes.ranks[name] or not all(isinstance(i, sp.Integer) for i in indices):
        raise ModelError(f"{thing}: an element of {name} has {model.axes.ranks[name]} indices, all of them numbers")
    at = tuple(int(i) for i in indices)
    for group, index in zip(model.axes.of_array(name), at, strict=True):
        if not 0 <= index < model.axes.lengths.get(group, index + 1):
            raise ModelError(f"{thing}: the plate {group} has {model.axes.lengths[group]} elements, counted from 0")
    return name, at


def _indices_by_axis(model: Model, asked: list[Place]) -> dict[str, list[int]]:
    """Return the indices that are named along each axis, in order."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for group in set(model.axes.group.values()):
        found[group] = set()
    for name, at in asked:
        for group, index in zip(model.axes.of_array(name), at, strict=True):
            found[group].add(index)
    return {group: sorted(indices) for group, indices in found.items()}


def _length(model: Model, group: str, named: list[int]) -> int:
    if is_exchangeable(model, group):
        return max(1, len(named))
    known = model.axes.lengths.get(group)
    if known is None:
        raise ModelError(f"the length of {group} is not known, and its elements are not alike; give it a size")
    return known


def _in_cut_model(model: Model, place: Place, named: dict[str, list[int]]) -> str:
    """Return the element of the cut model that represents an element of the whole model."""
    name, at = place
    groups = model.axes.of_array(name)
    short = (named[g].index(i) if is_exchangeable(model, g) else i for g, i in zip(groups, at, strict=True))
    return element_name(name, tuple(short))
