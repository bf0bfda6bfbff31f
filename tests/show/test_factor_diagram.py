"""Factor graphs and slices of series as pictures."""

from __future__ import annotations

import pytest
from support.pictures import drawn

import symaux as sa
from symaux.show.drawing.factor_diagram import factor_diagram
from symaux.show.drawing.kingma_figures import draw_paper_figure
from symaux.show.drawing.render import RenderError


def test_factor_graphs_have_the_librarys_own_scopes(schools: sa.Derivation) -> None:
    for model in (schools.before, schools.after):
        shown = factor_diagram(model)
        squares = [name for name, v in shown.vertices.items() if v.kind == "factor"]
        scopes = [{a.tail for a in shown.arrows if a.head == square} for square in squares]
        assert sorted(map(sorted, scopes)) == sorted(map(sorted, sa.factors(model)))
        assert not [v for v in shown.vertices.values() if v.kind == "deterministic"]
        assert all(shown.vertices[s].plates == (("j",) if "theta" in s or "of y" in s else ()) for s in squares)


def test_factor_graphs_are_drawn_in_every_format(schools: sa.Derivation) -> None:
    assert sa.render(schools, view="factors").count('class="node factor"') == 8
    assert r"\node[factor]" in sa.render(schools, "mu", "tikz", view="factors")
    graph = sa.render(schools.before.unroll(), view="factors")
    assert graph.count('class="node factor"') == 18


def test_a_slice_runs_along_time_only() -> None:
    z, x, t, n = *sa.arrays("z x"), sa.plate("t", 100), sa.plate("n", 50)
    walk = [sa.normal(z[0, n], 0, 1), sa.normal(z[t, n], z[t - 1, n], 1), sa.normal(x[t, n], z[t, n], 1)]
    before, after = drawn(sa.render(sa.auxiliary(sa.Model.of(*walk, observed=[x])), "z[2]", view="slice"))
    assert set(before) == {f"{v}[{k}]" for v in "zx" for k in range(5)}
    rows = [[after[f"{v}[{k}]"] for k in range(5)] for v in ("eps_z", "z", "x")]
    assert all(row == sorted(row) and len({at[1] for at in row}) == 1 for row in rows)
    assert rows[0][0][1] < rows[1][0][1] < rows[2][0][1]


def test_what_cannot_be_drawn_says_so(schools: sa.Derivation) -> None:
    with pytest.raises(RenderError, match="no time axis"):
        sa.render(schools, view="slice")
    with pytest.raises(RenderError, match="no view 'side'; there are network"):
        sa.render(schools, view="side")
    with pytest.raises(RenderError, match="figures that are drawn here are 1, 2"):
        draw_paper_figure(3)
