"""Random models through the whole pipeline: the original by mpmath and the auxiliary form by generated code agree."""

from __future__ import annotations

import random
from collections import Counter

import jax
import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from support.by_numpy import by_numpy

import symaux as sa
from fuzz.random_models import EXACT, Chooser, grown, record, tried
from fuzz.strategies import models

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


def through_everything(model: sa.Model, keep_roots: bool) -> None:
    note(str(model))
    aux = sa.auxiliary(model, keep_roots=keep_roots)
    verdict = aux.verify()
    # a step whose numbers are as odd as exp(-tanh(1/3)/2) is proved for symbols and only sampled for these numbers
    known = {sa.Status.PROVED, sa.Status.CERTIFIED, sa.Status.SAMPLED}
    assert verdict.status in known and " agree at 3 " in str(verdict), f"{verdict}\n{model}\n--\n{aux.after}"
    assert all(name in aux.kept or aux.after.nodes[name].kind == "deterministic" for name in model.latents)
    assert sa.Model.from_networkx(aux.after.graph) == aux.after


@settings(max_examples=5, suppress_health_check=SLOW)
@given(models(), st.booleans())
def test_random_models_agree_with_their_auxiliary_forms(model: sa.Model, keep_roots: bool) -> None:
    through_everything(model, keep_roots)


@pytest.mark.sweep(10)
@pytest.mark.parametrize("part", range(10))
def test_two_hundred_random_models(part: int) -> None:
    """Agreement to 1e-9, single precision, tails, texts that read back; one in twenty is compiled by XLA."""
    for seed in range(20 * part, 20 * part + 20):
        model, _ = grown(Chooser(random.Random(seed)), 3)
        outcome = tried(model, keep_roots=seed % 2 == 0, run=jax.jit if seed % 20 == part else by_numpy)
        assert not outcome.failed and outcome.worst <= EXACT, f"{seed}: {outcome}\n{model}"


def test_the_random_models_have_everything() -> None:
    seen = Counter(f for seed in range(200) for f in grown(Chooser(random.Random(seed)), 3)[1])
    wanted = {"0 plates", "1 plates", "2 plates", "lag", "gather", "sum", "deterministic", "observed parent"}
    assert wanted <= set(seen) and len(set(seen) - wanted) >= 15


@pytest.mark.long
@settings(max_examples=300, suppress_health_check=SLOW)
@given(models(most=8), st.booleans())
def test_many_random_models_agree_with_their_auxiliary_forms(model: sa.Model, keep_roots: bool) -> None:
    through_everything(model, keep_roots)


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_a_thousand_random_models(part: int) -> None:
    for seed in range(1000 + 100 * part, 1100 + 100 * part):
        assert not record(seed)["failed"], seed


@pytest.mark.long
@settings(max_examples=150, suppress_health_check=SLOW)
@given(models(most=6))
def test_random_models_round_trip_as_graphs(model: sa.Model) -> None:
    assert sa.Model.from_networkx(model.graph) == model
    assert len(model.unroll(**{g: 2 for g in ("i", "k", "n") if g in model.axes.group})) > 0
