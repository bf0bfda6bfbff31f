"""The rank test sees what it says it sees."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from symaux.validate import ranks

pytest.importorskip("blackjax")


def test_a_test_sees_in_four_of_five_cases_what_it_says() -> None:
    """Ranks of truths N(0, 1) among draws of a posterior with the bias that would just be seen."""
    rng, n, level = np.random.default_rng(0), 100, 0.001
    promised = ranks.uniformity(rng.uniform(size=n), level).bias_seen
    seen = [ranks.uniformity(stats.norm.cdf(rng.normal(size=n) + promised), level).p_mean < level for _ in range(200)]
    assert np.mean(seen) > 0.75
