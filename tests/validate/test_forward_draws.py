"""Forward draws of both forms see a noise that two variables share."""

from __future__ import annotations

import sympy as sp

import symaux as sa

N = sa.normal


def test_forward_draws_see_a_noise_that_two_variables_share() -> None:
    """Marginals are right, the change of variables has no inverse, and only the pair shows it."""
    from symaux.api import source_without_sampler
    from symaux.validate.forward_draws import compare_forward_draws

    e, u, v = sp.symbols("e u v", real=True)
    before = sa.Model.of(N(u, 0, 1), N(v, 0, 1))
    shared = sa.Model.of(N(e, 0, 1), sa.deterministic(u, e), sa.deterministic(v, -e))
    assert "u and v" in compare_forward_draws(before, shared, source_without_sampler).difference
    wide = sa.Model.of(N(e, 0, 1), N(u, 0, 1), sa.deterministic(v, 3 * e))
    assert "draws of v" in compare_forward_draws(before, wide, source_without_sampler).difference
    assert not compare_forward_draws(
        before, sa.auxiliary(before, keep_roots=False).after, source_without_sampler
    ).differs
