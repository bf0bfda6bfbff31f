"""The pages in a real browser: the right variables light up, news spreads, nothing is fetched, nothing goes wrong.

They need Chromium (Debian's package) and playwright; without one of them every test here is skipped and says so.
SYMAUX_SCREENS=write makes new reference screenshots, to be looked at before they are committed.
"""

from __future__ import annotations

import os
import runpy
import shutil
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from support.paths import GALLERY, TESTS

import symaux as sa
from symaux.analysis.time_slice import slice_time_series

SCREENS = TESTS / "end_to_end" / "screens"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (pip install playwright)")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine (apt-get install chromium)")
ROLES = """panel => Object.fromEntries([...panel.querySelectorAll('.node')].map(
    g => [g.dataset.name, [...g.classList].filter(c => c.startsWith('is-')).sort().join(' ')]))"""


SPILT = """[...document.querySelectorAll('math')].filter(math => [...math.querySelectorAll('*')].some(
    part => part.getBoundingClientRect().right > math.getBoundingClientRect().right + 1)).length"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@cache
def derivation(name: str) -> sa.Derivation:
    script = runpy.run_path(str(GALLERY / f"{name}.py"))
    return sa.auxiliary(script["model"], **script.get("options", {}))


@cache
def report(name: str) -> str:
    return sa.report(derivation(name), name)


class Opened:
    """A page with a note of everything that it fetched or complained about."""

    def __init__(self, browser: Any, path: Path, text: str, ready: str = "html[data-ready]", **options: Any) -> None:
        path.write_text(text, encoding="utf-8")
        self.page = browser.new_page(**({"viewport": {"width": 1280, "height": 900}} | options))
        self.trouble: list[str] = []
        self.page.on("console", lambda m: self.trouble.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda failure: self.trouble.append(str(failure)))
        self.page.on("request", lambda r: self.trouble.append(r.url) if r.url != path.as_uri() else None)
        self.page.goto(path.as_uri())
        self.page.wait_for_selector(ready)

    def until(self, condition: str, seconds: float = 30.0) -> None:
        """Wait for a condition, asked from here: the page's policy forbids it to evaluate a string by itself."""
        deadline = time.monotonic() + seconds
        while not self.page.evaluate(condition):
            assert time.monotonic() < deadline, f"{condition} does not become true in {seconds:g} s"
            self.page.wait_for_timeout(50)

    def panels(self, figure: int = 0) -> list[Any]:
        return self.page.locator("figure.influence").nth(figure).locator(".diagram").all()

    def roles(self, figure: int = 0) -> list[dict[str, str]]:
        return [panel.evaluate(ROLES) for panel in self.panels(figure)]

    def node(self, name: str, panel: int = 0, figure: int = 0) -> Any:
        return self.panels(figure)[panel].locator(f'.node[data-name="{name}"]')

    def slide(self, steps: int, figure: int = 0) -> None:
        self.page.locator(".steps").nth(figure).fill(str(steps))

    def told(self, figure: int = 0) -> str:
        return self.page.locator(".told").nth(figure).inner_text()


def lit(roles: dict[str, str], role: str) -> set[str]:
    return {name for name, given in roles.items() if role in given.split()}


def check_blankets(opened: Opened, networks: list[Any], figure: int) -> None:
    """Every variable of the original, under the pointer, lights its blanket in both forms."""
    for name in opened.roles(figure)[0]:
        opened.node(name, 0, figure).locator(".shape").hover()
        for roles, network in zip(opened.roles(figure), networks, strict=True):
            assert lit(roles, "is-blanket") == set(sa.markov_blanket(network, name)), name
        assert name in lit(opened.roles(figure)[0], "is-focus")
    opened.page.mouse.move(0, 0)
    assert not any(lit(roles, "is-blanket") for roles in opened.roles(figure))


def check_spreading(opened: Opened, networks: list[Any], figure: int) -> None:
    """After k steps the lit variables are those at a distance of at most k, in both forms."""
    source = opened.page.locator(".source").nth(figure).input_value()
    most = int(opened.page.locator(".steps").nth(figure).get_attribute("max"))
    for steps in range(most + 1):
        opened.slide(steps, figure)
        for roles, network in zip(opened.roles(figure), networks, strict=True):
            reached = {n for n, k in sa.information_distance(network, source).items() if 0 < k <= steps}
            shown = lit(roles, "is-reached")
            assert reached <= shown and all(sa.information_distance(network, source, name) <= steps for name in shown)
    opened.slide(0, figure)


REPORTS = ["eight_schools", "dbn", "mnist_two_layers"]


def small(picture: bytes) -> Any:
    """A screenshot in grey, a hundred pixels wide: what is left is the arrangement, not the fonts."""
    import io

    from PIL import Image

    shot = Image.open(io.BytesIO(picture)).convert("L")
    return shot.resize((100, max(1, round(100 * shot.height / shot.width))), Image.Resampling.BOX)


LIMITS = {1280: 3.3, 390: 6.0}  # other fonts for formulas: 2.7 and 5.3; the page with its sides exchanged: 7 and 11


def apart(shot: Any, known: Any, rows: int = 300, slack: int = 24) -> float:
    """The mean difference of two pages, row by row in order, where a taller font may shift rows by some."""
    import numpy as np
    from PIL import Image

    one, other = (np.asarray(i.resize((100, rows), Image.Resampling.BOX), np.float32) for i in (shot, known))
    cost = np.abs(one[:, None] - other[None]).mean(axis=2)
    total = np.full((rows + 1, rows + 1), np.inf)
    total[0, 0] = 0
    for i in range(rows):
        for j in range(max(0, i - slack), min(rows, i + slack + 1)):
            total[i + 1, j + 1] = cost[i, j] + min(total[i, j], total[i, j + 1], total[i + 1, j])
    return float(total[rows, rows]) / rows


@pytest.mark.parametrize("name", REPORTS)
def test_a_page_that_is_arranged_otherwise_is_told_apart(name: str) -> None:
    from PIL import Image, ImageOps

    for width, limit in LIMITS.items():
        page = Image.open(SCREENS / f"{name}-{width}.png").convert("L")
        assert apart(page, page) == 0
        for turned in (ImageOps.mirror(page), ImageOps.flip(page)):
            assert apart(page, turned) > limit


def check_looks(opened: Opened, name: str) -> None:
    """As it looked when someone last looked at it, on a wide and on a narrow screen, up to the fonts."""
    from PIL import Image

    for width, limit in LIMITS.items():
        opened.page.set_viewport_size({"width": width, "height": 900})
        shot = small(opened.page.screenshot(full_page=True))
        reference = SCREENS / f"{name}-{width}.png"
        if os.environ.get("SYMAUX_SCREENS") == "write":
            SCREENS.mkdir(exist_ok=True)
            shot.save(reference, optimize=True)
        known = Image.open(reference)
        assert abs(shot.height - known.height) < 0.08 * known.height, reference.name
        assert apart(shot, known) < limit, reference.name


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", REPORTS)
def test_a_report_in_chromium(name: str, browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path / "report.html", report(name))
    aux = derivation(name)
    views = [[aux.before, aux.after]]
    if opened.page.locator("figure.influence").count() == 2:
        views.append([slice_time_series(aux.before), slice_time_series(aux.after)])
    for figure, networks in enumerate(views):
        check_blankets(opened, networks, figure)
        check_spreading(opened, networks, figure)
    assert opened.page.locator("math").first.bounding_box()["width"] > 20
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert opened.page.evaluate(SPILT) == 0
    check_looks(opened, name)
    assert opened.trouble == []


def test_the_papers_sentence_can_be_seen(browser: Any, tmp_path: Path) -> None:
    """x3 reaches z1 after three gradient steps in the original and after one in auxiliary form."""
    opened = Opened(browser, tmp_path / "report.html", report("chain"))
    assert opened.page.locator(".source").input_value() == "x3"
    opened.slide(1)
    assert "1 of 3 in the original, 3 of 3 in the auxiliary form" in opened.told()
    assert "z1" not in lit(opened.roles()[0], "is-reached") and "z1" in lit(opened.roles()[1], "is-reached")
    opened.slide(3)
    assert opened.node("z1").locator(".badge").text_content() == "3"


def test_hovering_over_noise_looks_at_its_variable(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path / "report.html", report("chain"))
    opened.node("eps_z1", 1).locator(".shape").hover()
    before, after = opened.roles()
    assert lit(before, "is-focus") == {"z1"} and lit(before, "is-blanket") == {"z2", "x1"}
    assert lit(after, "is-focus") == {"eps_z1"} and "2 variables in the original, 5 variables" in opened.told()


def test_everything_works_by_keyboard(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path / "report.html", report("chain"))
    opened.page.locator(".source").focus()
    opened.page.keyboard.press("Tab")
    opened.page.keyboard.press("ArrowRight")
    assert opened.page.locator(".count").inner_text() == "1"
    opened.page.keyboard.press("Tab")
    opened.page.keyboard.press("ArrowRight")
    assert lit(opened.roles()[0], "is-focus") == {"z2"}
    assert opened.page.get_by_role("button", name="z2, latent: its Markov blanket", exact=True).count() == 1
    opened.page.keyboard.press("ArrowDown")
    assert lit(opened.roles()[0], "is-focus") == {"x2"}
    opened.page.keyboard.press("Enter")
    assert opened.page.locator(".source").input_value() == "x2"


def test_only_what_scrolls_is_a_tab_stop(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path / "report.html", report("eight_schools"))
    count = "[...document.querySelectorAll('div.scroll[tabindex=\"0\"]')].length"
    spilling = "[...document.querySelectorAll('div.scroll')].filter(e => e.scrollWidth > e.clientWidth).length"
    for width in (1280, 390):
        opened.page.set_viewport_size({"width": width, "height": 900})
        opened.until(f"{count} === {spilling}")


def test_code_is_copied_whole(browser: Any, tmp_path: Path) -> None:
    opened = Opened(
        browser, tmp_path / "report.html", report("chain"), permissions=["clipboard-read", "clipboard-write"]
    )
    opened.page.get_by_role("button", name="Copy").click()
    opened.page.get_by_role("button", name="Copied").wait_for()
    assert opened.page.evaluate("navigator.clipboard.readText()") == sa.to_source(derivation("chain").after)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_screen_and_both_schemes(scheme: str, browser: Any, tmp_path: Path) -> None:
    narrow = {"viewport": {"width": 390, "height": 800}, "color_scheme": scheme}
    opened = Opened(browser, tmp_path / "report.html", report("chain"), **narrow)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390
    ink, paper = opened.page.evaluate("(s => [s.color, s.backgroundColor])(getComputedStyle(document.body))")
    brightness = [sum(map(int, c.removeprefix("rgb(").rstrip(")").split(","))) for c in (ink, paper)]
    assert (brightness[0] < brightness[1]) == (scheme == "light") and abs(brightness[0] - brightness[1]) > 500


def test_it_prints(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path / "report.html", report("chain"))
    assert opened.page.pdf().startswith(b"%PDF-")
    opened.page.emulate_media(media="print")
    assert not opened.page.locator(".controls").first.is_visible()
    assert opened.page.locator("details li").first.is_visible()  # opened by beforeprint


@pytest.mark.parametrize("name", ["</script><script>alert(1)</script>", "constructor", "a\"b'c<d>&"])
def test_hostile_names_do_nothing(name: str, browser: Any, tmp_path: Path) -> None:
    s, y = sp.Symbol(name, real=True), sp.Symbol("y" + name, real=True)
    model = sa.Model.of(sa.normal(s, 0, 1), sa.normal(y, s, 1), observed=[y])
    opened = Opened(browser, tmp_path / "report.html", sa.report(sa.auxiliary(model, keep_roots=False), name))
    opened.page.locator(".diagram").first.locator(".node .shape").first.hover()
    assert lit(opened.roles()[0], "is-focus") == {name} and lit(opened.roles()[0], "is-blanket") == {"y" + name}
    assert opened.trouble == []


def test_large_diagrams_scroll_together_and_stay_legible(browser: Any, tmp_path: Path) -> None:
    v = sp.symbols("v0:40", real=True)
    star = [sa.normal(v[0], 0, 1), *(sa.normal(w, v[0], 1) for w in v[1:])]
    opened = Opened(browser, tmp_path / "report.html", sa.report(sa.Model.of(*star, observed=v[20:])))
    circle = opened.node("v7").locator(".shape").bounding_box()
    assert circle["width"] > 20
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 1280
    opened.page.locator(".diagram .scroll").first.evaluate("e => e.scrollLeft = 150")
    opened.until("document.querySelectorAll('.diagram .scroll')[1].scrollLeft === 150")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_of_a_law_and_the_gallery(width: int, browser: Any, tmp_path: Path) -> None:
    from symaux.show.reporting.gallery import Exhibit, index

    t, a = sp.symbols("t a", positive=True)
    law = sa.report(sa.exponential(t, a))
    shown = [(Exhibit("chain", "The chain", "model", lambda: ("", "")), sa.render(derivation("chain"), focus="z1"))]
    for name, text in (("law.html", law), ("index.html", index(shown))):
        opened = Opened(browser, tmp_path / name, text, ready="footer", viewport={"width": width, "height": 800})
        assert opened.page.locator("svg").first.bounding_box()["width"] > 100
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
        assert opened.trouble == []
    link = opened.page.get_by_role("link", name="The chain")
    assert link.get_attribute("href") == "chain.html"


def test_long_names_stay_inside(browser: Any, tmp_path: Path) -> None:
    long, longer = sp.Symbol("a_name_" * 12 + "end", real=True), sp.Symbol("x" * 90, real=True)
    model = sa.Model.of(sa.normal(long, 0, 1), sa.normal(longer, long, 1), observed=[longer])
    narrow = {"viewport": {"width": 390, "height": 800}}
    opened = Opened(browser, tmp_path / "report.html", sa.report(model, "T" * 200), **narrow)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert opened.page.evaluate(SPILT) == 0
