"""Models as statisticians write them: a text says what scipy says, and all that is made of it stays the same model."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
from support import statistics_models, statistics_models_2

import symaux as sa
from symaux.cli.draws import draw_from_prior

EXAMPLES = statistics_models.EXAMPLES | statistics_models_2.EXAMPLES
NAMES = list(EXAMPLES)
WHOLE = NAMES[::12]  # taken through everything; verification and draws of all take minutes
HALF = NAMES[::2]
IMPROPER = ("factor", "flat", "law Hypo")  # what cannot be drawn from


def model(name: str) -> sa.Model:
    return sa.parse(textwrap.dedent(EXAMPLES[name].text))


def test_there_are_enough() -> None:
    assert len(EXAMPLES) > 40 and len(WHOLE) > 3


@pytest.mark.sweep(5)
@pytest.mark.parametrize("name", NAMES)
def test_the_density_is_what_scipy_says(name: str) -> None:
    example, made = EXAMPLES[name], model(name)
    found = float(sa.log_density(made, example.data)(example.at))
    exact = float(example.reference(statistics_models.Point({**example.data, **example.at})))
    assert abs(found - exact) < 1e-9 * max(1.0, abs(exact))


@pytest.mark.parametrize("name", [n if n in HALF else pytest.param(n, marks=pytest.mark.long) for n in NAMES])
def test_it_has_an_auxiliary_form_and_both_print_themselves(name: str) -> None:
    made = model(name)
    aux = sa.auxiliary(made)
    assert aux.verdict.status is sa.Status.PROVED
    assert sa.parse(made.text) == made and sa.parse(aux.after.text) == aux.after


@pytest.mark.parametrize("name", [n if n in WHOLE else pytest.param(n, marks=pytest.mark.long) for n in NAMES])
def test_it_is_verified_and_exported(name: str) -> None:
    aux = sa.auxiliary(model(name))
    assert aux.verify().status is sa.Status.PROVED
    compile(sa.to_source(aux), name, "exec")


@pytest.mark.parametrize("name", [n if n in WHOLE else pytest.param(n, marks=pytest.mark.long) for n in NAMES])
def test_its_prior_is_drawn_from(name: str) -> None:
    made = model(name)
    if any(word in EXAMPLES[name].text for word in IMPROPER):
        with pytest.raises(sa.DataError, match="cannot be drawn from"):
            draw_from_prior(made, EXAMPLES[name].data, 5, 0)
        return
    drawn = draw_from_prior(made, EXAMPLES[name].data, 5, 0).values
    assert set(made.latents) <= set(drawn) and all(np.all(np.isfinite(array)) for array in drawn.values())
