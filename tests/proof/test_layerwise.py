"""Proofs layer by layer: what is expanded, and what stays whole."""

from __future__ import annotations

import sympy as sp

from symaux.proof.scalar.layerwise import gather_terms

z, x = sp.Symbol("z", real=True), sp.Symbol("x", positive=True)
a, b, c = sp.symbols("a b c", positive=True)


def test_logarithms_in_arguments_stay_whole() -> None:
    inner = sp.log(x / (x + a)) ** 2
    assert gather_terms(sp.log(b + sp.exp(inner))).has(sp.log(x / (x + a)))
