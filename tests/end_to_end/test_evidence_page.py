"""The evidence page is made from what was measured, and from nothing else."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

from support.paths import ROOT

LAWS = [
    {"name": "Gamma", "verdict": "PROVED", "noises": 1, "verified": 0.25, "points": ["a = 1", "a = 12"], "intervals": 40,
     "distance": 3e-14, "errors": {"ulp64": 2.5, "ulp32": 3.5, "gradient": 2e-15}, "form": "z = g|h", "sets": ["a = 2"]},
    {"name": "Alpha", "verdict": "NONE", "why": "stopped after 300 s"},
]  # fmt: skip
MUTANTS = [
    {"number": -1, "twin": "normal", "kind": "unmutated", "tiny": False, "status": "PROVED", "caught": "proved", "keeps": False,
     "witness": False},
    {"number": 0, "twin": "normal", "kind": "sign in g", "tiny": False, "status": "PROVED", "caught": "proved", "keeps": True,
     "witness": False},
    {"number": 1, "twin": "normal", "kind": "term in g", "tiny": True, "status": "REFUTED", "caught": "residual",
     "keeps": False, "witness": True},
    {"number": 2, "twin": "beta", "kind": "term in g", "tiny": True, "status": "SAMPLED", "caught": "sampled", "keeps": False,
     "witness": False},
]  # fmt: skip


def test_the_page_says_what_was_measured(tmp_path: Path) -> None:
    for name, records in (("laws", LAWS), ("mutants", MUTANTS)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, records)) + '\n{"cut off')
    script = runpy.run_path(str(ROOT / "gallery" / "evidence.py"), run_name="evidence")
    script["main"](["--page", "--build", str(tmp_path), "--out", str(tmp_path)])
    text = (tmp_path / "evidence.md").read_text()
    assert "| Gamma | proved | 1 | 0.25 | 2 | 40 | 3.0e-14 | 2.5 | 3.5 | 2e-15 | z = g\\|h |" in text
    assert (
        "| mutants looked at | 3 of 2000, 2 of them no larger than 1e-6 |" in text
        and "| silent acceptances | 0 |" in text
    )
    assert "| others refuted with a witness | 1 of 2 (50.0 %) |" in text and "1 of 1" in text
    assert "- beta, term in g: sampled" in text and "stopped after 300 s" in text
    assert (tmp_path / "evidence.html").read_text().startswith("<!doctype html>")
