"""Quantiles and their slopes keep their digits: for levels down to 1e-300, parameters over 30 decades, in both formats.

The catalogue is ``support/digits/laws.py``; ``python -m bench.digits`` prints all cells. What is still beyond the tolerance is
counted here, law by law, and may only become less: nearly all of it are cells in which an intermediate number leaves the
range of the format (1e-300 over 1e15), or slopes where the quantile itself is infinite.
"""

from __future__ import annotations

import math

import pytest
from support.digits.laws import LAWS
from support.digits.measure import Cell, cells
from support.digits.references import DigitLaw

# How many values and slopes of the whole grid are beyond their tolerance in double precision; others have none.
REMAINING: dict[str, tuple[int, int]] = {
    "log_normal": (0, 4),
    "weibull": (0, 5),
    "frechet": (1, 3),
    "kumaraswamy": (2, 15),
    "triangular": (13, 258),
    "truncated exponential to w": (2, 4),
    "generalised extreme value": (6, 0),
    "Lomax": (2, 0),
    "Burr": (2, 15),
    "Burr with a scale": (8, 37),
    "Dagum": (0, 3),
    "log-logistic": (0, 5),
    "Gompertz": (2, 2),
    "exponentiated exponential": (0, 5),
    "exponentiated Weibull": (0, 4),
    "Marshall-Olkin exponential": (1, 1),
    "Marshall-Olkin Weibull": (2, 5),
    "transmuted exponential": (2, 9),
    "power between": (0, 13),
    "bounded Pareto": (0, 16),
    "truncated Weibull": (0, 2),
    "log-Cauchy": (1, 28),
    "Topp-Leone": (0, 3),
    "linear on (0, 1)": (0, 30),
    "skew Cauchy of a power": (3, 9),
    "inverse Weibull cut below": (1, 1),
    "Johnson SU": (0, 128),
    "logit-normal": (0, 1),
}
BEYOND = {
    "linear on (0, 1)": ("c",),  # a slope that is a difference of terms of the size of the quantile, next to 1 - q
    "skew Cauchy of a power": ("value",),  # tan(pi/4) is rounded, and its logarithm divided by the shape
}
ORDINARY = 6.0  # decades on either side of one: here nothing leaves the range of double precision


def beyond(found: list[Cell]) -> tuple[list[Cell], list[Cell]]:
    bad = [cell for cell in found if cell.error > 1]
    return [c for c in bad if c.what == "value"], [c for c in bad if c.what != "value"]


@pytest.mark.sweep(6)
@pytest.mark.parametrize("entry", LAWS, ids=lambda entry: entry.name)
def test_parameters_over_twelve_decades(entry: DigitLaw) -> None:
    """Here everything is right where the format can hold the quantile, but for what ``BEYOND`` names with its reason."""
    found = cells(entry, count=4, decades=ORDINARY, lowest=1e-100)
    bad = [c for c in found if c.error > 1 and c.finite and c.what not in BEYOND.get(entry.name, ())]
    assert len(found) > 50
    assert not bad, "\n".join(map(str, bad[:5]))


@pytest.mark.long
@pytest.mark.parametrize("entry", LAWS, ids=lambda entry: entry.name)
def test_parameters_over_thirty_decades(entry: DigitLaw) -> None:
    values, slopes = beyond(cells(entry))
    most = REMAINING.get(entry.name, (0, 0))
    assert len(values) <= most[0], "\n".join(map(str, values))
    assert len(slopes) <= most[1], "\n".join(map(str, slopes))


@pytest.mark.long
@pytest.mark.parametrize("entry", LAWS, ids=lambda entry: entry.name)
def test_single_precision(entry: DigitLaw) -> None:
    found = cells(entry, "float32", count=4, decades=3.0, lowest=1e-20)
    values, _ = beyond(found)
    assert not values, "\n".join(map(str, values[:5]))


def test_the_measurement_sees_what_is_wrong() -> None:
    """A quantile of another law, off by a part in 1e9 of the distance from the end, is beyond the tolerance everywhere."""
    (entry,) = (law for law in LAWS if law.name == "exponential")
    wrong = DigitLaw("wrong", entry.law, entry.parameters, lambda u, v, r: entry.quantile(u, v, r) * (1 + 1e-9))
    values, slopes = beyond(cells(wrong, count=2, decades=ORDINARY))
    assert len(values) > 50 and not [c for c in slopes if math.isinf(c.error)]
