"""The figures of the paper, in SVG and in TikZ."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import sympy as sp
from click.testing import CliRunner
from support.pictures import drawn

import symaux as sa
from symaux.cli.main import cli
from symaux.show.drawing.kingma_figures import FIGURES, draw_paper_figure


def test_papers_figure_1() -> None:
    text = draw_paper_figure(1)
    before, after = drawn(text)
    assert set(before) == {"before", "Z", "after"} and set(after) == {"before", "Z", "after", "eps_Z"}
    assert after["eps_Z"][0] == after["Z"][0] and after["eps_Z"][1] < after["Z"][1]
    assert text.count("…</text>") == 4 and text.count('class="tilde"') == 1 and ">(a)<" in text and "legend" in text
    assert "latent</text>" not in text


def test_papers_figure_2() -> None:
    before, after = drawn(draw_paper_figure(2))
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
    a, b, r, i, j = *sa.arrays("a b r"), sa.plate("i", 20), sa.plate("j", 8)
    odd = sp.Symbol("100% {odd}_$#&~^\\", real=True)
    crossed = [sa.normal(a[i], 0, 1), sa.normal(b[j], odd, 1), sa.normal(r[i, j], a[i] * b[j], 1)]
    z, t = sa.arrays("z"), sa.plate("t", 5)
    series = sa.Model.of(sa.normal(z[0], 0, 1), sa.normal(z[t], z[t - 1], 1))
    things = [schools, sa.Model.of(sa.normal(odd, 0, 1), *crossed), series]
    parts = [sa.render(thing, format="tikz") for thing in things] + [draw_paper_figure(n, "tikz") for n in FIGURES]
    head = r"\documentclass{article}\usepackage{amsmath,tikz}\usetikzlibrary{bayesnet}\begin{document}"
    (tmp_path / "all.tex").write_text("\n\n".join([head, *parts, r"\end{document}"]), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-1500:]
