"""Gains of a rewrite, and the graph of the rewritten model."""

from __future__ import annotations

import pytest
import sympy as sp

import symaux as sa
from symaux.analysis.gain import with_rewritten
from symaux.cli.demo import chain

mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)


def test_a_rewritten_graph_is_that_of_the_rewritten_model() -> None:
    model = chain()
    for name in model.latents:
        derived = sa.auxiliary(model, only=[name]).after
        for other in ("z1", "z2", "z3", "x1", "x2", "x3"):
            assert sa.markov_blanket(with_rewritten(model, [name]), other) == sa.markov_blanket(derived, other)
    everything = sa.auxiliary(model, keep_roots=False).after
    assert sa.diameter(with_rewritten(model, model.latents)) == sa.diameter(everything)


def test_gains() -> None:
    found = sa.gains(chain())
    assert found["z2"].farthest == (3, 2) and found["z1"].farthest == (3, 3)
    model = sa.Model.of(sa.normal(mu, 0, 1), sa.factor(-(mu**4)))
    assert sa.gains(model)["mu"].blanket == (0, 0)
    with pytest.raises(sa.ModelError, match="not a latent"):
        with_rewritten(chain(), ["x1"])
