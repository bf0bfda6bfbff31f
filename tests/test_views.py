"""Views beside the network itself: factor graphs, slices of series, the paper's figures; and the gallery's site."""

from __future__ import annotations

import shutil
import subprocess
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import networkx as nx
import pytest
import sympy as sp
from click.testing import CliRunner

import symaux as sa
from symaux.cli.main import cli
from symaux.show.drawing.factor_diagram import factor_diagram
from symaux.show.drawing.kingma_figures import FIGURES, paper_figure
from symaux.show.drawing.render import RenderError

SVG = "{http://www.w3.org/2000/svg}"
MODEL = """
import sympy as sp, symaux as sa
"A walk."
z, x, t = *sa.arrays("z x"), sa.plate("t", 9)
model = sa.Model.of(sa.normal(z[0], 0, 1), sa.normal(z[t], z[t - 1], 1), sa.normal(x[t], z[t], 1), observed=[x])
focus = "z"
"""
mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
theta, y, sigma, j = *sa.arrays("theta y sigma"), sa.plate("j", 8)


@pytest.fixture(scope="module")
def schools() -> sa.Derivation:
    seen = sa.normal(y[j], theta[j], sigma[j])
    model = sa.Model.of(sa.normal(mu, 0, 5), sa.half_cauchy(tau, 5), sa.normal(theta[j], mu, tau), seen, observed=[y])
    return sa.auxiliary(model)


def drawn(text: str) -> list[dict[str, tuple[float, float]]]:
    """The places of the variables, panel by panel."""
    found = []
    for panel in ET.fromstring(text).findall(f"{SVG}g[@class='panel']"):
        nodes = {g.get("data-name", ""): g for g in panel.iter(f"{SVG}g") if g.get("class", "").startswith("node")}
        found.append({name: _place(g) for name, g in nodes.items()})
    return found


def _place(g: ET.Element) -> tuple[float, float]:
    for e in g:
        if e.tag == f"{SVG}ellipse":
            return float(e.get("cx", 0)), float(e.get("cy", 0))
        if e.tag == f"{SVG}polygon":
            (x, _), (_, y_) = (p.split(",") for p in e.get("points", "").split()[:2])
            return float(x), float(y_)
    return 0.0, 0.0


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
        paper_figure(3)


def test_papers_figure_1() -> None:
    text = paper_figure(1)
    before, after = drawn(text)
    assert set(before) == {"before", "Z", "after"} and set(after) == {"before", "Z", "after", "eps_Z"}
    assert after["eps_Z"][0] == after["Z"][0] and after["eps_Z"][1] < after["Z"][1]
    assert text.count("…</text>") == 4 and text.count('class="tilde"') == 1 and ">(a)<" in text and "legend" in text
    assert "latent</text>" not in text


def test_papers_figure_2() -> None:
    before, after = drawn(paper_figure(2))
    assert set(before) == {f"{v}{k}" for v in "ZX" for k in (1, 2, 3)}
    for k in (1, 2, 3):
        column = [after[f"{v}{k}"] for v in ("eps_Z", "Z", "X")]
        assert len({x for x, _ in column}) == 1 and [h for _, h in column] == sorted(h for _, h in column)
    for graph in FIGURES[2]:
        assert sa.information_distance(graph, "X3", "Z1") == (1 if "eps_Z1" in graph else 3)


@pytest.mark.parametrize("number", [1, 2])
def test_one_command_each_in_svg_and_tikz(number: int, tmp_path: Path) -> None:
    for suffix, start in (("svg", "<svg"), ("tex", "% ")):
        out = tmp_path / f"figure.{suffix}"
        assert CliRunner().invoke(cli, ["gallery", "figure", str(number), "-o", str(out)]).exit_code == 0
        assert out.read_text().startswith(start)
    assert CliRunner().invoke(cli, ["gallery", "figure", "7"]).exit_code == 2


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex on this machine")
def test_tikz_compiles_with_bayesnet(tmp_path: Path, schools: sa.Derivation) -> None:
    known = subprocess.run(["kpsewhich", "tikzlibrarybayesnet.code.tex"], capture_output=True)
    if known.returncode:
        pytest.skip("no tikz-bayesnet in this TeX")
    a, b, r, i = *sa.arrays("a b r"), sa.plate("i", 20)
    odd = sp.Symbol("100% {odd}_$#&~^\\", real=True)
    crossed = [sa.normal(a[i], 0, 1), sa.normal(b[j], odd, 1), sa.normal(r[i, j], a[i] * b[j], 1)]
    z, t = sa.arrays("z"), sa.plate("t", 5)
    series = sa.Model.of(sa.normal(z[0], 0, 1), sa.normal(z[t], z[t - 1], 1))
    things = [schools, sa.Model.of(sa.normal(odd, 0, 1), *crossed), series]
    parts = [sa.render(thing, format="tikz") for thing in things] + [paper_figure(n, "tikz") for n in FIGURES]
    head = r"\documentclass{article}\usepackage{amsmath,tikz}\usetikzlibrary{bayesnet}\begin{document}"
    (tmp_path / "all.tex").write_text("\n\n".join([head, *parts, r"\end{document}"]), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-1500:]


def test_places_that_a_graph_gives_are_kept() -> None:
    graph = nx.DiGraph(factors=())
    for k, name in enumerate("abc"):
        graph.add_node(name, kind="stochastic", observed=False, pos=(100.0 * k, 50.0 * (k % 2)))
    (where,) = drawn(sa.render(graph))
    assert where["b"][0] - where["a"][0] == 100.0 and where["b"][1] - where["a"][1] == 50.0


def test_the_site(tmp_path: Path) -> None:
    source, site = tmp_path / "scripts", tmp_path / "site"
    source.mkdir()
    (source / "walk.py").write_text(MODEL, encoding="utf-8")
    (source / "none.py").write_text("raise RuntimeError('this is not run')\n", encoding="utf-8")
    (source / "laws.py").write_text(
        "import sympy as sp, symaux as sa\nz, a = sp.symbols('z a', positive=True)\n"
        "laws = {'Expo<nential>': lambda: sa.law(z, a*sp.exp(-a*z)), 'Wrong': lambda: sa.law(z, 2*a*sp.exp(-a*z))}\n",
        encoding="utf-8",
    )
    done = CliRunner().invoke(cli, ["gallery", "build", str(source), "-o", str(site)])
    assert done.exit_code == 0, done.output
    names = {p.name for p in site.iterdir() if p.suffix == ".html"}
    assert names == {"index.html", "walk.html", "law-Expo-nential.html", "law-Wrong.html"}
    index = (site / "index.html").read_text(encoding="utf-8")
    assert all(f'href="{name}"' in index for name in names - {"index.html"})
    assert index.count('<svg class="symaux"') + index.count('class="symaux"') >= 1 and index.count('class="plot"') == 1
    assert "Expo&lt;nential&gt;" in index and "does not integrate to one" in (site / "law-Wrong.html").read_text()
    began = time.perf_counter()
    again = CliRunner().invoke(cli, ["gallery", "build", str(source), "-o", str(site)])
    assert again.output == f"wrote {site / 'index.html'}\n" and time.perf_counter() - began < 5
    assert CliRunner().invoke(cli, ["gallery", "build", str(tmp_path / "no")]).exit_code == 2


def test_render_takes_a_view(tmp_path: Path) -> None:
    (tmp_path / "walk.py").write_text(MODEL, encoding="utf-8")
    path = str(tmp_path / "walk.py")
    assert CliRunner().invoke(cli, ["render", path, "--view", "factors"]).output.count('class="node factor"') == 5
    assert "latent</text>" not in CliRunner().invoke(cli, ["render", path, "--no-legend"]).output
    assert 'data-name="z[4]"' in CliRunner().invoke(cli, ["render", path, "--view", "slice", "--focus", "z[1]"]).output
