r"""Compare the two sides of a claim about vectors at random points of high precision, where a difference refutes it.

The residual is $\log q(\varepsilon) - \log|\det\partial z/\partial\varepsilon| - \log p(z)$, with derivatives by
differences. Agreement proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mpmath as mp
import sympy as sp
from sympy.tensor.indexed import Indexed, IndexedBase

from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.formula import Formula
from symaux.laws.law import Law
from symaux.proof.composition.unwind_quantile import unwind_quantile
from symaux.proof.vectors.random_point import DIGITS, SIZE, Numbers, TooLarge

STEP, TOLERANCE = mp.mpf(10) ** -18, mp.mpf(10) ** -15
POINTS = 3


def log_integral(log_height: Any) -> Any:
    """Return the logarithm of an integral over positive x, by quadrature in log x; None where two quadratures disagree."""
    ends = [-600, -120, -40, -15, -6, -2, 0, 1, 2, 3, 4, 5, 7]
    found = []
    for digits, knots in ((15, ends), (20, [e / mp.mpf(1.1) for e in (-700, *ends)])):
        with mp.workdps(digits):
            found.append(mp.quad(lambda t: mp.exp(log_height(mp.exp(t)) + t), knots))
    one, other = found
    if not (one > 0 and abs(one - other) <= abs(one) * mp.mpf(10) ** -10):
        return None
    return mp.log(other)


def abstract_matrices(law: Law, value: Formula) -> tuple[Law, Formula]:
    """Replace every matrix that is a formula by an array of its own."""
    names: dict[Any, Any] = {}
    for function in sorted(law.log_density.atoms(ArrayFunction), key=str):
        for operand, along in zip(function.operands, function.along, strict=True):
            if len(along) == 2 and not operand.has(law.value) and not isinstance(operand, Indexed):
                own = tuple(function.plates[p] for p in along)
                base: Any = IndexedBase(f"symaux matrix {len(names)}", real=True)
                names[operand] = base[own]
    return law.substituted(names), value.xreplace(names)


@dataclass(frozen=True)
class Comparison:
    """The result at random points: a witness, or how many agreed, or why none could be compared."""

    agreed: int = 0
    reason: str = ""
    witness: tuple[tuple[str, str], ...] = ()


def unwind_quantiles(noise: tuple[Law, ...], value: Formula) -> tuple[tuple[Law, ...], Formula]:
    """Replace quantiles of uniform noise, which are slow to evaluate, by variables with their own laws."""
    made: list[Law] = []
    for number_, law in enumerate(noise):
        name = f"symaux x {number_}"
        if isinstance(law.value, Indexed):
            base: Any = IndexedBase(name, positive=True)
            x = base[law.value.indices]
        else:
            x = sp.Symbol(name, positive=True)
        found = unwind_quantile(law, value, x)
        value = value if found is None else found.formula
        made.append(law if found is None else found.law)
    return tuple(made), value


def compare_at_random_points(law: Law, noise: tuple[Law, ...], value: Formula) -> Comparison:
    """Compare the two densities at random points, where there is one noise for each free coordinate."""
    law, value = abstract_matrices(law, value)
    noise, value = unwind_quantiles(noise, value)
    agreed = 0
    try:
        with mp.workdps(DIGITS):
            for seed in range(POINTS):
                numbers = Numbers(law, noise, value, seed).start()
                if not numbers.admitted():
                    continue
                if len(numbers.coordinates()) != len(numbers.noises()):
                    return Comparison(reason="the noise has more elements than the vector is free in")
                found = _residual(numbers)
                if found is None:
                    continue
                if abs(found) > TOLERANCE:
                    return Comparison(agreed, f"the log-densities differ by {mp.nstr(found, 8)}", _shown(numbers))
                agreed += 1
                if len(numbers.noises()) > SIZE * 2:
                    break  # enough for what takes long
    except TooLarge as plate:
        return Comparison(reason=f"the plate {plate} is too long to be tried")
    return Comparison(agreed)


def _residual(numbers: Numbers) -> Any:
    """Return log q - log|det| - log p, relative to their size; None where one of them is not a real number."""
    image = numbers.image()
    noise = mp.fsum(numbers.evaluated(n.log_density, {**numbers.batch, **where}) for n, where in _factors(numbers))
    law = numbers.at(image).evaluated(numbers.law.log_density, numbers.batch)
    slope = mp.log(abs(mp.det(jacobian(numbers, numbers.noises()))))
    terms = (noise, slope, law)
    if any(mp.im(t) != 0 or not mp.isfinite(t) for t in terms):
        return None
    return (noise - slope - law) / max(1, abs(noise) + abs(slope) + abs(law))


def _factors(numbers: Numbers) -> list[tuple[Law, dict[Any, int]]]:
    """Return the independent elements of the noise; a vector counts once."""
    joint = [(noise, {}) for noise in numbers.noise if noise.event]
    return [(noise, where) for noise, where in numbers.noises() if not noise.event] + joint


def jacobian(numbers: Numbers, moved: list[tuple[Law, dict[Any, int]]]) -> Any:
    """Return the derivatives of the free coordinates in the given elements of the noise, by central differences."""
    keys = [numbers.key(numbers.law.value, {**numbers.batch, **where}) for where in numbers.coordinates()]
    columns = []
    for noise, where in moved:
        key = numbers.key(noise.value, {**numbers.batch, **where})
        ends = [numbers.at({key: numbers.given[key] + sign * STEP}).image() for sign in (1, -1)]
        columns.append([(ends[0][k] - ends[1][k]) / (2 * STEP) for k in keys])
    return mp.matrix(columns).T


def _shown(numbers: Numbers) -> tuple[tuple[str, str], ...]:
    image = numbers.image()
    given = {**numbers.given, **image}
    return tuple((f"{name}{list(index)}", str(mp.nstr(v, 12))) for (name, index), v in sorted(given.items()))
