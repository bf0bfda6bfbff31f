"""The corpus of bad inputs: each gets its error code and status 2, runs no code and writes nothing."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
import sympy as sp
from click.testing import CliRunner, Result
from support.bad_arguments import ARGUMENTS, NAMES
from support.bad_calls import CALLS
from support.bad_inputs import FILES, LAWS, TEXTS, UNNORMALISED
from support.hostile_formulas import REFUSED
from support.paths import ROOT
from support.timing import within

import symaux as sa
from symaux.cli.main import cli

QUICK = 1.0  # seconds of the processor for what needs no work
NEEDED = 6.0  # where an integral or a derivation has to show that a density is none


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, args)


def printable(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


@pytest.fixture(autouse=True)
def nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """No input leaves a file behind: the folder that it could reach stays as it was."""
    monkeypatch.chdir(tmp_path)
    yield
    assert not (tmp_path / "run").exists()


def test_there_are_enough() -> None:
    assert len(LAWS) + len(TEXTS) + len(FILES) + len(CALLS) + len(REFUSED) > 500


@pytest.mark.parametrize("arguments", LAWS, ids=range(len(LAWS)))
def test_laws(arguments: tuple[str, ...], tmp_path: Path) -> None:
    result = run("derive", *arguments)
    assert result.exit_code == 2 and not result.stdout, result.output
    assert result.stderr.startswith(f"symaux: error [{LAWS[arguments]}]: "), result.stderr
    assert "Traceback" not in result.stderr and printable(result.stderr)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_model_texts(text: str, tmp_path: Path) -> None:
    with pytest.raises(sa.SymauxError) as caught:
        sa.parse(text)
    assert caught.value.code == TEXTS[text], caught.value
    assert printable(str(caught.value)) and len(str(caught.value)) < 2000
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", UNNORMALISED)
def test_densities_of_roots_and_observations_are_normalised_too(text: str) -> None:
    with pytest.raises(sa.LawError, match="to one"):
        sa.auxiliary(sa.parse(text))


def test_names_in_messages_do_nothing_to_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "m.symaux").write_text("x ~ normal(0, 1)")
    (tmp_path / "d.json").write_text('{"y\\u001b[2J\\u0000": 1}')
    told = run("sample", "m.symaux", "--data", "d.json", "--prior").stderr
    assert "y\\x1b[2J\\x00" in told and printable(told)


@pytest.mark.parametrize("text", list(TEXTS)[::9], ids=range(len(list(TEXTS)[::9])))
def test_model_texts_on_the_command_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "model.symaux"
    path.write_text(text, encoding="utf-8", newline="")
    for command in ("derive", "verify", "export", "sample", "render"):
        result = run(command, str(path), *(["-o", "out.svg"] if command == "render" else []))
        assert result.exit_code == 2 and not result.stdout
        assert result.stderr.startswith("symaux: error ["), result.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["model.symaux"]


@pytest.mark.parametrize("name", FILES)
def test_files(name: str, tmp_path: Path) -> None:
    content, code = FILES[name]
    (tmp_path / name).write_bytes(content)
    for command in ("derive", "export"):
        result = run(command, str(tmp_path / name))
        assert result.exit_code == 2 and not result.stdout
        assert result.stderr.startswith(f"symaux: error [{code}]: "), result.stderr
        assert printable(result.stderr)
    assert [p.name for p in tmp_path.iterdir() if p.name != "__pycache__"] == [name]


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str) -> None:
    call, code = CALLS[name]
    with pytest.raises(sa.SymauxError) as caught:
        call()
    assert caught.value.code == code, caught.value


@pytest.mark.speed
def test_refusals_are_quick(tmp_path: Path) -> None:
    for arguments, code in LAWS.items():
        with within(QUICK if code == "language" else NEEDED, arguments):
            run("derive", *arguments)
    for text in TEXTS:
        with within(QUICK + text.startswith("law"), text), contextlib.suppress(sa.SymauxError):
            sa.parse(text)
    for name, (call, _) in CALLS.items():
        with within(NEEDED, name), contextlib.suppress(sa.SymauxError):
            call()
    for name, (content, _) in FILES.items():
        (tmp_path / name).write_bytes(content)
        with within(3 * QUICK, name):
            run("derive", str(tmp_path / name))
            run("export", str(tmp_path / name))


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments(name: str, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "import sympy as sp, symaux as sa\nmodel = sa.Model.of(sa.normal(sp.Symbol('x'), 0, 1))"
    )
    kept = (tmp_path / "m.py").read_bytes()
    result = run(*(word.replace("{here}", tmp_path.name) for word in ARGUMENTS[name]))
    assert (tmp_path / "m.py").read_bytes() == kept
    assert result.exit_code == 2 and "Traceback" not in result.output, result.output
    assert [p.name for p in tmp_path.iterdir() if p.name != "__pycache__"] == ["m.py"]


@pytest.mark.parametrize(
    "output",
    [".", "folder", "none/where.py", "m.symaux/below.py", "\0", "x" * 300, "pipe"],
)
def test_outputs_that_cannot_be_written(output: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")  # as a device would be, which root could rename a file over
    (tmp_path / "m.symaux").write_text("x ~ normal(0, 1)")
    before = sorted(p.name for p in tmp_path.rglob("*"))
    result = run("export", "m.symaux", "--original", "-o", output)
    assert result.exit_code == 2 and "error [output]" in result.stderr, result.output
    assert sorted(p.name for p in tmp_path.rglob("*")) == before


LEGAL = {
    "a sum over integers in a location": "a ~ normal(0, 1)\nx ~ normal(sum(a^k/gamma(k + 1), k, 0, 5), 1)",
    "a sum without an end": "a ~ normal(0, 1)\nx ~ normal(sum(a^k/gamma(k + 1), k, 0, oo) + sum(1/(k + 1)^2, k, 0, oo), 1)",
    "a sum with elements": "plate i[2]\nb[i] ~ normal(0, 1)\ny[i] ~ normal(sum(b[i]^k, k, 0, 3), 1)",
    "a weight with a beta law": "w ~ beta(2, 2)\nx ~ w*exp(-x) + (1 - w)*2*exp(-2*x) on (0, oo)\nobserve y ~ normal(x, 1)",
    "an index that is observed": (
        "plate i[3]\nplate j[4]\nx[i] ~ normal(0, 1)\nobserve g[j] ~ binomial(2, 0.5)\ny[j] ~ normal(x[g[j]], 1)"
    ),
    "what is in auxiliary form already": "auxiliary x\ny ~ normal(0, 1)\nx ~ normal(y, 1)",
    "a scale that a side condition keeps positive": "a ~ normal(0, 1)\nx ~ normal(0, where(a < 0, -1, 1))",
    "a series as short as its lag": "plate t[1]\nz[0] ~ normal(0, 1)\nz[t] ~ normal(z[t-1], 1)",
    "a support that depends on a parent": "a ~ normal(0, 1)\nx ~ uniform(a, a + 2)\ny ~ normal(x, 1)",
    "heavy tails": "a ~ cauchy(0, 1)\nx ~ student_t(1/2, a, 1)\ny ~ frechet(1/3, exp(x))",
    "names that look like code": "evil ~ normal(0, 1)\nsystem = evil\nos ~ normal(system, 1)\nself ~ normal(os, 1)",
    "Greek": "μ ~ normal(0, 1)\nσ ~ exponential(1)\nθ_1 ~ normal(μ, σ)",
    "Windows": "\ufeffx ~ normal(0, 1)\r\ny ~ normal(x, 1)\r\n".removeprefix("\ufeff"),
    "a comment in any language": "x ~ normal(0, 1)  # цена, 价格, τιμή",
}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", LEGAL)
def test_what_is_legal_but_unusual_works(name: str) -> None:
    aux = sa.auxiliary(sa.parse(LEGAL[name]))
    assert aux.verify().status in (sa.Status.PROVED, sa.Status.CERTIFIED, sa.Status.SAMPLED)


def test_a_model_without_a_real_density_is_undecided() -> None:
    verdict = sa.auxiliary(sa.parse("w ~ normal(0, 1)\nfactor sqrt(-w^2 - 1)")).verify()
    assert verdict.status is sa.Status.UNDECIDED and "not a real number" in verdict.evidence[1]


@pytest.mark.speed
@pytest.mark.parametrize("end", ["100000", "10**9", "1e400"])
def test_large_ends_of_a_support_are_bounded(end: str) -> None:
    with within(NEEDED):
        assert run("derive", "exp(-z)", "--support", "0", end).exit_code in (0, 2)


def test_large_numbers_in_conditions_do_not_end_in_a_traceback() -> None:
    result = run("derive", "a*exp(-a*z)", "--positive", "a", "--support", "0", "oo", "--given", "a > 10**400")
    assert result.exit_code in (0, 2) and "Traceback" not in result.output


def test_an_interrupt_ends_with_its_status_at_any_moment(tmp_path: Path) -> None:
    """From the first import on; nothing is left behind."""
    (tmp_path / "m.symaux").write_text("a ~ normal(0, 1)\nx ~ normal(a, 1)")
    command = [sys.executable, "-m", "symaux", "export", "m.symaux", "-o", "out.py"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for seconds in (0.1, 0.3, 0.8):
        started = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
        time.sleep(seconds)
        started.send_signal(signal.SIGINT)
        told = started.communicate(timeout=60)[1]
        assert started.returncode in (130, 0, -signal.SIGINT), told  # -2: before a line of ours was run
        assert {p.name for p in tmp_path.iterdir()} <= {"m.symaux", "out.py"}
        (tmp_path / "out.py").unlink(missing_ok=True)


def test_a_chain_of_a_thousand_nodes_is_rewritten() -> None:
    lines = ["z0 ~ normal(0, 1)", *(f"z{k} ~ normal(z{k - 1}, 1)" for k in range(1, 1000))]
    aux = sa.auxiliary(sa.parse("\n".join(lines)))
    assert len(aux.steps) == 999 and aux.verdict.status is sa.Status.PROVED


BOMBS = [
    "(1 + z + z**2)**1000*exp(-z**2)",
    "exp(-(1 + z)**1000)",
    "*".join(f"(z**2 + {k})" for k in range(1, 60)) + "*exp(-z**2)",
    "exp(-z**2)*" + "sin(" * 40 + "z" + ")" * 40,
    "gamma(gamma(gamma(2 + z**2)))*exp(-z**2)",
]


@pytest.mark.long
@pytest.mark.parametrize("bomb", BOMBS, ids=range(len(BOMBS)))
def test_bombs_are_bounded(bomb: str) -> None:
    """In a process of its own, with two minutes and four gigabytes: an error, or a form, never a hang."""
    limits = f"ulimit -v {4 << 20}; exec {sys.executable} -m symaux.cli.main derive '{bomb}'"
    done = subprocess.run(["bash", "-c", limits], capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 2) and "Traceback" not in done.stderr, done.stderr


def test_memory_of_bad_texts_is_bounded() -> None:
    """All of the corpus in one process does not take more than 300 megabytes beyond what was there before."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for text in TEXTS:
        with pytest.raises(sa.SymauxError):
            sa.parse(text)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000
    assert len(os.listdir("/proc/self/fd")) < 200


class Marks(HTMLParser):
    """The attributes and the scripts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.attributes: set[str] = set()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}


def test_names_through_python_reach_no_code_no_picture_and_no_path(tmp_path: Path) -> None:
    """Any text may be the name of a symbol: all of these in one model, through everything that is made of it."""
    odd = [sp.Symbol(name, real=True) for name in NAMES]
    y, z = sp.Symbol("y", real=True), sp.Symbol("z", real=True)
    with pytest.raises(sa.ModelError, match="eps_y"):
        sa.auxiliary(sa.Model.of(*(sa.normal(o, 0, 1) for o in odd), sa.normal(y, sp.tanh(odd[0]), 1)))
    odd = [o for o in odd if o.name != "eps_y"]
    model = sa.Model.of(
        *(sa.normal(o, 0, 1) for o in odd), sa.normal(y, sp.tanh(sum(odd)), 1), sa.normal(z, y, 1), observed=[z]
    )
    aux = sa.auxiliary(model)
    position = {name: 0.01 for name in aux.after.latents}
    assert float(sa.log_density(aux.after, {"z": 0.5})(position)) < 0
    svg, dot, tikz = (str(sa.render(aux, format=kind)) for kind in ("svg", "dot", "tikz"))
    for page in (sa.report(aux), aux.explain("html"), model._repr_html_(), svg):
        seen = Marks()
        seen.feed(page)
        assert (
            not {"onload", "onerror"} & seen.attributes and "img" not in seen.tags and seen.tags.count("script") <= 2
        )  # the page has two
    plain = re.sub(r'"(?:[^"\\]|\\.)*"', '""', dot, flags=re.DOTALL)
    assert "evil" not in plain and "\\write18{" not in tikz and "\\input{/etc" not in tikz + aux.explain("latex")
    assert not list(tmp_path.iterdir())
