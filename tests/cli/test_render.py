"""Views on the command line."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from symaux.cli.main import cli

MODEL = """
import sympy as sp, symaux as sa
"A walk."
z, x, t = *sa.arrays("z x"), sa.plate("t", 9)
model = sa.Model.of(sa.normal(z[0], 0, 1), sa.normal(z[t], z[t - 1], 1), sa.normal(x[t], z[t], 1), observed=[x])
focus = "z"
"""


def test_render_takes_a_view(tmp_path: Path) -> None:
    (tmp_path / "walk.py").write_text(MODEL, encoding="utf-8")
    path = str(tmp_path / "walk.py")
    assert CliRunner().invoke(cli, ["render", path, "--view", "factors"]).output.count('class="node factor"') == 5
    assert "latent</text>" not in CliRunner().invoke(cli, ["render", path, "--no-legend"]).output
    assert 'data-name="z[4]"' in CliRunner().invoke(cli, ["render", path, "--view", "slice", "--focus", "z[1]"]).output
