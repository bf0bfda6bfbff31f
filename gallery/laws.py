"""The laws of the scoreboard, by nothing but their formulas: sympy.stats' and SciPy's, and those that nobody has named."""

import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from corpus import scipy_catalogue, sympy_stats
from corpus.worker import entry, names


def unnamed(name):
    return entry("unnamed", name).law()


laws = {e.name: e.law for e in sympy_stats.entries()}
laws |= {f"scipy {e.name}": e.law for e in scipy_catalogue.entries()}
laws |= {f"unnamed {name}": partial(unnamed, name) for name in names("unnamed")}
