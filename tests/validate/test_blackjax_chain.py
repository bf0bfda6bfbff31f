"""Packages that inference needs are named when they are missing, and loaded when they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import symaux as sa
from symaux.validate.blackjax_chain import Missing, require


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "blackjax", None)
    with pytest.raises(Missing, match=r"needs blackjax.*symaux\[infer\]"):
        require("blackjax")


def test_the_package_loads_nothing_heavy() -> None:
    code = "import sys, symaux; symaux.learn; print({'jax', 'blackjax', 'optax', 'arviz', 'sympy'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "set()"
    assert {"sample", "map", "mcem", "marginal_likelihood"} <= set(dir(sa.learn))
