"""Compute every function that PyMC or Stan has in one program of theirs, with its slopes, and say where mpmath differs.

A function at several points is a deterministic array over a plate, and its arguments are latent: a program has the values, and
the gradient of its log-density has the slopes, because a factor adds all values up. Stan needs one build for all functions.
"""

from __future__ import annotations

import importlib.util
import subprocess
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from support.conformance import DIGITS, TOLERANCE, WHOLE
from symaux.formulas.functions import elementary as own
from symaux.formulas.functions import registry as special
from symaux.formulas.functions.record import FunctionRecord
from symaux.formulas.functions.registry import RECORDS, record_of

RELATIVE = 1e-9  # of a value and of a slope, whatever their size
Q = sp.Rational

# Arguments far from the middle of the domain, where a wrong formula is right to a few digits only.
TAILS: Mapping[Any, tuple[Any, ...]] = {
    own.log1p: (Q(1, 10**12),),
    own.expm1: (Q(-1, 10**12), -40),
    own.softplus: (-40, 800),
    own.log1mexp: (Q(-1, 10**12), -40),
    own.logistic: (-40, 40),
    own.ndtr: (-9, -30),
    own.ndtri: (Q(1, 10**20), Q(1, 10**5)),
    own.log_ndtr: (-9, -60),
    sp.erfc: (6, -6),
    sp.erfinv: (Q(1, 10**12), Q(9999, 10000)),
    sp.erfcinv: (Q(1, 10**20), Q(3, 2)),
    sp.loggamma: (10**8,),
    sp.LambertW: (-Q(36, 100), 10**6),
    sp.tanh: (Q(1, 10**12), 30),
    sp.sinh: (Q(1, 10**12), 30),
    sp.asinh: (Q(-1, 10**12), -(10**9)),
    sp.coth: (Q(1, 10**6), -30),
    sp.atan: (10**9,),
    special.gammainc: ((50, 49), (1200, 1190)),
    special.gammaincc: ((50, 49), (900, 1000)),
    special.betainc: ((3, 2, 1 - Q(1, 10**6)), (50, 3, Q(1, 100))),
    special.betaincc: ((3, 2, Q(1, 10**6)), (50, 3, Q(99, 100))),
}

# What a target has at some orders or shapes only, if these are numbers: the records call it absent, and programs contain it.
PARTIAL: Mapping[str, Mapping[Any, tuple[tuple[Any, ...], ...]]] = {
    "pymc": {
        special.gammaincinv: ((Q(3, 2), Q(1, 8)), (Q(3, 2), Q(7, 8))),
        special.gammainccinv: ((Q(3, 2), Q(1, 8)), (Q(3, 2), Q(7, 8))),
        special.betaincinv: ((Q(3, 2), 2, Q(1, 8)), (Q(3, 2), 2, Q(7, 8))),
        special.betainccinv: ((Q(3, 2), 2, Q(1, 8)), (Q(3, 2), 2, Q(7, 8))),
        sp.besseli: ((Q(5, 4), Q(1, 2)), (Q(5, 4), Q(13, 4))),
        sp.besselj: ((Q(5, 2), Q(1, 4)), (Q(5, 2), 12)),
        sp.besselk: ((Q(5, 4), Q(1, 2)), (Q(5, 4), Q(13, 4))),
        special.log_iv: ((Q(5, 4), Q(1, 2)), (Q(5, 4), Q(13, 4))),
        special.log_kv: ((Q(5, 4), Q(1, 2)), (Q(5, 4), Q(13, 4))),
    },
    "stan": {
        sp.polygamma: ((0, Q(3, 2)), (0, Q(1, 8)), (1, Q(3, 2)), (1, Q(1, 8))),
        sp.besseli: ((0, Q(1, 2)), (0, 7), (2, Q(13, 4))),
        sp.besselj: ((0, Q(1, 2)), (0, 12), (2, Q(13, 4))),
        sp.besselk: ((0, Q(1, 2)), (0, 7), (2, Q(13, 4))),
        special.log_kv: ((0, Q(1, 2)), (0, 7), (2, Q(13, 4))),
    },
}


@dataclass(frozen=True)
class Cell:
    """A function with numbers for some arguments, by place, and the points of the others."""

    record: FunctionRecord
    numbers: Mapping[int, Any]
    points: tuple[tuple[Any, ...], ...]

    def arguments(self, others: Iterable[Any]) -> list[Any]:
        """Return all arguments: numbers at their places, the others in between."""
        rest = iter(others)
        count = len(self.numbers) + len(self.points[0])
        return [self.numbers[place] if place in self.numbers else next(rest) for place in range(count)]

    def exact(self, point: tuple[Any, ...]) -> tuple[Any, list[Any]]:
        """Return the value and the slopes by mpmath, at the floats that the program gets."""
        with mp.workdps(DIGITS):
            at = [mp.mpf(float(x)) for x in point]
            slopes = [self._slope(at, place) for place in range(len(at))]
            return mp.mpmathify(self._value(at)), slopes

    def _value(self, at: list[Any]) -> Any:
        numbers = {n: int(a) if a == int(a) else mp.mpf(float(a)) for n, a in self.numbers.items()}
        return self.record.value(*Cell(self.record, numbers, self.points).arguments(at))

    def _slope(self, at: list[Any], place: int) -> Any:
        step = mp.mpf(10) ** -15 * min(1, abs(at[place]) or 1)
        return mp.diff(lambda x: self._value([*at[:place], x, *at[place + 1 :]]), at[place], h=step)


def cells(target: str, records: Iterable[FunctionRecord] = RECORDS) -> list[Cell]:
    """Return all that a target computes, at the points of the conformance test and far from the middle."""
    made = []
    for record in records:
        if target not in record.absent:
            more = (x if isinstance(x, tuple) else (x,) for x in TAILS.get(record.function, ()))
            made += _by_numbers(record, (*record.examples(), *more), 1 if record.function in WHOLE[0] else 0)
    for function, points in PARTIAL[target].items():
        record = record_of(function)
        assert record is not None and target in record.absent
        if record in records:
            made += _by_numbers(record, points, len(points[0]) - 1)
    return made


def _by_numbers(record: FunctionRecord, points: Iterable[tuple[Any, ...]], orders: int) -> list[Cell]:
    """Return a cell for each group of points with the same orders; an end of the domain is a number too."""
    groups: dict[tuple[tuple[int, Any], ...], list[tuple[Any, ...]]] = {}
    for point in points:
        fixed = {n: a for n, a in enumerate(point) if n < orders or a in record.domain[min(n, len(record.domain) - 1)]}
        rest = tuple(a for n, a in enumerate(point) if n not in fixed)
        groups.setdefault(tuple(fixed.items()), []).append(rest)
    return [Cell(record, dict(fixed), tuple(rest)) for fixed, rest in groups.items()]


def model_of(given: list[Cell]) -> sa.Model:
    """Return a model with the arguments of all cells as one latent array, ``a[c, p]``, and their values, ``y3[p]``.

    Stan's own analysis of a program takes half a minute if every argument is a parameter of its own, and a second is allowed.
    """
    rows = sum(len(cell.points[0]) for cell in given)
    c, p = sa.plate("c", rows), sa.plate("p", max(len(cell.points) for cell in given))
    a, row = sa.arrays("a"), 0
    statements, values = [sa.normal(a[c, p], 0, 1)], list[Any]()
    for number, cell in enumerate(given):
        arguments = map(sp.sympify, cell.arguments(a[row + n, p] for n in range(len(cell.points[0]))))
        words = {} if cell.record.function is sp.betainc_regularized else {"evaluate": False}
        value = sa.arrays(f"y{number}")[p]
        statements.append(sa.deterministic(value, cell.record.function(*arguments, **words)))
        values.append(value)
        row += len(cell.points[0])
    return sa.Model.of(*statements, sa.factor(sp.Add(*values)))


def arguments_of(given: list[Cell]) -> np.ndarray:
    """Return the arguments of all cells, as the array of the model; the last point is repeated where others have more."""
    longest = max(len(cell.points) for cell in given)
    padded = [(*cell.points, *[cell.points[-1]] * (longest - len(cell.points))) for cell in given]
    return np.array([[float(x) for x in argument] for points in padded for argument in zip(*points, strict=True)])


Computed = tuple[np.ndarray, np.ndarray]  # a value for each cell and point, a slope for each argument and point


def by_stan(given: list[Cell]) -> Computed:
    """Build one program and return its values and slopes."""
    import stan

    at = arguments_of(given)
    with _patient_compiler():
        built = stan.build(sa.exported(model_of(given), "stan"))
    order = np.array(built.unconstrain_pars({"a": np.arange(at.size).reshape(at.shape).tolist()}), int)
    free = at.ravel()[order].tolist()
    found = dict(zip(built.constrained_param_names, built.constrain_pars(free), strict=True))
    values = [[found[f"y{number}.{column + 1}"] for column in range(at.shape[1])] for number in range(len(given))]
    slopes = np.empty(at.size)
    slopes[order] = built.grad_log_prob(free)
    return np.array(values), slopes.reshape(at.shape) + at  # without the normal law's, -a


def compiler_of_stan() -> Path:
    """Return the compiler to C++ that comes with pystan; skip the test if there is none."""
    found = importlib.util.find_spec("httpstan")
    if found is None or found.origin is None:
        pytest.skip("Stan is not installed: pip install pystan")
    return Path(found.origin).parent / "stanc"


def _patient_compiler() -> Any:
    """Lift the second that httpstan gives Stan's compiler, whose pedantic analysis is slow for a program of many lines."""
    import httpstan.compile

    def run(*args: Any, timeout: float | None = None, **words: Any) -> Any:
        return subprocess.run(*args, **words)

    return mock.patch.object(httpstan.compile, "subprocess", types.SimpleNamespace(run=run))


def by_pymc(given: list[Cell]) -> Computed:
    """Compile one function of PyTensor and return its values and slopes."""
    import pytensor
    import pytensor.tensor as pt

    module: dict[str, Any] = {}
    exec(compile(sa.exported(model_of(given), "pymc"), "exported", "exec"), module)
    built = module["model"]()
    values = pt.stack([built[f"y{number}"] for number in range(len(given))])
    slopes = pytensor.grad(values.sum(), built["a"])
    computed = pytensor.function([built["a"]], [values, slopes])(arguments_of(given))
    return computed[0], computed[1]


def deviations(given: list[Cell], computed: Computed) -> Iterator[str]:
    """Yield a line for each value and each slope that is not mpmath's."""
    values, slopes = computed
    row = 0
    for cell, found in zip(given, values, strict=True):
        for column, point in enumerate(cell.points):
            where = f"{cell.record.name}({', '.join(map(str, cell.arguments(point)))})"
            value, exact = cell.exact(point)
            if not _close(found[column], value):
                yield f"{where}: {found[column]!r}, not {mp.nstr(value, 17)}"
            for n, slope in enumerate(exact):
                if not abs(mp.mpf(float(slopes[row + n, column])) - slope) <= RELATIVE * (1 + abs(slope)):
                    yield f"{where}, slope {n}: {slopes[row + n, column]!r}, not {mp.nstr(slope, 17)}"
        row += len(cell.points[0])


def _close(found: Any, exact: Any) -> bool:
    """Ask for the conformance test's tolerance, and for nine digits of values near zero."""
    error = abs(mp.mpf(float(found)) - exact)
    return bool(error <= min(TOLERANCE * (1 + abs(exact)), RELATIVE * abs(exact)))
