"""The command line: what it prints, what it writes, and how it fails."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from symaux.cli.main import cli
from symaux.cli.options import repeat_options

KUMARASWAMY = ["a*b*z**(a-1)*(1-z**a)**(b-1)", "--value", "z", "--positive", "a", "b", "--support", "0", "1"]
MODEL = """
import sympy as sp
import symaux as sa

z, mu, x = sp.symbols("z mu x", real=True)
model = sa.Model.of(sa.normal(mu, 0, 1), sa.normal(z, mu, 2), sa.normal(x, z, 1), observed=[x])
"""
OWN = [sys.executable, "-m", "symaux.cli.main"]


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, args)


def succeed(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.output + repr(result.exception)
    return result.stdout


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    return str(path)


def test_derive_a_formula() -> None:
    shown = succeed("derive", *KUMARASWAMY)
    assert shown.startswith("z = (1 - eps_z**(1/b))**(1/a)\n")
    assert "proved" in shown


def test_derive_with_conditions() -> None:
    """With 0 < p < 1 the signs are known, and the quantile function is closed."""
    density = ("-b*(1-p)*exp(-b*x)/(log(p)*(1-(1-p)*exp(-b*x)))", "--positive", "b", "--support", "0", "oo")
    found = run("derive", *density, "--given", "0 < p < 1")
    assert "proved" in found.output and "ImplicitQuantile" not in found.output
    for wrong, said in (("0 < q < 1", "'q' is not a parameter"), ("1 < 2", "always true"), ("p", "a comparison")):
        refused = run("derive", *density, "--given", wrong)
        assert refused.exit_code == 2 and said in refused.output


def test_derive_as_data() -> None:
    data = json.loads(succeed("derive", *KUMARASWAMY, "--json"))
    assert data["value"] == "(1 - eps_z**(1/b))**(1/a)"
    assert data["verdict"]["status"] == "PROVED"
    assert [step["rule"] for step in data["steps"]]


def test_derive_as_code_is_a_module_that_imports_only_jax() -> None:
    source = succeed("derive", *KUMARASWAMY, "--code")
    compile(source, "generated", "exec")
    assert "import jax" in source and "symaux" not in source.split('"""', 2)[2]


def test_derive_as_latex() -> None:
    assert succeed("derive", "Gumbel", "--latex").startswith(r"\[ z = ")


def test_derive_every_form() -> None:
    assert len(json.loads(succeed("derive", "exponential", "--all", "--json"))) > 1


def test_every_form_is_one_after_the_other_with_its_verdict() -> None:
    shown = succeed("derive", "exponential", "--all")
    assert shown.count("z = ") > 2 and shown.count("\nproved: ") > 1
    assert isinstance(json.loads(succeed("derive", *KUMARASWAMY, "--all", "--json")), list)


def test_explain(model: str) -> None:
    assert "\n1. inverse_cdf\n" in succeed("derive", *KUMARASWAMY, "--explain")
    assert succeed("derive", *KUMARASWAMY, "--explain", "--latex").startswith(r"\begin{enumerate}")
    assert "kept mu: a root" in succeed("derive", model, "--explain")


@pytest.mark.parametrize("faces", [["--json", "--code"], ["--code", "--latex"], ["--json", "--explain"]])
def test_one_face_at_a_time(faces: list[str]) -> None:
    result = run("derive", "Gumbel", *faces)
    assert result.exit_code == 2 and "choose one" in result.stderr and not result.stdout


def test_derive_a_log_density_that_begins_with_a_sign() -> None:
    assert "mu" in succeed("derive", "-(z - mu)^2/2 - log(2*pi)/2", "--log")


@pytest.mark.parametrize("name", ["Gumbel", "LogNormal", "log_normal", "HALFNORMAL"])
def test_derive_a_family(name: str) -> None:
    assert "proved" in succeed("derive", name)


def test_derive_a_model(model: str) -> None:
    shown = succeed("derive", model)
    assert "z = 2*eps_z + mu" in shown and "kept mu" in shown
    assert "z = 2*eps_z + mu" in json.loads(succeed("derive", model, "--json"))["after"]
    assert r"\varepsilon_{z}" in succeed("derive", model, "--latex")


def test_verify(model: str) -> None:
    shown = succeed("verify", model)
    assert "the whole: proved" in shown
    assert "the whole: proved" in succeed("verify", "Gumbel")


def test_verify_says_when_it_does_not_hold(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from symaux.rules.derivation import Derivation
    from symaux.rules.verdict import Status, Verdict

    monkeypatch.setattr(Derivation, "verify", lambda self: Verdict(Status.REFUTED, ("by hand",)), raising=False)
    result = run("verify", model)
    assert result.exit_code == 1 and "refuted" in result.stdout


def test_render(model: str, tmp_path: Path) -> None:
    succeed("render", model, "-o", str(tmp_path / "a.svg"), "--focus", "mu")
    assert (tmp_path / "a.svg").read_text().lstrip().startswith("<")
    succeed("render", model, "-o", str(tmp_path / "a.png"), "--original")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "tikz" in succeed("render", model, "--format", "tikz")
    broad = succeed("render", model, "--format", "svg", "--flow")
    assert len(set(re.findall(r'stroke-width="([^"]+)"', broad))) > len(
        set(re.findall(r'stroke-width="([^"]+)"', succeed("render", model, "--format", "svg")))
    )
    assert sorted(p.name for p in tmp_path.iterdir() if p.suffix != "") == ["a.png", "a.svg", "model.py"]


def test_a_dash_is_standard_output(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert succeed("export", model, "-o", "-") == succeed("export", model)
    assert not (tmp_path / "-").exists()


def test_export(model: str, tmp_path: Path) -> None:
    out = tmp_path / "model_aux.py"
    succeed("export", model, "-o", str(out))
    assert "eps_z" in out.read_text()
    assert "eps_z" not in succeed("export", model, "--original").partition("def sample_prior")[0]


def test_rules() -> None:
    assert succeed("rules").startswith("location_scale ")


def failing(tmp_path: Path) -> dict[str, list[str]]:
    (tmp_path / "text.symaux").write_text("mu ~ Normal(0, 1")
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "wrong.py").write_text("model = 3")
    (tmp_path / "raises.py").write_text("\n1/0\n")
    (tmp_path / "exits.py").write_text("raise SystemExit(0)")
    (tmp_path / "binary.py").write_bytes(b"\xff\x00\x01")
    (tmp_path / "data.csv").write_text("1,2")
    (tmp_path / "bad.py").write_text(MODEL.replace("mu, 2)", "mu, -2)"))
    (tmp_path / "good.py").write_text(MODEL)
    (tmp_path / "folder").mkdir()
    at = {p.name: str(p) for p in tmp_path.iterdir()}
    return {
        "language": ["derive", "a*exq(z)"],
        "language: code": ["derive", "__import__('os')"],
        "language: NUL": ["derive", "z\0"],
        "language: tower": ["derive", "z**9**9**9"],
        "language: undeclared": ["derive", "exp(-z)", "--positive", "a"],
        "law": ["derive", "exp(-z)", "--support", "1", "0"],
        "target: not there": ["derive", str(tmp_path / "none.py")],
        "target: a folder": ["derive", at["folder"]],
        "language: text": ["derive", at["text.symaux"]],
        "target: no model": ["derive", at["empty.py"]],
        "target: no Model": ["derive", at["wrong.py"]],
        "target: raises": ["derive", at["raises.py"]],
        "target: exits": ["derive", at["exits.py"]],
        "target: binary": ["verify", at["binary.py"]],
        "target: csv": ["export", at["data.csv"]],
        "law: negative": ["derive", at["bad.py"]],
        "model: only": ["derive", at["good.py"], "--only", "nobody"],
        "output: folder": ["export", at["good.py"], "-o", at["folder"]],
        "output: nowhere": ["export", at["good.py"], "-o", str(tmp_path / "no" / "where.py")],
        "output: a file for a folder": ["demo", "-o", str(tmp_path / "good.py" / "demo")],
        "target: family with --support": ["derive", "Gumbel", "--support", "0", "1"],
        "no-rule": ["derive", "Poisson"],
    }


@pytest.mark.parametrize("case", range(22))
def test_errors_have_a_code_and_status_2(case: int, tmp_path: Path) -> None:
    name, arguments = list(failing(tmp_path).items())[case]
    before = sorted(str(p) for p in tmp_path.rglob("*"))
    result = run(*arguments)
    assert result.exit_code == 2, name
    assert result.stderr.startswith(f"symaux: error [{name.split(':')[0]}]: "), result.stderr
    assert "Traceback" not in result.output and not result.stdout
    assert sorted(str(p) for p in tmp_path.rglob("*") if "__pycache__" not in str(p)) == before


@pytest.mark.parametrize(
    "arguments", [["derive"], ["nothing"], ["render", "model.py", "--format", "gif"], ["derive", "z", "--postive", "a"]]
)
def test_wrong_usage_is_status_2(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_binary_pictures_need_a_file(model: str, tmp_path: Path) -> None:
    assert run("render", model, "--format", "png").exit_code == 2
    assert run("render", model, "-o", str(tmp_path / "a.gif")).exit_code == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_folder(model: str, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    assert "output" in run("export", model, "-o", str(tmp_path / "closed" / "a.py")).stderr


def test_a_full_disk_leaves_the_old_file(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "a.py"
    out.write_text("old")

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    result = run("export", model, "-o", str(out))
    assert result.exit_code == 2 and "No space left" in result.stderr
    assert out.read_text() == "old" and sorted(p.name for p in tmp_path.glob("*a.py*")) == ["a.py"]


def test_several_names_for_one_option() -> None:
    wanted = ["f", "--positive", "a", "--positive", "b", "--support", "-1", "1"]
    assert repeat_options(["f", "--positive", "a", "b", "--support", "-1", "1"]) == wanted
    assert repeat_options(["f", "--positive", "a,b", "--support", "-1", "1"]) == wanted
    assert repeat_options(["f", "--positive=a,b", "--support", "-1", "1"]) == wanted
    assert repeat_options(wanted) == wanted
    assert repeat_options(["--positive", "a", "a*exp(-a*z)"]) == ["--positive", "a", "a*exp(-a*z)"]
    assert repeat_options(["f", "--positive"]) == ["f", "--positive"]


def test_a_real_process() -> None:
    done = subprocess.run([*OWN, "derive", "Gumbel"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "eps_z*scale + loc" in done.stdout and not done.stderr
    done = subprocess.run([*OWN, "derive", "exq(z)"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2 and "did you mean exp?" in done.stderr and not done.stdout


def test_an_interrupt_is_130_and_leaves_nothing(tmp_path: Path) -> None:
    started = tmp_path / "started"
    slow = tmp_path / "slow.py"
    slow.write_text(f"import pathlib, time\npathlib.Path({str(started)!r}).touch()\ntime.sleep(60)\n")
    out = tmp_path / "out.py"
    heard = (  # a shell's background job ignores interrupts, and so do its children
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "runpy.run_module('symaux.cli.main', run_name='__main__', alter_sys=True)"
    )
    command = [sys.executable, "-c", heard, "export", str(slow), "-o", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not started.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in error
    assert sorted(p.name for p in tmp_path.iterdir()) == ["slow.py", "started"]
