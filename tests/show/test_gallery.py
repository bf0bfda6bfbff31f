"""The gallery's site."""

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
    again = CliRunner().invoke(cli, ["gallery", "build", str(source), "-o", str(site)])
    assert again.output == f"wrote {site / 'index.html'}\n"  # no page is made again
    assert CliRunner().invoke(cli, ["gallery", "build", str(tmp_path / "no")]).exit_code == 2
