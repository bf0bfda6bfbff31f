"""True claims changed a little: none passes, nearly all are refuted, and what keeps the law is not condemned."""

from __future__ import annotations

import pytest
from support import twins

from fuzz import mutant_oracle, mutants


def test_what_keeps_the_law_is_told_apart_by_its_distribution_function() -> None:
    law, noise, g = twins.TWINS["normal"]
    flipped, moved = g.xreplace({twins.S: -twins.S}), g + twins.HALF / 10**6
    assert mutant_oracle.preserves((law, noise, flipped)) and not mutant_oracle.preserves((law, noise, moved))


def test_several_noises_are_told_apart_too() -> None:
    law, noise, g = twins.TWINS["laplace as a difference"]
    flipped = g.xreplace({twins.W: twins.V, twins.V: twins.W})
    assert mutant_oracle.preserves((law, noise, flipped)) and not mutant_oracle.preserves((law, noise, g + twins.HALF))


def judge(count: int, seed: int) -> None:
    tally = mutants.Tally(list(mutants.run(count, seed)))
    print(tally.table())
    assert not tally.silent and not tally.condemned and not tally.untrue
    assert tally.tiny >= count / 10
    assert tally.refuted >= 0.95 * (count - tally.preserved) - 1


def test_a_few_mutants() -> None:
    judge(40, seed=1)


@pytest.mark.long
def test_two_thousand_mutants() -> None:
    judge(2_000, seed=0)
