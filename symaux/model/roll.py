r"""Roll up separately named variables $z_1, \ldots, z_T$ that repeat one template into one array over a plate.

Names that end in consecutive numbers form an array if their statements are the same but for those numbers: all of
them, or all but the first few. Reading an earlier variable of the same array becomes a lag.

>>> from symaux.laws.families import normal
>>> z, x = sp.symbols("z1:5", real=True), sp.symbols("x1:5", real=True)
>>> laws = [normal(z[0], 0, 1), *(normal(b, sp.tanh(a), 2) for a, b in zip(z, z[1:]))]
>>> rolled = roll([*laws, *(normal(b, a, 1) for a, b in zip(z, x))], observed=x)
>>> print(rolled.model)
plate t[4]
z[0] ~ normal(0, 1)
z[t] ~ normal(tanh(z[t - 1]), 2)
observe x[t] ~ normal(z[t], 1)
>>> rolled.places["z3"]
('z', 2)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import networkx as nx
import sympy as sp
from sympy.tensor.indexed import IndexedBase

from symaux.errors import ModelError
from symaux.formulas.symbols.indices import name_of, plate
from symaux.laws import families
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Factor, Statement

NUMBERED = re.compile(r"(.*[^\d])(\d+)")
FIRST = 8  # how many elements before the template may have statements of their own
Given = Statement | partial  # a family with its arguments will do: it need not be applied yet


@dataclass(frozen=True)
class Rolled:
    """The model with plates and lags, and the place of every name in its arrays."""

    model: Model
    places: dict[str, tuple[str, int]]
    reasons: dict[str, str]  # why names that look like a template are left as they are

    def stack_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values given by separate names as arrays; noises are stacked like their variables."""
        import numpy as np

        found: dict[str, dict[int, Any]] = {}
        made: dict[str, Any] = {}
        for name, value in values.items():
            prefix, place = self._place(name)
            if place is None:
                made[name] = value
            else:
                found.setdefault(prefix + place[0], {})[place[1]] = value
        return made | {name: np.stack([each[k] for k in sorted(each)]) for name, each in found.items()}

    def separately(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the elements of arrays as values by separate names."""
        names = {place: name for name, place in self.places.items()}
        arrays = {array for array, _ in names}
        made = {}
        for key, value in values.items():
            prefix = next(
                (p for p in ("", "eps_", "log_", "logit_") if key.startswith(p) and key[len(p) :] in arrays), None
            )
            if prefix is None:
                made[key] = value
            else:
                made |= {prefix + names[key[len(prefix) :], k]: value[k] for k in range(len(value))}
        return made

    def _place(self, name: str) -> tuple[str, tuple[str, int] | None]:
        for prefix in ("", "eps_", "log_", "logit_"):
            if name.startswith(prefix) and name[len(prefix) :] in self.places:
                return prefix, self.places[name[len(prefix) :]]
        return "", None


@dataclass(frozen=True, eq=False)
class Run:
    """The names with one stem, in order of their numbers; compared by identity, so that it can be a key."""

    stem: str
    names: tuple[str, ...]

    @property
    def array(self) -> str:
        return self.stem.rstrip("_") or self.stem


def roll(given: Model | nx.DiGraph | Iterable[Given], observed: Iterable[Any] = ()) -> Rolled:
    """Roll the repeated templates of a model, a graph of laws or a list of statements into plates and lags."""
    stated, seen, loose = _read(given, observed)
    runs = _runs(stated)
    reasons: dict[str, str] = {}
    while True:
        places = {name: (run, k) for run in runs for k, name in enumerate(run.names)}
        early = {run: _count_early(run, stated, places) for run in runs}
        wrong = {run: why for run in runs if (why := _obstacle(run, early[run], runs, stated, places, seen))}
        if not wrong:
            break
        reasons |= {run.stem: why for run, why in wrong.items()}
        runs = [run for run in runs if run not in wrong]
    return _build_model(stated, seen, loose, runs, early, places, reasons)


def _read(given: Any, observed: Iterable[Any]) -> tuple[dict[str, Given], set[str], list[Factor]]:
    """Return the statements by name, the observed names, and the extra factors."""
    if isinstance(given, Model):
        if any(len(node.statements) > 1 for node in given.nodes.values()):
            raise ModelError("a model with lags is rolled up already")
        return {n: node.general for n, node in given.nodes.items()}, set(given.observed), list(given.factors)
    if isinstance(given, nx.DiGraph):
        stated = {str(n): a["law"] for n, a in given.nodes(data=True) if a.get("law") is not None}
        made = {str(n): a for n, a in given.nodes(data=True) if a.get("law") is None and a.get("formula") is not None}
        stated |= {n: Deterministic(a["target"], a["formula"]) for n, a in made.items()}
        return (
            stated,
            {str(n) for n, a in given.nodes(data=True) if a.get("observed")},
            list(given.graph.get("factors", ())),
        )
    statements = list(given)
    loose = [s for s in statements if isinstance(s, Factor)]
    return {_name(s): s for s in statements if not isinstance(s, Factor)}, {name_of(o) for o in observed}, loose


def _name(statement: Any) -> str:
    return name_of(statement.args[0]) if isinstance(statement, partial) else statement.name


def _value(statement: Any) -> Any:
    if isinstance(statement, partial):
        return statement.args[0]
    return statement.value if isinstance(statement, Law) else statement.target


def _runs(stated: Mapping[str, Given]) -> list[Run]:
    """Return the runs of names that differ only in consecutive numbers."""
    stems: dict[str, dict[int, str]] = {}
    for name in stated:
        if (found := NUMBERED.fullmatch(name)) is not None and isinstance(_value(stated[name]), sp.Symbol):
            stems.setdefault(found[1], {})[int(found[2])] = name
    runs = []
    for stem, members in stems.items():
        numbers = sorted(members)
        if len(numbers) > 1 and numbers[-1] - numbers[0] + 1 == len(numbers):
            runs.append(Run(stem, tuple(members[k] for k in numbers)))
    return runs


def _arguments(statement: Given) -> tuple[Any, tuple[Any, ...]]:
    """Return the kind of a statement, and the formulas in which other variables may occur."""
    match statement:
        case partial():
            return statement.func.__name__, tuple(map(sp.S, statement.args[1:]))
        case Law() if statement.spelling is not None:
            return statement.spelling.family, statement.spelling.arguments
        case Law():
            return statement.support, (statement.log_density,)
    assert isinstance(statement, Deterministic)
    return "=", (statement.formula,)


Places = Mapping[str, tuple[Run, int]]


def _shape(formula: Any, position: int, places: Places) -> Any:
    """Return a formula's tree with numbered variables replaced by how far back they are, and terms and factors sorted."""
    if isinstance(formula, sp.Symbol):
        found = places.get(formula.name)
        return formula if found is None else (found[0].stem, position - found[1])
    if not formula.args:
        return formula
    parts = [_shape(arg, position, places) for arg in formula.args]
    return (formula.func, *(sorted(parts, key=repr) if isinstance(formula, sp.Add | sp.Mul) else parts))


def _shapes(run: Run, stated: Mapping[str, Given], places: Places) -> Iterator[Any]:
    for position, name in enumerate(run.names):
        kind, arguments = _arguments(stated[name])
        yield (kind, *(_shape(a, position, places) for a in arguments))


def _count_early(run: Run, stated: Mapping[str, Given], places: Places) -> int:
    """Return how many of the first members have statements that differ from the template."""
    shapes = list(_shapes(run, stated, places))
    return max((k + 1 for k, shape in enumerate(shapes) if shape != shapes[-1]), default=0)


def _obstacle(run: Run, early: int, runs: list[Run], stated: Any, places: Places, seen: set[str]) -> str:
    """Return the reason why a run cannot be rolled up; empty if it can."""
    if early > FIRST or early >= len(run.names) - 1:
        return f"{run.names[early - 1]} and {run.names[-1]} do not follow one template"
    if len({name in seen for name in run.names}) > 1:
        return f"some of {run.stem}… are observed and others are not"
    for name in (*run.names[:early], run.names[-1]):
        own = places[name][1]
        for leaf in _read_by(stated[name]):
            if (found := places.get(leaf)) is not None:
                if len(found[0].names) != len(run.names):
                    return f"{name} reads {leaf}, of which there are {len(found[0].names)} and not {len(run.names)}"
                if found[1] > own:
                    return f"{name} reads {leaf}, which comes later"
    return ""


def _read_by(statement: Given) -> set[str]:
    return {s.name for a in _arguments(statement)[1] for s in a.free_symbols} - {_name(statement)}


def _build_model(
    stated: Mapping[str, Given], seen: set[str], loose: list[Factor], runs: list[Run], early: dict[Run, int],
    places: Places, reasons: dict[str, str],
) -> Rolled:  # fmt: skip
    names = {name for name in stated if name not in places}
    indices = _plates(runs, stated, places, names)
    arrays: dict[Run, Any] = {run: IndexedBase(run.array, **_value(stated[run.names[0]]).assumptions0) for run in runs}
    if clash := sorted({run.array for run in runs} & names):
        raise ModelError(f"the array {clash[0]} needs a name that a variable has already; rename one")
    made: list[Statement] = []
    for name, statement in stated.items():
        run, position = places.get(name, (None, 0))
        if run is None:
            made.append(_restate(statement, _value(statement), _mapping(statement, places, arrays, None, 0)))
        elif position < early[run]:
            mapping = _mapping(statement, places, arrays, None, position)
            made.append(_restate(statement, arrays[run][position], mapping))
        elif position == early[run]:
            last = stated[run.names[-1]]  # far enough from the start for every lag
            mapping = _mapping(last, places, arrays, indices[run], len(run.names) - 1)
            made.append(_restate(last, arrays[run][indices[run]], mapping))
    watched = {places[name][0].array if name in places else name for name in seen}
    model = Model.of(*made, *loose, observed=sorted(watched))
    return Rolled(model, {name: (run.array, k) for name, (run, k) in places.items()}, reasons)


def _plates(runs: list[Run], stated: Any, places: Places, taken: set[str]) -> dict[Run, Any]:
    """Return a plate for each run; runs that read each other share one."""
    graph = nx.Graph()
    graph.add_nodes_from(runs)
    for run in runs:
        for name in (run.names[0], run.names[-1]):
            graph.add_edges_from((run, places[leaf][0]) for leaf in _read_by(stated[name]) if leaf in places)
    used, found = taken | {run.array for run in runs}, {}
    for component in sorted(nx.connected_components(graph), key=lambda c: min(r.stem for r in c)):
        lagged = any((run, run) in graph.edges for run in component)
        stem = "t" if lagged else "n"
        name = next(n for n in (stem, *(f"{stem}{k}" for k in range(len(runs) + 1))) if n not in used)
        used.add(name)
        found |= dict.fromkeys(component, plate(name, len(next(iter(component)).names)))
    return found


def _mapping(statement: Given, places: Places, arrays: Any, index: Any, position: int) -> dict[Any, Any]:
    """Return the variables in a statement's formulas as elements of arrays: relative to an index, or at fixed places."""
    found = {}
    for argument in _arguments(statement)[1]:
        for symbol in argument.free_symbols:
            if (place := places.get(symbol.name)) is not None and symbol.name != _name(statement):
                at = place[1] if index is None else index - (position - place[1])
                found[symbol] = arrays[place[0]][at]
    return found


def _restate(statement: Given, value: Any, mapping: dict[Any, Any]) -> Statement:
    """Return the statement about another value, in terms of other variables."""
    kind, arguments = _arguments(statement)
    moved = [a.xreplace(mapping) for a in arguments]
    match statement:
        case partial():
            return statement.func(value, *moved)
        case Law() if statement.spelling is not None and hasattr(families, str(kind)):
            return getattr(families, str(kind))(value, *moved)
        case Law():
            return statement.substituted({statement.value: value, **mapping})
    return Deterministic(value, moved[0])
