"""The reference evaluation by mpmath reads a model as scipy does."""

from __future__ import annotations

import numpy as np
import pytest
from support.whole_models import MODELS

from symaux.validate import reference


def test_mpmath_reads_a_model_as_scipy_does() -> None:
    from scipy import stats

    rng = np.random.default_rng(0)
    values = {"z": rng.normal(size=(6, 3)), "W": rng.normal(size=(3, 3)), "y": rng.normal(size=(6, 3)), "tau": 0.7}
    found = reference.log_density(MODELS["chain"], values, {"t": 6, "i": 3, "k": 3})
    mean = np.tanh(values["z"][:-1] @ values["W"].T)
    expected = stats.norm.logpdf(values["z"][0]).sum() + stats.norm.logpdf(values["z"][1:], mean, 0.7).sum()
    expected += stats.norm.logpdf(values["y"], values["z"]).sum()
    assert float(found) == pytest.approx(expected, rel=1e-13)
