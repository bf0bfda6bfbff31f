"""Slices of a series agree with the unrolled one."""

from __future__ import annotations

import networkx as nx
import sympy as sp

import symaux as sa
from symaux.analysis.time_slice import slice_time_series, time_axes
from symaux.cli.demo import chain


def walk() -> sa.Model:
    s, y, t, n = *sa.arrays("s y"), sa.plate("t", 30), sa.plate("n")
    sd = sp.Symbol("sd", positive=True)
    states = [sa.normal(s[0, n], 0, 1), sa.normal(s[t, n], s[t - 1, n], sd), sa.half_normal(sd, 1)]
    return sa.Model.of(*states, sa.normal(y[t, n], s[t, n], 1), observed=[y])


def test_slices_agree_with_the_unrolled_series() -> None:
    model = walk()
    assert time_axes(model) == {"t"}
    cut = slice_time_series(model, 4)
    assert set(cut) == {f"{v}[{t}]" for v in "sy" for t in range(4)}
    whole = model.unroll(t=4, n=1).subgraph(n for n in model.unroll(t=4, n=1) if n != "sd")
    assert nx.is_isomorphic(cut, whole)
    assert sa.information_distance(cut, "y[3]", "s[0]") == 4
    assert not slice_time_series(chain()).nodes
