"""Reports without a browser: well formed, complete, nothing from outside, names stay text, and data that are right."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser

import pytest
import sympy as sp
from click.testing import CliRunner

import symaux as sa
from symaux.cli.demo import chain
from symaux.cli.main import cli

z, a, b = sp.symbols("z a b", positive=True)
VOID = {"meta", "input", "link", "br"}


class Reader(HTMLParser):
    """Every element that is opened is closed, in order; keeps elements, attributes and embedded data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.data: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, kind: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((kind, dict(attributes)))
        if kind not in VOID:
            self.open.append(kind)

    def handle_startendtag(self, kind: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((kind, dict(attributes)))

    def handle_endtag(self, kind: str) -> None:
        assert self.open.pop() == kind

    def handle_data(self, text: str) -> None:
        if self.open and self.open[-1] == "script":
            self.data.append(text)

    def ids(self) -> set[str]:
        listed = [str(a["id"]) for _, a in self.elements if "id" in a]
        assert len(listed) == len(set(listed)), "two elements have one id"
        return set(listed)


def walk() -> sa.Model:
    s, y, t, n = *sa.arrays("s y"), sa.plate("t", 30), sa.plate("n")
    sd = sp.Symbol("sd", positive=True)
    states = [sa.normal(s[0, n], 0, 1), sa.normal(s[t, n], s[t - 1, n], sd), sa.half_normal(sd, 1)]
    return sa.Model.of(*states, sa.normal(y[t, n], s[t, n], 1), observed=[y])


@cache
def page(name: str) -> str:
    models = {"chain": chain, "walk": walk}
    return sa.report(sa.auxiliary(models[name](), keep_roots=False), "A <title> & more")


@pytest.mark.parametrize("name", ["chain", "walk"])
def test_the_page_is_whole_and_stands_alone(name: str) -> None:
    read = Reader(page(name))
    assert {"model", "blankets", "derivation", "draws", "code"} <= read.ids()
    loaded = [(kind, a) for kind, a in read.elements if {"src", "srcset"} & set(a) or kind in ("link", "iframe", "img")]
    assert not loaded
    assert all(str(a["href"]).startswith("#") for _, a in read.elements if "href" in a)
    assert "default-src 'none'" in page(name).replace("&#x27;", "'")
    assert not re.search(r"@import|url\(", page(name))
    assert "A &lt;title&gt; &amp; more" in page(name) and "<title>A <title>" not in page(name)


def test_it_shows_statements_steps_code_and_a_plot_for_each_rewritten_node() -> None:
    text = page("chain")
    assert text.count('class="rule"') == 3 and text.count('class="plot"') == 2
    assert "; likewise" in text  # z2 and z3 have one kernel, and share a plot
    assert text.count("✓ proved") == 4  # three steps and the whole
    assert "def log_density" in re.sub(r"<[^>]*>", "", text)
    assert text.count("<table") == 3


def test_labels_belong_to_controls() -> None:
    read = Reader(page("walk"))
    wanted = {str(a["for"]) for kind, a in read.elements if kind == "label"}
    assert wanted == {"source-1", "steps-1", "source-2", "steps-2"} and wanted <= read.ids()


def test_a_series_also_has_a_slice() -> None:
    figures = [json.loads(text) for text in Reader(page("walk")).data[:2]]
    assert figures[1]["latents"] == [f"s[{t}]" for t in range(5)]
    before, after = (panel["steps"]["y[4]"] for panel in figures[1]["panels"])
    assert before["s[0]"] == 5 and after["s[0]"] == after["eps_s[0]"] == 1


@pytest.mark.parametrize(
    "name", ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "&amp;", "a\nb"]
)
def test_names_stay_text(name: str) -> None:
    s, y = sp.Symbol(name, real=True), sp.Symbol("y" + name, real=True)
    model = sa.Model.of(sa.normal(s, 0, 1), sa.normal(y, s, 1), observed=[y])
    read = Reader(sa.report(sa.auxiliary(model, keep_roots=False), name))
    assert sum(kind == "script" for kind, _ in read.elements) == 2
    assert not [a for _, a in read.elements for key in a if key.startswith("on")] and "img" not in dict(read.elements)
    assert name in json.loads(read.data[0])["latents"]


def test_the_command(tmp_path) -> None:  # type: ignore[no-untyped-def]
    model = tmp_path / "two_variables.py"
    model.write_text(
        "import sympy as sp, symaux as sa\nm, x = sp.symbols('m x', real=True)\n"
        "model = sa.Model.of(sa.normal(m, 0, 1), sa.normal(x, m, 1), observed=[x])\n"
    )
    done = CliRunner().invoke(cli, ["report", str(model), "-o", str(tmp_path / "r.html"), "--all-roots"])
    assert done.exit_code == 0, done.output
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<h1>two variables</h1>" in text
    Reader(text)


def test_derive_writes_the_page_of_a_law(tmp_path) -> None:  # type: ignore[no-untyped-def]
    out = tmp_path / "law.html"
    asked = ["derive", "a*exp(-a*z)", "--positive", "a", "--support", "0", "oo", "--html"]
    assert CliRunner().invoke(cli, [*asked, "--output", str(out)]).output == f"wrote {out}\n"
    text = out.read_text(encoding="utf-8")
    assert CliRunner().invoke(cli, asked).output == text
    assert {"form", "derivation", "draws", "code"} <= Reader(text).ids()
    assert CliRunner().invoke(cli, [*asked, "--json"]).exit_code == 2


def test_a_law_without_code_still_has_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codegen refuses a function that it does not know: the rest of the page is there, and the reason."""
    form = sa.derive(sa.exponential(z, a))

    def refuse(*_: object) -> str:
        raise sa.UnknownFunction("no JAX code is known for zeta")

    monkeypatch.setattr("symaux.api_forms.sample_form", refuse)
    monkeypatch.setattr("symaux.api_forms.form_model_source", refuse)
    text = sa.report(form)
    assert {"form", "derivation", "draws", "code"} <= Reader(text).ids()
    assert text.count("no JAX code is known for zeta") == 2 and 'class="plot"' not in text


def test_a_law_has_a_page_too() -> None:
    text = sa.report(sa.exponential(z, a))
    assert {"form", "derivation", "draws", "code"} <= Reader(text).ids()
    assert text.count('class="plot"') == 2
    with pytest.raises(sa.SymauxError, match="not int"):
        sa.report(3)
