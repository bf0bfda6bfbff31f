"""What is returned is what was proved: fresh names, instances of kernels, and steps that compose to the form."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy as sp
from scipy import stats

import symaux as sa
from symaux.derivation.candidate import Candidate
from symaux.derivation.form_of_law import form_of_law, same_law
from symaux.laws.kernel import Kernel, kernel
from symaux.rules.composition import compose_steps
from symaux.rules.derivation import Step
from symaux.rules.verdict import Status, Verdict

Z, MU, X = sp.symbols("z mu x", real=True)
S, G = sp.symbols("s g", positive=True)
E, E_POS = sp.Symbol("eps_z", real=True), sp.Symbol("eps_z", positive=True)
ZS, ES = sa.arrays("z eps_z")
J, J_EPS = sa.plate("j", 3), sa.plate("eps_z", 3)
NORMAL = sp.exp(-(Z**2) / 2) / sp.sqrt(2 * sp.pi)
TAKEN: dict[str, Any] = {
    "a location": lambda: sa.normal(Z, E, S),
    "a scale": lambda: sa.normal(Z, 0, E_POS),
    "both": lambda: sa.normal(Z, E_POS, E_POS),
    "inside of a formula": lambda: sa.normal(Z, sp.exp(E) + MU, S),
    "a condition": lambda: sa.law(Z, NORMAL, conditions=(E > 0,)),
    "a bound": lambda: sa.uniform(Z, E, E + 1),
    "a plate": lambda: sa.normal(ZS[J_EPS], 0, S),
    "an element of an array": lambda: sa.normal(ZS[J], ES[0], S),
    "an array for a scalar": lambda: sa.normal(Z, ES[J], S),
    "a look-alike": lambda: sa.normal(Z, sp.Symbol("\u0435ps_z", real=True), S),
    "a vector's mean": lambda: sa.multivariate_normal(ZS[J], ES[J], sa.arrays("c")[J, sa.plate("k", 3)]),
}


@pytest.mark.parametrize("case", TAKEN)
def test_a_parent_with_the_name_of_the_noise_is_an_error(case: str) -> None:
    with pytest.raises(sa.LawError, match="eps_z"):
        sa.derive(TAKEN[case]())


def test_names_of_noises_between_steps_are_fresh_too() -> None:
    with pytest.raises(sa.LawError, match="partial_g_1"):
        sa.derive(sa.gamma(G, sp.Symbol("partial_g_1", positive=True), S), noise="normal")


def test_other_names_still_work_and_draw_the_law() -> None:
    form = sa.derive(sa.normal(Z, sp.Symbol("eps", real=True), sp.Symbol("eps_zz", positive=True)))
    u = np.array([0.1, 0.5, 0.9])
    assert np.allclose(form.quantile(u, {"eps": 2.0, "eps_zz": 3.0}), stats.norm(2, 3).ppf(u), rtol=1e-5)


CLASHES = {
    "an observed variable": lambda: sa.Model.of(
        sa.normal(MU, 0, 1), sa.normal(Z, MU, 1), sa.normal(E, Z, 1), observed=[E]
    ),
    "an input": lambda: sa.Model.of(sa.normal(MU, 0, 1), sa.normal(Z, MU, 1), sa.normal(X, Z + E, 1), observed=[X]),
    "a factor": lambda: sa.Model.of(sa.normal(MU, 0, 1), sa.normal(Z, MU, 1), sa.factor(-(E**2) * Z)),
    "a plate": lambda: sa.Model.of(
        sa.normal(MU, 0, 1), sa.normal(Z, MU, 1), sa.normal(sa.arrays("y")[J_EPS], Z, 1), observed=["y"]
    ),
    "a look-alike": lambda: sa.Model.of(
        sa.normal(MU, 0, 1), sa.normal(Z, MU, 1), sa.normal(X, sp.Symbol("eps_z\u200b", real=True) + Z, 1), observed=[X]
    ),
    "a root on the line": lambda: sa.Model.of(
        sa.half_cauchy(S, 1), sa.normal(X, sp.Symbol("log_s", real=True), S), observed=[X]
    ),
}


@pytest.mark.parametrize("case", CLASHES)
def test_a_model_with_the_name_of_a_noise_is_an_error(case: str) -> None:
    with pytest.raises((sa.ModelError, sa.LawError), match="needs the name"):
        sa.auxiliary(CLASHES[case]())


def test_two_variables_may_not_need_one_name() -> None:
    """The noises of z are eps_z_1 and eps_z_2, and that of z_1 is eps_z_1."""
    z_1 = sp.Symbol("z_1", real=True)
    ex_gaussian = sa.law(Z, sp.exp(MU + sp.Rational(1, 2) - Z) * sp.erfc((MU + 1 - Z) / sp.sqrt(2)) / 2)
    assert [n.name for n in sa.derive(ex_gaussian).noise] == ["eps_z_1", "eps_z_2"]
    laws = (sa.normal(MU, 0, 1), ex_gaussian, sa.normal(z_1, MU, 1), sa.normal(X, Z + z_1, 1))
    with pytest.raises(sa.ModelError, match="needs the name eps_z_1 for the noises of two"):
        sa.auxiliary(sa.Model.of(*laws, observed=[X]), noise="auto")


@pytest.mark.parametrize("weight", ["w", "weight", "y", "shape", "t", "p1"])
def test_a_weight_may_have_any_name(weight: str) -> None:
    """The names that partial forms use inside are not those of a weight."""
    w = sp.Symbol(weight, real=True)
    for law in (sa.normal(Z, MU, sp.exp(MU)), sa.gamma(G, sp.exp(MU), 1)):
        read = law.value
        model = sa.Model.of(sa.normal(MU, 0, 1), law, sa.normal(X, read, 1), observed=[X])
        made = sa.partial(model, {law.name: w})
        assert weight in made.after.inputs and made.verify().status is Status.PROVED


def test_a_sampler_does_not_confuse_its_noise_with_a_variable() -> None:
    import jax

    y, eps_y = sp.symbols("y eps_y", real=True)
    model = sa.Model.of(sa.normal(MU, 0, 1), sa.normal(eps_y, 0, 1), sa.normal(y, MU + eps_y, 1), observed=[y])
    draws = jax.vmap(sa.sample_prior(model))(jax.random.split(jax.random.PRNGKey(1), 20_000))
    assert abs(float(np.std(draws["y"])) - 3**0.5) < 0.05


def test_a_law_whose_family_is_not_its_formula_is_judged_by_its_formula() -> None:
    lies = {
        "density": replace(sa.normal(Z, MU, 1), log_density=-((Z - MU) ** 2) / 8 - sp.log(8 * sp.pi) / 2),
        "support": replace(sa.exponential(G, S), support=sa.uniform(G, 0, 1).support),
        "both": replace(sa.normal(Z, MU, S), log_density=-sp.log(2 * S), support=sa.uniform(Z, MU - S, MU + S).support),
    }
    for law in lies.values():
        made = kernel(law)
        for form in sa.forms(law):
            assert not form.verdict, form
        assert not same_law(made.law.substituted(made.inverse), law)


def test_an_argument_that_is_not_what_its_parameter_is_declared_to_be_is_not_proved_by_the_kernel() -> None:
    """The kernel's scale is positive; a Law by hand may put anything there."""
    made = kernel(sa.normal(Z, MU, S))
    scale = next(p for p, argument in made.arguments.items() if argument == S)
    wrong = Kernel(made.law, Z, {**made.arguments, scale: MU - 5})
    law = made.law.substituted(wrong.inverse)
    found = _candidate(made.law)
    form = form_of_law(law, wrong, found)
    assert form.verdict.status is not Status.PROVED or "judged by itself" in form.verdict.evidence[0]


def _candidate(law: sa.Law) -> Candidate:
    form = sa.derive(law)
    return Candidate(form.noise, form.value, form.steps, tuple(lambda s=s: s for s in form.steps))


def test_a_formula_that_was_simplified_wrongly_after_the_proof_is_not_returned() -> None:
    law = sa.exponential(G, S)
    made = kernel(law)
    found = _candidate(made.law)
    wrong = replace(found, value=2 * found.value)
    form = form_of_law(law, made, wrong)
    composed = compose_steps(form.law, form.steps)
    assert not isinstance(composed, str) and composed is not None and form.value == composed.value
    noisy = replace(found, noise=tuple(replace(n, log_density=n.log_density * 2) for n in found.noise))
    assert not form_of_law(law, made, noisy).verdict


@pytest.mark.parametrize("noise", ["auto", "normal", "uniform"])
def test_the_steps_of_every_form_compose_to_it(noise: str) -> None:
    for law in (sa.gamma(G, S, 2), sa.half_cauchy(G, S), sa.student_t(Z, S, MU, 1), sa.log_normal(G, MU, S)):
        form = sa.derive(law, noise=noise)
        made = compose_steps(law, form.steps)
        assert made is not None and not isinstance(made, str)
        assert {n.value for n in made.noise} == {n.value for n in form.noise}


def test_a_claimed_step_about_another_law_is_noticed() -> None:
    law = sa.normal(Z, MU, S)
    made = kernel(law)
    found = _candidate(made.law)
    other = Step("z", "lie", sa.normal(made.law.value, 0, 1), found.steps[0].after, Verdict(Status.PROVED))
    form = form_of_law(law, made, replace(found, steps=(*found.steps, other), later=(*found.later, lambda: other)))
    assert "judged by itself" in form.verdict.evidence[0]
