"""A soak of derivations: neither memory nor open files grow."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.processes import json_of_run


@pytest.mark.long
def test_a_soak_of_a_thousand_derivations(tmp_path: Path) -> None:
    places = json_of_run("fuzz.soak", tmp_path, "1000")["places"]
    (_, before, opened), (_, after, still) = places[4], places[-1]  # caches are full by the half
    assert still <= opened and after - before < 8, places
