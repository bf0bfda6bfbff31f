"""The laws of the scoreboard's first page: sympy.stats' continuous distributions, by nothing but their formulas."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from corpus.sympy_stats import entries

laws = {entry.name: entry.law for entry in entries()}
