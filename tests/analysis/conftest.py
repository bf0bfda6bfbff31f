"""The chain of the paper, as it stands and rewritten."""

from __future__ import annotations

import pytest
import sympy as sp
from support.models import papers_chain

from symaux.laws.families import normal
from symaux.model.model import Model
from symaux.model.statements import deterministic

z = sp.symbols("z0:4", real=True)
x = sp.symbols("x0:4", real=True)
eps = [sp.Symbol(f"eps_z{i}", real=True) for i in range(4)]


def observations() -> list:
    return [normal(x[i], z[i], 1) for i in (1, 2, 3)]


@pytest.fixture
def chain() -> Model:
    """The paper's figure 2(a): z1 → z2 → z3, each with its x."""
    return papers_chain()


@pytest.fixture
def rewritten() -> Model:
    """The paper's figure 2(b): all three rewritten."""
    states = [deterministic(z[1], eps[1]), deterministic(z[2], z[1] + eps[2]), deterministic(z[3], z[2] + eps[3])]
    return Model.of(*(normal(e, 0, 1) for e in eps[1:]), *states, *observations(), observed=x[1:])


@pytest.fixture
def root_kept() -> Model:
    """Auxiliary form with z1, a root, as it was."""
    states = [normal(z[1], 0, 1), deterministic(z[2], z[1] + eps[2]), deterministic(z[3], z[2] + eps[3])]
    return Model.of(*(normal(e, 0, 1) for e in eps[2:]), *states, *observations(), observed=x[1:])
