"""The corpora are what they say: densities that integrate to one, references that agree, rearrangements that change nothing."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest
import sympy as sp
from scipy import stats
from support.paths import IMPORTS, ROOT

import symaux as sa
from corpus import scipy_catalogue, sympy_stats, unnamed
from corpus.classes import kind, kind_of_formula
from corpus.entry import Entry, grid
from corpus.measure import LEVELS, derived, known, measured
from corpus.page import markdown, page, totals
from corpus.rearrange import rearranged, samples
from corpus.reference import NoReference, Reference, compiled
from corpus.sympy_answers import variable
from corpus.worker import Worker, entry, names

STATS = {e.name: e for e in sympy_stats.entries()}
SCIPY = {e.name: e for e in scipy_catalogue.entries()}
SLOW = {
    "BetaNoncentral",
    "ChiNoncentral",
    "genhyperbolic",
    "geninvgauss",
    "norminvgauss",
    "ncf",
    "nct",
    "ncx2",
    "gausshyper",
}


def quick(entries: dict[str, Entry], seed: int, count: int = 8) -> list[Entry]:
    """A few entries, the same at every run; the long test takes them all."""
    return [entries[n] for n in random.Random(seed).sample(sorted(set(entries) - SLOW), count)]


def exact(entry: Entry, number: int) -> dict[str, mp.mpf]:
    with mp.workdps(60):
        return {s.name: mp.mpf(int(v.p)) / int(v.q) for s, v in entry.at(entry.points[number]).items()}


# ------------------------------------------------------------------------------------------------------------ what there is


def test_every_continuous_distribution_of_sympy_stats_is_there() -> None:
    import sympy.stats.crv_types as crv

    assert set(STATS) == set(crv.__all__) - {"ContinuousRV"}
    assert len(STATS) == 53


def test_every_continuous_distribution_of_scipy_is_there_or_has_a_reason() -> None:
    from scipy.stats import _continuous_distns as listed

    there = {n for n, d in vars(listed).items() if isinstance(d, stats.rv_continuous)} | {"levy_stable"}
    assert set(SCIPY) | set(scipy_catalogue.UNWRITTEN) == there
    assert not set(SCIPY) & set(scipy_catalogue.UNWRITTEN)
    assert len(SCIPY) == 105


@pytest.mark.parametrize("which", ["sympy", "scipy"])
def test_every_entry_has_five_points_that_meet_its_conditions(which: str) -> None:
    for e in {"sympy": STATS, "scipy": SCIPY}[which].values():
        assert len(e.points) >= 5
        for point in e.points:
            at = e.at(point)
            assert all(c.xreplace(at) == sp.true for c in e.conditions), (e.name, point)
            assert all(
                (s.is_positive is not True or v > 0) and (not s.is_integer or v.is_Integer) for s, v in at.items()
            )


def test_entries_become_laws_by_their_formula_alone() -> None:
    for e in (*STATS.values(), *quick(SCIPY, 1)):
        law = e.law()
        assert law.spelling is None
        assert {p.name for p in law.parameters} == {p.name for p in e.parameters}, e.name


def test_sympys_own_variables_have_the_same_density() -> None:
    for e in quick(STATS, 5):
        pdf = variable(e).pspace.distribution.pdf(sp.Symbol("x", real=True))
        assert {s.name for s in pdf.free_symbols} - {"x"} == {s.name for s in e.parameters}


# --------------------------------------------------------------------------------------------------------------- references


def test_the_reference_knows_quantiles_and_gradients_in_closed_form() -> None:
    cases = {
        "Kumaraswamy": lambda u, a, b: (1 - (1 - u) ** (1 / b)) ** (1 / a),
        "Weibull": lambda u, alpha, beta: alpha * (-mp.log1p(-u)) ** (1 / beta),
        "Uniform": lambda u, left, right: left + (right - left) * u,
        "Laplace": lambda u, mu, b: mu + b * mp.log(2 * u) if u < 0.5 else mu - b * mp.log(2 - 2 * u),
        "Normal": lambda u, mean, std: mean + std * mp.sqrt(2) * mp.erfinv(2 * u - 1),
    }
    for name, closed in cases.items():
        found, at = Reference(STATS[name], STATS[name].points[1]), exact(STATS[name], 1)
        for level in (1e-12, 0.3, 1 - 1e-12):
            with mp.workdps(60):
                u = mp.mpf(level)
                assert abs(found.quantile(level) / closed(u, **at) - 1) < 1e-16, (name, level)
                for parameter, slope in found.gradient(level).items():
                    true = mp.diff(lambda v, p=parameter, u=u, at=at, f=closed: f(u, **(at | {p: v})), at[parameter])
                    assert abs(slope - true) < 1e-14 * max(1, abs(true)), (name, level, parameter)


def test_the_reference_refuses_what_does_not_integrate_to_one() -> None:
    z, r = sp.symbols("z r", positive=True)
    nearly = Entry("nearly", z, (1 + sp.Rational(1, 10**6)) * r * sp.exp(-r * z), (0, sp.oo), grid(r=[2]))
    with pytest.raises(NoReference, match=r"1\.000001"):
        Reference(nearly, nearly.points[0])


@pytest.mark.parametrize("e", [*quick(STATS, 2), *quick(SCIPY, 3)], ids=lambda e: e.name)
def test_densities_integrate_to_one(e: Entry) -> None:
    found = Reference(e, e.points[3])
    assert abs(found.mass - 1) < 1e-20
    assert found.quantile(0.2) < found.quantile(0.6)


@pytest.mark.long
@pytest.mark.parametrize("e", [*STATS.values(), *SCIPY.values()], ids=lambda e: e.name)
def test_all_densities_integrate_to_one_at_all_points(e: Entry) -> None:
    for point in e.points:
        assert abs(Reference(e, point).mass - 1) < 1e-20


NAMED = {"gausshyper": {"c": "p", "z": "w"}}


@pytest.mark.parametrize("name", sorted(SCIPY))
def test_formulas_are_those_of_scipy(name: str) -> None:
    e, distribution = SCIPY[name], getattr(stats, name)
    shapes = [s.strip() for s in (distribution.shapes or "").split(",") if s.strip()]
    for number in (0, 3):
        at = exact(e, number)
        given = [float(at[NAMED.get(name, {}).get(s, s)]) for s in shapes]
        frozen = distribution(*given, loc=float(at["loc"]), scale=float(at.get("scale", 1)))
        for z in frozen.ppf([0.05, 0.4, 0.9]):
            ours = (e.numeric or _read(e))(mp.mpf(float(z)), **at)
            assert float(mp.re(ours)) == pytest.approx(float(frozen.pdf(z)), rel=1e-7), (number, z)


def _read(e: Entry):
    return lambda z, **at: compiled(e.density, e.value, e.parameters)(*(at[s.name] for s in e.parameters))(z)


@pytest.mark.parametrize("e", [e for e in [*STATS.values(), *SCIPY.values()] if e.numeric], ids=lambda e: e.name)
def test_what_is_computed_by_hand_is_the_formula(e: Entry) -> None:
    at, where = exact(e, 3), {s: v for s, v in e.at(e.points[3]).items()}
    lower, upper = (sp.sympify(end).xreplace(where) for end in e.support)
    z = lower + (upper - lower) * sp.Rational(3, 8) if upper.is_finite else 11 + (lower if lower.is_finite else 0)
    formula = e.density.xreplace(where | {e.value: z})
    for total in formula.atoms(sp.Sum):
        (k, low, high) = total.limits[0]
        last = int(high) if high.is_finite else 60
        formula = formula.xreplace(
            {total: sp.Add(*(total.function.xreplace({k: sp.Integer(i)}) for i in range(int(low), last + 1)))}
        )
    assert float(e.numeric(mp.mpf(float(sp.N(z))), **at)) == pytest.approx(float(sp.N(formula, 30)), rel=1e-12)


# -------------------------------------------------------------------------------------------------------------- rearranging


@pytest.mark.parametrize("e", quick(SCIPY, 7, 12), ids=lambda e: e.name)
def test_rearranging_keeps_the_density_and_hides_the_names(e: Entry) -> None:
    """The value at a point of the new parameters is that of the old ones, which the quantiles of both tell."""
    other = rearranged(e, 5)
    assert {s.name for s in other.parameters}.isdisjoint({s.name for s in e.parameters})
    assert other.value != e.value and other.density != e.density
    assert rearranged(e, 5) == other
    before, after = Reference(e, e.points[3]), Reference(other, other.points[3])
    for u in (0.02, 0.7):  # logarithms of parameters are rounded to six decimals, and the law moves with them
        assert abs(before.quantile(u) - after.quantile(u)) < 2e-4 * max(abs(before.quantile(u)), before.scale)


def test_rearranged_formulas_are_equal_at_random_places() -> None:
    written = {n: e for n, e in SCIPY.items() if e.numeric is None}
    for number, e in enumerate(quick(written, 8, 12)):
        other, plain = rearranged(e, number), rearranged(e, number, steps=0)
        assert plain.parameters == other.parameters
        for at, places in samples(other):
            with mp.workdps(40):
                given = [mp.mpf(int(v.p)) / int(v.q) for v in at.values()]
                read = [compiled(f.density, f.value, f.parameters)(*given) for f in (plain, other)]
                for z in (place * mp.mpf("1.0001") for place in places):
                    p, q = (density(z) for density in read)
                    assert abs(p - q) <= 1e-20 * abs(p), (e.name, at, z)


# ------------------------------------------------------------------------------------------------------------------ unnamed


def test_the_generator_gives_the_same_laws_in_another_process() -> None:
    code = "from corpus.unnamed import made; print(*(made(s).density for s in range(5)), sep='\\n')"
    paths = f"import sys; sys.path[:0] = {IMPORTS!r}; "
    done = subprocess.run([sys.executable, "-c", paths + code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.splitlines() == [str(unnamed.made(s).density) for s in range(5)]


def test_generated_laws_differ_and_their_secret_quantile_is_that_of_the_density() -> None:
    made = [unnamed.made(s) for s in range(8)]
    assert len({e.density for e in made}) == 8
    for e in made[:4]:
        found, at = Reference(e, e.points[0]), exact(e, 0)
        for u in (1e-6, 0.3, 0.9):
            with mp.workdps(60):
                assert abs(found.quantile(u) - e.quantile(mp.mpf(u), **at)) < 1e-15 * max(
                    abs(found.quantile(u)), found.scale
                )


def test_two_hundred_laws_have_names() -> None:
    listed = names("unnamed")
    assert len(listed) == len(set(listed)) == 200
    assert entry("unnamed", listed[3]).name == listed[3]


# --------------------------------------------------------------------------------------------------------------- scoreboard


def test_the_class_is_read_off_the_form() -> None:
    from symaux.formulas.functions.elementary import ImplicitQuantile

    u, t, a = sp.Symbol("u", positive=True), sp.Symbol("t", real=True), sp.Symbol("a", positive=True)
    assert kind_of_formula(sp.log(u) * sp.gamma(a) + sp.Piecewise((u, u < a), (sp.sqrt(u), True)), {u}) == "elementary"
    assert kind_of_formula(a + sa.ndtri(u), {u}) == "special inverse"
    assert kind_of_formula(sp.exp(ImplicitQuantile(u, t, -(t**2))), {u}) == "implicit"
    assert kind_of_formula(sp.zeta(u), {u}) == "other"
    assert kind(sa.derive(STATS["Weibull"].law())) == "elementary"
    assert kind(sa.derive(STATS["StudentT"].law())) == "special inverse"


def test_students_quantile_is_an_inverse_incomplete_beta() -> None:
    """Why it counts as one of the closed list: t = sqrt(df)*(x - 1/2)/sqrt(x*(1 - x)) at x = betaincinv(df/2, df/2, u)."""
    found = Reference(STATS["StudentT"], STATS["StudentT"].points[3])
    with mp.workdps(30):
        df, t = exact(STATS["StudentT"], 3)["nu"], found.quantile(0.9)
        x = (1 + t / mp.sqrt(df + t**2)) / 2
        assert abs(mp.sqrt(df) * (x - mp.mpf(1) / 2) / mp.sqrt(x * (1 - x)) - t) < 1e-20
        assert abs(mp.betainc(df / 2, df / 2, 0, x, regularized=True) - mp.mpf(0.9)) < 1e-20


def test_a_right_form_has_small_errors_and_a_wrong_one_large_ones(tmp_path: Path) -> None:
    from dataclasses import replace

    e = replace(STATS["Exponential"], points=STATS["Exponential"].points[:2])
    record, form = derived(e)
    assert record["class"] == "elementary" and record["verdict"] == "PROVED"
    good = measured(e, form, tmp_path)
    assert good["quantile"]["worst"] < 1e-14 and good["gradient"]["worst"] < 1e-13
    wrong = measured(e, replace(form, value=form.value * (1 + sp.Rational(1, 10**8))), tmp_path)
    assert 1e-9 < wrong["quantile"]["worst"] < 1e-7 and wrong["gradient"]["worst"] > 1e-9
    stored = known(e, e.points[0], tmp_path)
    assert len(stored["quantiles"]) == len(LEVELS) and len(list(tmp_path.iterdir())) == 2


def test_a_law_that_takes_too_long_is_stopped_and_the_next_one_is_measured(tmp_path: Path) -> None:
    worker = Worker(None)
    try:
        stopped = worker.ask("sympy", "Exponential", seconds=0.001, patience=10)
        assert stopped["class"] == "none" and "stopped" in stopped["why"]
        assert worker.ask("sympy", "Exponential", seconds=60, patience=10)["class"] == "elementary"
    finally:
        worker.close()


def test_the_page_counts_what_it_shows() -> None:
    records = [
        {"name": "A", "class": "elementary", "verdict": "PROVED", "seconds": 1.0, "form": "z = a | b", "rules": ["r"]},
        {"name": "B", "class": "implicit", "verdict": "SAMPLED", "seconds": 3.0, "errors": {"trouble": "<none>"}},
        {
            "name": "C",
            "class": "implicit",
            "verdict": "CERTIFIED",
            "errors": {"quantile": {"worst": 1e-9, "where": []}},
        },
    ]
    counted = dict(totals(records))
    assert counted["verified"] == "2" and counted["verified without iteration"] == "1"
    assert counted["quantile error at most 1e-10"] == "0 of 1 measured"
    text = markdown({"sympy": records}, {"A": {"answer": "timeout"}})
    assert "| A | elementary | proved | r | `z = a \\| b` |" in text and "timeout: 1" in text
    assert "&lt;none&gt;" in page({"sympy": records}, {})


def test_the_command_measures_two_laws_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    command = [
        sys.executable,
        str(ROOT / "gallery" / "scoreboard.py"),
        "--only",
        "sympy",
        "--names",
        "Exponential",
        "Uniform",
    ]
    places = ["--build", str(tmp_path / "build"), "--out", str(tmp_path / "out")]

    def run(*more: str) -> str:
        done = subprocess.run([*command, *places, *more], capture_output=True, text=True, timeout=240, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "Exponential" in run("--limit", "1")
    second = run()
    assert "sympy Uniform" in second and "sympy Exponential" not in second
    lines = [json.loads(line) for line in (tmp_path / "build" / "sympy.jsonl").read_text().splitlines()]
    assert [r["name"] for r in lines] == ["Exponential", "Uniform"]
    assert all(np.isfinite(r["errors"]["quantile"]["worst"]) for r in lines)
    text = (tmp_path / "out" / "scoreboard.md").read_text()
    assert "| laws | 2 |" in text and "| Uniform | elementary | proved |" in text
    assert (tmp_path / "out" / "scoreboard.html").read_text().startswith("<!doctype html>")
