"""Antiderivatives in Pearson's system."""

from __future__ import annotations

import sympy as sp

from symaux.formulas.algebra.monotone_chain import MonotoneChain
from symaux.formulas.symbols.support import Interval
from symaux.laws.densities.pearson import pearson_antiderivative

P, Q, W = sp.symbols("p q w", positive=True)
Y = sp.Symbol("y", real=True)


def test_the_integral_of_an_inverse_square_starts_at_the_lower_end() -> None:
    where = Interval(-sp.pi / 2, sp.pi / 2)
    found = pearson_antiderivative(-4 * (P - 1) / (2 * (P - 1) * Y + sp.pi * (P + 1)), Y, where)
    chain = MonotoneChain.of(found, Y, where)
    assert chain is not None and chain.image.lower == 0
    assert sp.simplify(chain.inverse(found) - Y) == 0
