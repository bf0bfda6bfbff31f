"""Every axiom is integrated numerically at 50 points, beside a perturbed copy that must fail."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.special as special
import sympy as sp

from symaux.trusted.checker.axioms import AXIOMS, A, Axiom, B, C, X

POINTS, NEAR = 50, 1e-10
SPECIAL = {
    "loggamma": special.gammaln,
    "besseli": special.iv,
    "besselk": special.kv,
    "zeta": special.zeta,
    "hyper": lambda top, bottom, x: special.hyp1f1(top[0], bottom[0], x),
}
# Poles at the ends that double precision can integrate across: at x = 1 the nearest number is 1e-16 away.
LEAST = {
    "beta": {B: 0.9},
    "kummer": {B: 0.9},
    "rice": {A: -0.8},
    "bose": {A: 1.8},
    "von_mises": {B: -3, C: -3},
    "bessel_k": {A: -3},
}


def points(axiom: Axiom) -> list[dict[Any, Any]]:
    """Parameters that satisfy the conditions of an axiom: 50 for one with parameters, one without."""
    rng, rows, least = random.Random(axiom.name), [], LEAST.get(axiom.name, {})
    while len(rows) < (POINTS if axiom.parameters else 1):
        row = {p: sp.Rational(rng.randint(-300, 800), 100) for p in axiom.parameters}
        if all(c.xreplace(row) == sp.true for c in axiom.conditions) and all(
            v >= least.get(p, 0.3) for p, v in row.items()
        ):
            rows.append(row)
    return rows


def integral(axiom: Axiom, row: dict[Any, Any]) -> float:
    """The integral of the density by the trapezoidal rule, over a line that the region is a smooth image of."""
    log_density = sp.lambdify(X, axiom.log_density.xreplace(row), modules=[SPECIAL, "numpy"])
    low, high = (b.xreplace(row) for b in (axiom.lower, axiom.upper))
    s = np.linspace(-130, 130, 40_001)
    with np.errstate(all="ignore"):
        if low == -sp.oo:
            x, slope = np.sinh(s), np.cosh(s)
        elif high == sp.oo:
            x, slope = np.exp(s), np.exp(s)
        else:
            unit, width = special.expit(s), float(high - low)
            x, slope = float(low) + width * unit, width * unit * special.expit(-s)
        values = np.exp(log_density(x) + np.log(slope))
    return float(np.sum(np.nan_to_num(values, posinf=0.0)) * (s[1] - s[0]))  # what is lost shows in the total


@pytest.mark.parametrize("name", AXIOMS)
def test_an_axiom_holds_at_fifty_points_and_a_perturbed_copy_fails(name: str) -> None:
    axiom = AXIOMS[name]
    copy = replace(axiom, log_density=axiom.log_density * sp.Rational(1001, 1000) + sp.Rational(1, 10**4))
    rows = points(axiom)
    totals = np.array([integral(axiom, row) for row in rows])
    assert np.all(np.abs(totals - 1) < NEAR), [
        (row, t) for row, t in zip(rows, totals, strict=True) if abs(t - 1) >= NEAR
    ]
    assert np.mean([abs(integral(copy, row) - 1) > 1e-6 for row in rows]) > 0.9


def test_every_axiom_is_cited() -> None:
    assert all(axiom.citation and axiom.name == name for name, axiom in AXIOMS.items())
