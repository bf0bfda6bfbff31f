"""Rules that collapse sums over data: each is an equality."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from rewrites import COLLAPSES
from symaux.formulas.algebra.data_sides import ROW, DataSides, Slot

mu, nu = sp.symbols("mu nu", real=True)
s, r = sp.symbols("s r", positive=True)
y, x, X, b, alpha, sd = sa.arrays("y x X b alpha sd")
w = sa.arrays("w", positive=True)
n, k, j, c = sa.plate("n"), sa.plate("k", 3), sa.plate("j", 4), sa.plate("c", 5)
ELEMENTS = 7  # of plate n in the proofs by numbers
RULES = {rule.__name__: rule for rule in COLLAPSES}
TERMS = {
    "total": [
        3 * y[n] * sp.log(r),
        (1 - y[n]) * sp.log(1 - r),
        -sp.loggamma(y[n] + 1),
        y[n] * (mu + sp.Sum(X[n, k] * b[k], k)),
        sp.log(s),
        n * mu,
    ],
    "product_of_residuals": [
        (y[n] - mu) ** 2 / s**2,
        (y[n] - mu - sp.Sum(X[n, k] * b[k], k)) ** 2,
        ((y[n] - mu) / x[n]) ** 2,
        (y[n] - mu) * (x[n] - nu) * r,
        (sp.log(w[n]) - mu * n - nu) ** 2 * w[n],
        s * (y[n] - 2 * mu * (x[n] + nu)) ** 2,
    ],
}


@pytest.mark.parametrize("rule,term", [(rule, t) for rule, terms in TERMS.items() for t in terms], ids=str)
def test_every_rule_is_an_equality(rule: str, term: sp.Expr) -> None:
    sides = DataSides(frozenset({"y", "x", "X", "w"}), (), (n,), count=sp.Integer(ELEMENTS))
    made = RULES[rule](term, sides)
    assert made is not None
    rng = np.random.default_rng(3)
    arrays = {name: rng.normal(size=ELEMENTS) for name in "yx"}
    arrays |= {"w": rng.random(ELEMENTS) + 0.5, "X": rng.normal(size=(ELEMENTS, 3)), "b": rng.normal(size=3)}
    arrays["y"] = np.abs(arrays["y"])
    point = {mu: mp.mpf("0.7"), nu: mp.mpf("-1.1"), s: mp.mpf("1.3"), r: mp.mpf("0.4")}
    with mp.workdps(40):
        long = mp.fsum(value(term, arrays, point, at) for at in range(ELEMENTS))
        short = collapsed_value(made, sides, arrays, point)
        assert abs(long - short) < mp.mpf(10) ** -30 * (1 + abs(long))


def value(formula: sp.Expr, arrays: dict[str, Any], point: dict[Any, Any], at: int) -> Any:
    """The formula at an element of plate n, by mpmath."""
    doit = formula.xreplace({t: sp.Add(*(t.function.subs(k, i) for i in range(3))) for t in formula.atoms(sp.Sum)})
    plain = doit.subs(n, at)
    found = {e: mp.mpf(float(arrays[str(e.base)][tuple(map(int, e.indices))])) for e in plain.atoms(sp.Indexed)}
    names = {symbol: sp.Dummy() for symbol in (*found, *point)}
    numbers = {names[symbol]: v for symbol, v in (found | point).items()}
    return sp.lambdify(list(numbers), plain.xreplace(names), "mpmath")(*numbers.values())


def collapsed_value(made: sp.Expr, sides: DataSides, arrays: dict[str, Any], point: dict[Any, Any]) -> Any:
    """The collapsed formula: totals by sums, rows by the triangle of mpmath's QR decomposition, any centres."""
    slots = list(sides.slots.values())
    centres = {(s.about, s.column, i): mp.mpf(i + 2) / 7 for s in slots for i in range(3)}
    columns = [(slot, i) for slot in slots if slot.is_row for i in places(slot)]
    triangle = mp.matrix(0, 0)
    if columns:
        entries = [[entry(slot, i, arrays, point, at, sides, centres) for slot, i in columns] for at in range(ELEMENTS)]
        triangle = mp.qr(mp.matrix(entries), mode="full")[1]
    rows = made.xreplace({t: sp.Add(*(t.function.subs(ROW, q) for q in range(len(columns)))) for t in row_sums(made)})
    flat = rows.xreplace({t: sp.Add(*(t.function.subs(k, i) for i in range(3))) for t in rows.atoms(sp.Sum)})
    numbers: dict[Any, Any] = dict(point)
    for slot, i in [(each, at) for each in slots for at in places(each)]:
        if slot.kind == "total":
            numbers[slot.symbol.subs(k, i)] = mp.fsum(column(slot.column, i, arrays, point, e) for e in range(ELEMENTS))
        if slot.kind == "centre":
            numbers[slot.symbol.subs(k, i)] = centres[slot.about, slot.column, i]
        for q in range(len(columns) if slot.is_row else 0):
            numbers[slot.symbol.subs({ROW: q, k: i})] = triangle[q, columns.index((slot, i))]
    for element in flat.atoms(sp.Indexed):
        if str(element.base) in arrays:
            numbers[element] = mp.mpf(float(arrays[str(element.base)][tuple(map(int, element.indices))]))
    names = {symbol: sp.Dummy() for symbol in numbers}
    return sp.lambdify(list(names.values()), flat.xreplace(names), "mpmath")(*numbers.values())


def places(slot: Slot) -> range:
    return range(3 if slot.bound else 1)


def entry(
    slot: Slot,
    i: int,
    arrays: dict[str, Any],
    point: dict[Any, Any],
    at: int,
    sides: DataSides,
    centres: dict[Any, Any],
) -> Any:
    """An element of a column; an offset has the others added to it, as often as their centres say."""
    own = column(slot.column, i, arrays, point, at)
    fits = [s for s in sides.slots.values() if s.kind == "centre" and slot.kind == "offset" and s.about == slot.column]
    more = [(s, m) for s in fits for m in places(s)]
    return own + mp.fsum(centres[s.about, s.column, m] * column(s.column, m, arrays, point, at) for s, m in more)


def row_sums(formula: sp.Expr) -> list[Any]:
    return [t for t in formula.atoms(sp.Sum) if t.variables == [ROW]]


def column(formula: Any, i: int, arrays: dict[str, Any], point: dict[Any, Any], at: int) -> Any:
    return value(sp.S(formula).subs(k, i), arrays, point, at)
