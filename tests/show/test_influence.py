"""Data behind a report: those of the library's own analysis."""

from __future__ import annotations

import symaux as sa
from symaux.cli.demo import chain
from symaux.show.reporting.influence import influence, most_improved_source, twins


def test_the_data_are_the_librarys_own_analysis() -> None:
    aux = sa.auxiliary(chain(), keep_roots=False)
    for model in (aux.before, aux.after):
        found = influence(model, ["x3"])
        for name in ("z1", "z2", "z3", "x1", "x2"):
            assert found.blanket[name] == sorted(sa.markov_blanket(model, name))
            assert found.steps["x3"][name] == sa.information_distance(model, "x3", name)
    assert twins(aux.before, aux.after) == {f"eps_z{k}": f"z{k}" for k in (1, 2, 3)}


def test_the_first_source_is_the_one_that_gains_most() -> None:
    aux = sa.auxiliary(chain(), keep_roots=False)
    seen, hidden = ["x1", "x2", "x3"], ["z1", "z2", "z3"]
    before, after = (influence(model, [*seen, *hidden]) for model in (aux.before, aux.after))
    assert most_improved_source(before, after, seen, hidden) == "x3"
