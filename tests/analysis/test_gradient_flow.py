"""The flow of gradients, measured: the mean size of the slope."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from support.templates import walk

import symaux as sa
from symaux.cli.demo import chain

mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)


def test_flow_is_the_mean_size_of_the_slope() -> None:
    """In the chain d log p(x1 | z1)/dz1 = x1 - z1, a standard normal under the prior: its mean size is √(2/π)."""
    aux = sa.auxiliary(chain(), keep_roots=False)
    found = sa.measured_flow(aux.before, draws=4000)
    assert set(found) == set(aux.before.graph.edges)
    assert all(value == pytest.approx(math.sqrt(2 / math.pi), abs=0.05) for value in found.values())
    after = sa.measured_flow(aux.after, draws=4000)
    assert after["z3", "x3"] == pytest.approx(math.sqrt(2 / math.pi), abs=0.05)
    assert after["z2", "z3"] == pytest.approx(after["z3", "x3"])  # what x3 says travels on undiminished
    assert after["eps_z1", "z1"] == pytest.approx(math.sqrt(3) * math.sqrt(2 / math.pi), abs=0.08)


def test_flow_at_given_positions_and_through_plates_and_lags() -> None:
    model = walk(4, 2)
    seen = {"x": np.zeros((4, 2))}
    found = sa.measured_flow(model, seen, positions={"z": np.ones((3, 4, 2))})
    assert found == {("z", "x"): 1.0, ("z", "z"): 0.0}
    assert set(sa.measured_flow(sa.auxiliary(model).after)) == {("eps_z", "z"), ("z", "x"), ("z", "z")}
    sigma = sp.Symbol("sigma", positive=True)
    with pytest.raises(sa.DataError, match="sigma"):
        sa.measured_flow(sa.Model.of(sa.normal(mu, 0, sigma)))


def test_broad_arrows_carry_much() -> None:
    a, b, c = sp.symbols("a b c", real=True)
    model = sa.Model.of(sa.normal(a, 0, 1), sa.normal(b, 0, 1), sa.normal(c, a + b, 1), observed=[c])
    text = sa.render(model, flow={("a", "c"): 4.0, ("b", "c"): 0.01})
    widths = {line.split('"')[3]: None for line in text.splitlines() if 'class="edge"' in line}
    assert set(widths) == {"a", "b"}
    strokes = sorted(
        float(line.split('stroke-width="')[1].split('"')[0]) for line in text.splitlines() if "<path d=" in line
    )
    assert strokes[1] > 5 * strokes[0]
    assert "line width=4.80pt" in sa.render(model, format="tikz", flow={("a", "c"): 4.0})
