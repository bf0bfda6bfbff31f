"""True claims changed a little: none passes, nearly all are refuted, and what keeps the law is not condemned."""

from __future__ import annotations

import mutants
import pytest

from symaux.verdict import Status


@pytest.mark.parametrize("name", mutants.TWINS)
def test_the_unmutated_twin_is_proved(name: str) -> None:
    assert mutants.judged(mutants.TWINS[name]).status in (Status.PROVED, Status.CERTIFIED)


def test_what_keeps_the_law_is_told_apart_by_its_distribution_function() -> None:
    law, noise, g = mutants.TWINS["normal"]
    flipped = g.xreplace({mutants.S: -mutants.S})
    assert mutants.preserves((law, noise, flipped)) and not mutants.preserves((law, noise, g + mutants.HALF / 10**6))


def judge(count: int, seed: int) -> None:
    tally = mutants.run(count, seed)
    print(tally.table())
    assert not tally.silent and not tally.condemned
    assert tally.tiny >= count / 10
    refuted = sum(n for (_, word), n in tally.caught.items() if word == "REFUTED")
    assert refuted >= 0.95 * (tally.total - tally.preserved) - 1


def test_a_few_mutants() -> None:
    judge(40, seed=1)


@pytest.mark.long
def test_two_thousand_mutants() -> None:
    judge(2_000, seed=0)
