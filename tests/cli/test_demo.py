"""The demo of the command line, and that it is the gallery's chain."""

from __future__ import annotations

import runpy
from pathlib import Path

from click.testing import CliRunner, Result
from support.paths import GALLERY

from symaux.cli.main import cli


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, args)


def succeed(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.output + repr(result.exception)
    return result.stdout


def test_demo(tmp_path: Path) -> None:
    shown = succeed("demo", "-o", str(tmp_path / "demo"))
    assert "after 3 gradient steps in the original and after 1 gradient step in auxiliary form" in shown
    assert "proved" in shown and "log p(x, eps) = -7.22863" in shown and "gradient in eps_z3: 0.50000" in shown
    assert sorted(p.name for p in (tmp_path / "demo").iterdir()) == [
        "chain.png",
        "chain.svg",
        "chain_aux.py",
        "derivation.txt",
        "report.html",
    ]


def test_the_demo_is_the_gallerys_chain() -> None:
    from symaux.cli.demo import chain

    path = GALLERY / "chain.py"
    assert runpy.run_path(str(path))["model"] == chain()
