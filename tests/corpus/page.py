"""The scoreboard as a page: totals, then one row per law, in Markdown and in HTML that needs nothing else."""

from __future__ import annotations

import html
import re
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Any

from corpus.classes import KINDS

Record = dict[str, Any]
TITLES = {
    "sympy": "sympy.stats' continuous univariate distributions",
    "scipy": "SciPy's catalogue, with location and scale",
    "rearranged": "SciPy's catalogue, rearranged",
    "unnamed": "Densities that nobody has named",
}
QUANTILE, GRADIENT, DEVIATIONS = 1e-10, 1e-8, 4.5
ABOUT = """The engine is given a density as a formula, its support and assumptions on its parameters: no names, no table of
families. *Class* is decided from the form itself: elementary functions; the closed list of special inverses (ndtri, erfinv,
erfcinv, inverse incomplete gamma and beta, Lambert W); several noises; or an iteration (implicit). *Verified* is a form that is
proved or certified.

Errors are those of the generated JAX code in float64 against an independent reference (quadrature of the density at 55 digits
or more; for the unnamed, the quantile function of their construction), worst over 15 levels u from 1e-12 to 1 - 1e-12 and all
parameter points. A quantile's error is relative to q = max(|quantile|, interquartile range), a gradient's to max(|gradient|,
q / max(1, |parameter|)); one more line counts those that are as good relative to max(|gradient|, interquartile range /
max(1, |parameter|)), where the reference has the digits for it. Of a location and a scale the gradients are known; where the
reference does not agree with them to 1e-9, it is not asked about other parameters either. For several noises, the largest
deviation of 200,000 draws from the reference quantiles between 0.001 and 0.999, in standard deviations, is shown instead.
Seconds are of processor time."""


def verified(record: Record) -> bool:
    """Proved or certified, and of a class that counts."""
    return record["verdict"] in ("PROVED", "CERTIFIED") and record["class"] not in ("other", "none")


def worst(record: Record, name: str) -> float | None:
    """A worst error, or None if it was not measured."""
    found = record.get("errors", {}).get(name)
    return None if found is None else float(found["worst"])


def totals(records: Sequence[Record]) -> list[tuple[str, str]]:
    """What stands at the top, as (what, figure)."""
    good = [r for r in records if verified(r)]
    classes = Counter(r["class"] for r in good)
    times = sorted(r.get("seconds", 0.0) for r in records)
    lines = [("laws", str(len(records))), ("verified", str(len(good)))]
    lines += [(f"verified, {kind}", str(classes[kind])) for kind in KINDS if classes[kind]]
    lines += [("verified without iteration", str(len(good) - classes["implicit"]))]
    lines += [(f"quantile error at most {QUANTILE:g}", _within(good, "quantile", QUANTILE))]
    lines += [(f"gradient error at most {GRADIENT:g}", _within(good, "gradient", GRADIENT))]
    lines += [("the same, whatever the size of the quantile", _within(good, "gradient alone", GRADIENT))]
    if classes["composition"]:
        lines += [(f"draws within {DEVIATIONS:g} standard deviations", _within(good, "draws", DEVIATIONS))]
    if times:
        lines += [
            ("seconds per law, median", f"{statistics.median(times):.1f}"),
            ("seconds per law, 95 %", f"{times[int(0.95 * (len(times) - 1))]:.1f}"),
            ("seconds per law, longest", f"{times[-1]:.1f}"),
        ]
    return [*lines, ("versions of the code", _versions(records))]


def _versions(records: Sequence[Record]) -> str:
    """Which code derived the forms, and which measured their errors, with the numbers of laws."""
    derived = Counter(r.get("code", "unmarked") for r in records)
    measured = Counter(r.get("errors code", r.get("code", "unmarked")) for r in records if r.get("errors"))
    told = ["; ".join(f"{n} by {code}" for code, n in found.most_common()) for found in (derived, measured)]
    return f"derived: {told[0]}" + (f". Measured: {told[1]}" if measured else "")


def _within(records: Sequence[Record], name: str, limit: float) -> str:
    seen = [e for r in records if (e := worst(r, name)) is not None]
    return f"{sum(e <= limit for e in seen)} of {len(seen)} measured"


def columns(which: str) -> list[str]:
    """The heads of the table."""
    heads = ["law", "class", "verdict", "rules", "form", "seconds", "quantile error", "gradient error", "remark"]
    return [*heads, "sympy.stats' own quantile"] if which == "sympy" else heads


def row(which: str, record: Record, answers: dict[str, Record]) -> list[str]:
    """One law."""
    drawn = worst(record, "draws")
    quantile = _shown(worst(record, "quantile")) if drawn is None else f"draws: {drawn:.1f} sd"
    remark = record.get("errors", {}).get("trouble") or record.get("why", "")
    cells = [
        record["name"],
        record["class"],
        record["verdict"].lower(),
        " → ".join(record.get("rules", [])),
        _short(record.get("form", "")),
        f"{record.get('seconds', 0):.1f}",
        quantile,
        _shown(worst(record, "gradient")),
        _short(" ".join([*([record["about"]] if record.get("about") else []), remark]), 100),
    ]
    known = answers.get(record["name"])
    return [*cells, known["answer"] if known else ""] if which == "sympy" else cells


def _shown(error: float | None) -> str:
    return "" if error is None else f"{error:.0e}"


def _short(text: str, length: int = 140) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"


def kept(old: str, head: str, next_head: str) -> str:
    """The section of a page that begins with a line, up to the next section or the end of the body.

    >>> kept("# page\\n## one\\n1\\n## two\\n2\\n", "## one", "## ")
    '## one\\n1\\n'
    >>> kept("# page", "## one", "## ")
    ''
    """
    _, found, rest = old.partition(head + "\n")
    body = re.split(rf"^(?={re.escape(next_head)}|</body>)", rest, maxsplit=1, flags=re.MULTILINE)[0]
    return found + body


def markdown(results: dict[str, list[Record]], answers: dict[str, Record], old: str = "") -> str:
    """The page for reading in a repository; a corpus without results keeps its section of the old page."""
    lines = ["# Scoreboard", "", "Made by `make scoreboard`; nothing on this page is typed in by hand.", "", ABOUT, ""]
    for which, title in TITLES.items():
        records = results.get(which)
        if not records:
            lines += kept(old, f"## {title}", "## ").splitlines()
            continue
        lines += [f"## {title}", "", "| | |", "|---|---|"]
        lines += [f"| {what} | {figure} |" for what, figure in [*totals(records), *_answers(which, answers)]]
        heads = columns(which)
        lines += ["", "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
        for record in records:
            cells = [cell.replace("|", "\\|") for cell in row(which, record, answers)]
            cells[4] = f"`{cells[4]}`" if cells[4] else ""
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _answers(which: str, answers: dict[str, Record]) -> list[tuple[str, str]]:
    if which != "sympy" or not answers:
        return []
    seen = Counter(a["answer"] for a in answers.values())
    return [("sympy.stats' own quantile", ", ".join(f"{word}: {count}" for word, count in sorted(seen.items())))]


STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem }
body { color: #1c1c1c; background: #fff }
table { border-collapse: collapse; margin: 1rem 0 2.5rem; width: 100% }
table.totals { width: auto }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #ddd }
th { position: sticky; top: 0; background: #fff }
td:nth-child(5) { font: 12px/1.4 monospace; word-break: break-word }
tr.no td:nth-child(3) { color: #a32 }
tr.yes td:nth-child(3) { color: #285 }
@media (prefers-color-scheme: dark) { body, th { background: #161616; color: #ddd } th, td { border-color: #333 } }
"""


def page(results: dict[str, list[Record]], answers: dict[str, Record], old: str = "") -> str:
    """The page for a browser: one file, no script; a corpus without results keeps its section of the old page."""
    parts = [f"<p>{html.escape(paragraph)}</p>" for paragraph in ABOUT.replace("*", "").split("\n\n")]
    for which, title in TITLES.items():
        records, head = results.get(which), f"<h2>{html.escape(title)}</h2>"
        if not records:
            parts += kept(old, head, "<h2>").splitlines()
            continue
        parts += [head, '<table class="totals">']
        parts += [_line("td", pair) for pair in [*totals(records), *_answers(which, answers)]]
        parts += ["</table>", "<table>", _line("th", columns(which))]
        parts += [_line("td", row(which, r, answers), "yes" if verified(r) else "no") for r in records]
        parts.append("</table>")
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Scoreboard</title>'
    body = "\n".join(["<h1>Scoreboard</h1>", *parts])
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
    )


def _line(tag: str, cells: Sequence[str], name: str = "") -> str:
    inner = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
    return f'<tr class="{name}">{inner}</tr>' if name else f"<tr>{inner}</tr>"
