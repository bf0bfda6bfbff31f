"""Models from text: what runs, and where errors point."""

from __future__ import annotations

import runpy
from typing import Any

import numpy as np
import pytest
from support.model_texts import SCHOOLS
from support.paths import GALLERY

import symaux as sa


def script(name: str) -> dict[str, Any]:
    return runpy.run_path(str(GALLERY / f"{name}.py"))


def round_trip(model: sa.Model) -> None:
    assert sa.parse(model.text) == model, model.text
    assert str(model) == model.text


def test_words_that_begin_lines_may_be_names() -> None:
    model = sa.parse(
        "data ~ normal(0, 1)\nfactor = 2*data\nobserve on ~ normal(factor, 1)\nobserve given ~ normal(on, 1)"
    )
    assert model.latents == ("data",) and model.observed == {"on", "given"}
    round_trip(model)


POINTS = {
    "mu ~ normal(0, 5)\ntheta ~ normal(mu, tua)\ntau ~ half_cauchy(5)": (
        "line 2, column 20: unknown name 'tua'; did you mean tau?\n  theta ~ normal(mu, tua)\n" + " " * 21 + "^"
    ),
    "mu ~ nromal(0, 5)": "line 1, column 6: unknown law 'nromal'; did you mean normal?\n  mu ~ nromal(0, 5)\n"
    + " " * 7
    + "^",
    "mu ~ normal(0, -5)": "line 1, column 1: normal(mu, ...): scale must be positive, but is -5\n  mu ~ normal(0, -5)\n  ^",
    "a ~ normal(b, 1)\nb ~ normal(a, 1)": "line 1, column 1: the model has a cycle: b -> a -> b\n  a ~ normal(b, 1)\n  ^",
    "plate j[8]\nplate j[9]\nx ~ normal(0, 1)": "line 2, column 7: j is a plate already\n  plate j[9]\n"
    + " " * 8
    + "^",
    "x ~ normal(0,\n 1\ny ~ normal(0, 1)": "line 1, column 11: this '(' is never closed\n  x ~ normal(0,\n"
    + " " * 12
    + "^",
}


@pytest.mark.parametrize("text", POINTS)
def test_errors_point_at_the_place(text: str) -> None:
    with pytest.raises(sa.SymauxError) as caught:
        sa.parse(text)
    assert str(caught.value) == POINTS[text]


def test_a_model_from_text_runs() -> None:
    made = script("eight_schools")
    position = {"mu": 1.0, "tau": 2.0, "theta": np.arange(8.0)}
    text = sa.log_density(sa.parse(SCHOOLS), made["data"]())(position)
    python = sa.log_density(made["model"], made["data"]())(position)
    assert float(text) == float(python)


@pytest.mark.parametrize(
    "line",
    [
        "f[i] = correlated(d[i], K[i, j], i)",
        "f[i] = correlated(d[i], K[i, j], i, j, upside_down)",
        "f[i] = correlated(d[i], K[i, j], i, x)",
        "f[i] ~ exp(-sum(i, f[i]^2)) on reals(x)",
        "f[i] ~ exp(-sum(i, f[i]^2)) on things(i)",
        "f[i] ~ exp(-sum(j, d[j]^2)) on reals(j)",
        "f[i] ~ 2*exp(-sum(i, f[i]^2)) on reals(i)",
    ],
)
def test_functions_and_densities_of_vectors_are_checked(line: str) -> None:
    with pytest.raises(sa.LanguageError, match="line 5"):
        sa.parse(f"plate i[3]\nplate j[3]\ndata K[i, j]\nd[i] ~ normal(K[i, i], 1)\n{line}")
