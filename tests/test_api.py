"""Public calls that are given the wrong kind of thing say which kind they take; those that can do with a derivation do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp

import symaux as sa

z, x = sp.symbols("z x", real=True)
s = sp.Symbol("s", positive=True)
LAW = sa.normal(z, 0, s)
MODEL = sa.Model.of(sa.normal(z, 0, 1), sa.normal(x, z, s), observed=[x])
MODELS: dict[str, Callable[[Any], Any]] = {
    "auxiliary": sa.auxiliary, "unconstrain": sa.unconstrain, "partial": lambda m: sa.partial(m, {"z": 0.5}),
    "advise": sa.advise, "to_source": sa.to_source, "to_stablehlo": sa.to_stablehlo, "log_density": sa.log_density,
    "generate": sa.generate, "sample_prior": sa.sample_prior,
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("given", [LAW, "z ~ normal(0, 1)", None, z], ids=["law", "text", "none", "symbol"])
def test_a_model_is_asked_for(name: str, given: Any) -> None:
    with pytest.raises(sa.ModelError, match="expected a model, not"):
        MODELS[name](given)


def test_a_law_and_a_form_are_asked_for() -> None:
    for call in (sa.derive, lambda law: next(sa.forms(law)), lambda law: sa.verify(law, LAW)):
        with pytest.raises(sa.LawError, match=r"sa\.auxiliary\(model\)"):
            call(MODEL)
    for claimed in (LAW, z * s, MODEL):
        with pytest.raises(sa.LawError, match="expected a form"):
            sa.verify(LAW, claimed)


def test_data_are_given_by_name() -> None:
    for call in (sa.log_density, sa.generate, sa.sample_prior):
        with pytest.raises(sa.DataError, match="by name"):
            call(MODEL, [0.5, 1.0])


def test_a_derivation_stands_for_the_model_after_it() -> None:
    aux = sa.auxiliary(MODEL, keep_roots=False)
    data, position = {"x": 0.5, "s": 2.0}, {"eps_z": 0.25}
    assert float(sa.log_density(aux, data)(position)) == float(sa.log_density(aux.after, data)(position))
    assert sa.generate(aux, data)(position)["z"] == 0.25


def test_the_code_of_a_form_is_its_generating_function() -> None:
    form = sa.derive(LAW)
    assert "def generate(eps, at)" in sa.to_source(form) == sa.to_source(form.derivation)
