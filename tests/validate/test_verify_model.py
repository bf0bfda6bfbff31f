"""The verdict on a whole model: it reports gradients and draws, and a wrong code generator refutes it."""

from __future__ import annotations

import pytest
from support.whole_models import MODELS

import symaux as sa


def test_verify_is_refuted_by_a_code_generation_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    import symaux.api as defaults

    aux = sa.auxiliary(MODELS["hierarchy"])
    honest = defaults._source
    monkeypatch.setattr(
        defaults,
        "_source",
        lambda model, **kw: honest(model, **kw).replace("tau * eps_theta", "tau * jnp.abs(eps_theta)"),
    )
    verdict = aux.verify()
    assert verdict.status is sa.Status.REFUTED
    assert verdict.witness


def test_the_verdict_on_a_model_reports_gradients_and_draws() -> None:
    told = str(sa.auxiliary(MODELS["hierarchy"]).verify())
    assert "gradients against mpmath" in told and "forward draws of each form agree" in told
