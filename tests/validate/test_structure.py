"""Attacks on a derivation: whatever is changed by hand, the verdict on the whole is that it is refuted."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

import symaux as sa
from symaux.validate.structure import structural_flaws

mu, b = sp.symbols("mu b", real=True)
tau = sp.Symbol("tau", positive=True)
z, y, theta = sa.arrays("z y theta")
eps_z, eps_theta = sa.arrays("eps_z eps_theta")
j, t = sa.plate("j", 4), sa.plate("t", 4)
N = sa.normal


@pytest.fixture(scope="module")
def schools() -> sa.Derivation:
    model = sa.Model.of(N(mu, 0, 5), sa.exponential(tau, 1), N(theta[j], mu, tau), N(y[j], theta[j], 1), observed=[y])
    return sa.auxiliary(model)


@pytest.fixture(scope="module")
def chain() -> sa.Derivation:
    return sa.auxiliary(sa.Model.of(N(z[0], 0, 1), N(z[t], b * z[t - 1], 1), N(y[t], z[t], 1), observed=[y]))


def rebuilt(derivation: sa.Derivation, *changes, **named) -> sa.Derivation:
    """The derivation with statements of its result changed: a name (and element) to what stands there instead."""
    statements = []
    for statement in derivation.after.statements:
        made = statement
        for change in changes:
            made = change(made) if made is not None else None
        if made is not None:
            statements.append(made)
    statements += named.get("more", [])
    after = sa.Model.of(
        *statements, observed=sorted(derivation.after.observed), auxiliary=sorted(derivation.after.auxiliary)
    )
    return replace(derivation, after=after, steps=named.get("steps", derivation.steps))


def instead(target, made):
    """Replaces the statement about one element."""

    def change(statement):
        about = getattr(statement, "value", getattr(statement, "target", None))
        return made if about == target else statement

    return change


def refuted(derivation: sa.Derivation) -> bool:
    return derivation.verify().status is sa.Status.REFUTED


def test_an_honest_derivation_is_proved(schools: sa.Derivation, chain: sa.Derivation) -> None:
    assert structural_flaws(schools) == structural_flaws(chain) == []
    assert schools.verify().status is chain.verify().status is sa.Status.PROVED


def test_two_variables_share_one_noise() -> None:
    x, w = sp.symbols("x w", real=True)
    model = sa.Model.of(N(mu, 0, 1), N(x, mu, 1), N(w, mu, 1))
    honest = sa.auxiliary(model)
    eps = sp.Symbol("eps_x", real=True)
    shared = rebuilt(
        honest,
        instead(w, sa.deterministic(w, mu + eps)),
        lambda s: None if getattr(s, "name", "") == "eps_w" else s,
    )
    assert any("read by 2 variables" in flaw for flaw in structural_flaws(shared))
    assert refuted(shared)


def test_all_elements_share_one_noise(schools: sa.Derivation) -> None:
    """Each element alone has the right law; together they have not."""
    changed = sa.deterministic(theta[j], mu + tau * eps_theta[0])
    steps = []
    for step in schools.steps:
        if step.variable == "theta":
            noise = tuple(n.substituted({n.value: eps_theta[0]}) for n in step.after.noise)
            step = replace(step, after=sa.Rewrite(noise, changed.formula))
        steps.append(step)
    forged = rebuilt(schools, instead(theta[j], changed), steps=tuple(steps))
    assert structural_flaws(forged)
    assert refuted(forged)


def test_a_chain_that_uses_the_noise_of_its_start_again(chain: sa.Derivation) -> None:
    changed = sa.deterministic(z[t], b * z[t - 1] + eps_z[0])
    forged = rebuilt(chain, instead(z[t], changed))
    assert structural_flaws(forged) and refuted(forged)


def test_the_noise_depends_on_a_parent(schools: sa.Derivation) -> None:
    forged = rebuilt(schools, instead(eps_theta[j], N(eps_theta[j], mu / 10, 1)))
    assert structural_flaws(forged) and refuted(forged)


def test_the_noise_and_its_step_depend_on_a_parent(schools: sa.Derivation) -> None:
    """A true identity of laws, but not an auxiliary form: the noise is not a root."""
    noise = N(eps_theta[j], mu, 1)
    changed = sa.deterministic(theta[j], mu + tau * (eps_theta[j] - mu))
    steps = tuple(
        replace(s, after=sa.Rewrite((noise,), changed.formula)) if s.variable == "theta" else s for s in schools.steps
    )
    forged = rebuilt(schools, instead(eps_theta[j], noise), instead(theta[j], changed), steps=steps)
    assert any("not a root" in flaw for flaw in structural_flaws(forged))
    assert refuted(forged)


def test_a_law_elsewhere_has_changed(schools: sa.Derivation) -> None:
    forged = rebuilt(schools, instead(mu, N(mu, 0, 6)))
    assert any("law of mu" in flaw for flaw in structural_flaws(forged))
    assert refuted(forged)
    forged = rebuilt(schools, instead(y[j], N(y[j], theta[j], 2)))
    assert refuted(forged)


def test_an_observed_law_reads_the_noise(schools: sa.Derivation) -> None:
    assert refuted(rebuilt(schools, instead(y[j], N(y[j], mu + tau * eps_theta[j], 1))))


@pytest.mark.parametrize("error", [sp.Rational(1, 10**6), sp.Rational(1, 100)])
def test_a_generating_function_that_is_slightly_wrong(schools: sa.Derivation, error: sp.Expr) -> None:
    changed = sa.deterministic(theta[j], mu + tau * (1 + error) * eps_theta[j])
    assert refuted(rebuilt(schools, instead(theta[j], changed)))
    steps = tuple(
        replace(s, after=replace(s.after, value=changed.formula)) if s.variable == "theta" else s for s in schools.steps
    )
    assert refuted(rebuilt(schools, instead(theta[j], changed), steps=steps))


def test_the_generating_function_belongs_to_another_law(schools: sa.Derivation) -> None:
    changed = sa.deterministic(theta[j], mu - tau * eps_theta[j])
    assert structural_flaws(rebuilt(schools, instead(theta[j], changed)))


def test_a_missing_step(schools: sa.Derivation) -> None:
    steps = tuple(s for s in schools.steps if s.variable != "theta")
    assert refuted(replace(schools, steps=steps))


def test_a_variable_is_gone(schools: sa.Derivation) -> None:
    model = sa.Model.of(N(mu, 0, 5), N(theta[j], mu, 1), N(y[j], theta[j], 1), observed=[y])
    assert refuted(sa.Derivation(schools.before, sa.auxiliary(model).after, schools.steps))


def test_something_new_beside_it(schools: sa.Derivation) -> None:
    """An extra latent would switch the numerical check off, since the numbers of latents differ."""
    extra = sp.Symbol("extra", real=True)
    forged = rebuilt(schools, instead(mu, N(mu, 0, 5)), more=[N(extra, 0, 1)])
    assert any("extra" in flaw for flaw in structural_flaws(forged))
    assert refuted(forged)


def test_a_factor_has_been_added_or_dropped() -> None:
    model = sa.Model.of(N(mu, 0, 1), N(b, mu, 1), sa.factor(-(b**4)))
    honest = sa.auxiliary(model)
    assert honest.verify()
    without = sa.Model.of(
        *(s for s in honest.after.statements if not isinstance(s, sa.Factor)), auxiliary=honest.after.auxiliary
    )
    assert refuted(replace(honest, after=without))


def test_another_variable_is_observed(schools: sa.Derivation) -> None:
    after = sa.Model.of(*schools.after.statements, observed=["y", "mu"], auxiliary=schools.after.auxiliary)
    assert any("observed" in flaw for flaw in structural_flaws(replace(schools, after=after)))


ROWS, COLUMNS = sa.plate("row", 3), sa.plate("column", 3)


def grid(noise: sp.Expr, read: sp.Expr) -> sa.Derivation:
    """z[row, column] generated from an element of an array of noises, whatever the rewrite says."""
    law, stated = N(z[ROWS, COLUMNS], mu, 1), N(noise, 0, 1)
    before, after = sa.Model.of(law), sa.Model.of(stated, sa.deterministic(z[ROWS, COLUMNS], mu + read))
    step = sa.Step("z", "by hand", law, sa.Rewrite((stated,), mu + read), sa.Verdict(sa.Status.PROVED))
    return sa.Derivation(before, after, (step,))


def test_noise_with_its_indices_in_another_order_is_as_good() -> None:
    turned = eps_z[COLUMNS, ROWS]
    assert grid(turned, turned).verify()


def test_noise_read_across_or_along_the_diagonal_is_not() -> None:
    own = eps_z[ROWS, COLUMNS]
    for read in (eps_z[COLUMNS, ROWS], eps_z[ROWS, ROWS], eps_z[ROWS, 0]):
        assert not grid(own, read).verify()


def test_a_series_may_not_turn_the_indices_of_its_start_only() -> None:
    s = sa.plate("s", 3)
    start, law = N(z[0, COLUMNS], 0, 1), N(z[s, COLUMNS], b * z[s - 1, COLUMNS], 1)
    first, later = N(eps_z[COLUMNS, 0], 0, 1), N(eps_z[s, COLUMNS], 0, 1)
    before = sa.Model.of(start, law)
    formulas = (first.value, b * z[s - 1, COLUMNS] + later.value)
    made = [sa.deterministic(each.value, f) for each, f in zip((start, law), formulas, strict=True)]
    steps = [
        sa.Step("z", "by hand", each, sa.Rewrite((noise,), f), sa.Verdict(sa.Status.PROVED))
        for each, noise, f in zip((start, law), (first, later), formulas, strict=True)
    ]
    after = sa.Model.of(N(eps_z[s, COLUMNS], 0, 1), *made)
    assert not sa.Derivation(before, after, tuple(steps)).verify()
