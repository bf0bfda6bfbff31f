"""Reports without a browser: well formed, complete, nothing from outside, names stay text, and data that are right."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser

import networkx as nx
import pytest
import sympy as sp
from click.testing import CliRunner

import symaux as sa
from symaux.analysis.time_slice import sliced, time_axes
from symaux.cli.demo import chain
from symaux.cli.main import cli
from symaux.show.reporting.density_plot import DRAWS, NothingToCompare, compare, generating, plain, pleasant
from symaux.show.reporting.highlight import highlighted
from symaux.show.reporting.html import tag
from symaux.show.reporting.influence import influence, telling, twins
from symaux.show.reporting.svg_plot import Bars, plot

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
    assert telling(before, after, seen, hidden) == "x3"


def test_slices_agree_with_the_unrolled_series() -> None:
    model = walk()
    assert time_axes(model) == {"t"}
    cut = sliced(model, 4)
    assert set(cut) == {f"{v}[{t}]" for v in "sy" for t in range(4)}
    whole = model.unroll(t=4, n=1).subgraph(n for n in model.unroll(t=4, n=1) if n != "sd")
    assert nx.is_isomorphic(cut, whole)
    assert sa.information_distance(cut, "y[3]", "s[0]") == 4
    assert not sliced(chain()).nodes


def test_draws_lie_under_the_density() -> None:
    """Each bar is a share of DRAWS draws: five standard errors from the mean of the density over it."""
    for law in (sa.law(z, a * b * z ** (a - 1) * (1 - z**a) ** (b - 1), support=(0, 1)), sa.gumbel(z, 1, 2)):
        found = compare(sa.derive(law))
        width = found.bars.edges[1] - found.bars.edges[0]
        for k, height in enumerate(found.bars.heights):
            inside = [h for x, h in found.density if found.bars.edges[k] <= x < found.bars.edges[k + 1]]
            share = sum(inside) / len(inside) * width
            assert abs(height * width - share) < 5 * (share / DRAWS) ** 0.5 + 0.003


def test_heavy_tails_do_not_flatten_the_plot() -> None:
    """A Cauchy's draws reach into the thousands; the plot shows where most of them are."""
    found = compare(sa.derive(sa.cauchy(z, 0, 1)), {})
    assert -10 < found.bars.edges[0] < -2 and 2 < found.bars.edges[-1] < 10
    bulk = compare(sa.derive(sa.normal(z, 0, 1)), {})
    assert bulk.bars.edges[0] < -2.5 and bulk.bars.edges[-1] > 2.5


def test_a_wrong_form_would_be_seen() -> None:
    from dataclasses import replace

    form = sa.derive(sa.normal(z, a, b))
    wrong = compare(replace(form, value=form.value * 2))
    assert max(abs(h - 0) for h in wrong.bars.heights) < 0.75 * max(h for _, h in compare(form).density)


def test_vectors_and_numbers_have_no_curve() -> None:
    y, i = sa.arrays("y"), sa.plate("i", 3)
    with pytest.raises(NothingToCompare, match="vector"):
        compare(sa.derive(sa.dirichlet(y[i], sa.arrays("alpha", positive=True)[i])))


def test_numbers_stay_numbers_and_formulas_become_parameters() -> None:
    w, i = sa.arrays("w"), sa.plate("i", 3)
    found = plain(sa.normal(z, sp.Sum(w[i], i), 2))
    assert list(found.meaning.values()) == [sp.Sum(w[i], i)] and list(found.numbers.values()) == [2]
    at = pleasant(found.law, found.numbers)
    assert 2 in at.values() and len(at) == 2


def test_a_plot_does_not_search_again() -> None:
    """The kernel that is plotted is the one that was derived: nothing is tried anew."""
    from symaux.progress import listening

    c, d = sp.symbols("c d", real=True)
    law = sa.student_t(c, 3, sp.tanh(d), 2)
    sa.derive(law, noise="normal")
    heard: list[str] = []
    with listening(lambda rule, given: heard.append(rule)):
        sa.derive(plain(law).law, noise="normal")
    assert heard == []


def test_g_is_drawn_along_its_first_noise() -> None:
    form = sa.derive(sa.exponential(z, a))
    (curve,) = generating(form, {a: sp.Integer(2)})
    assert all(y == pytest.approx(x / 2, rel=1e-5) for x, y in curve)
    assert len(generating(sa.derive(sa.laplace(z, 0, 1), noise="auto"), {})) >= 1


def test_plots_escape_and_clip() -> None:
    text = plot("<b>", [[(0.0, 1e9), (0.5, 1.0), (1.0, 1.0)]], Bars([0.0, 0.5, 1.0], [1.0, 1.0]), ("<x>", "y"))
    assert "&lt;b&gt;" in text and "&lt;x&gt;" in text
    heights = [float(p.split(",")[1]) for p in re.search(r'points="([^"]*)"', text)[1].split()]  # type: ignore[index]
    assert min(heights) >= 0


def test_code_keeps_every_character() -> None:
    source = 'def f(x):\n    """<b>"""\n    return x < 1  # &\n'
    import html

    assert html.unescape(re.sub(r"<[^>]*>", "", highlighted(source))) == source
    assert tag("a", title='"') == '<a title="&quot;"></a>'


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
