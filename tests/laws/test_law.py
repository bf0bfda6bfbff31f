"""Laws as values: parameters, supports, printing, substitution."""

from __future__ import annotations

import pickle

import pytest
import sympy as sp

import symaux as sa
from symaux.errors import LawError
from symaux.laws.family import REAL, apply_family

z, mu, u = sp.symbols("z mu u", real=True)
s = sp.Symbol("s", positive=True)
theta, y = sa.arrays("theta y")
j = sa.plate("j", 8)


def test_sa_law_is_the_function_whatever_was_imported_before() -> None:
    import symaux.laws.families  # noqa: F401

    assert callable(sa.law) and callable(sa.render) and callable(sa.unconstrain)


def test_parameters_are_what_the_formulas_read() -> None:
    law = sa.normal(theta[j], mu + y[j], s)
    assert [str(p) for p in law.parameters] == ["mu", "s", "y[j]"]
    assert law.name == "theta"
    assert [str(p) for p in sa.uniform(z, mu, mu + s).parameters] == ["mu", "s"]


def test_supports() -> None:
    positive = sp.Symbol("v", positive=True)
    assert sa.law(positive, sp.exp(-positive)).support == sa.Interval(sp.S(0), sp.oo)
    assert sa.law(z, sp.exp(-(z**2)), support=sp.S.Reals).support.unbounded
    assert sa.law(z, sp.exp(-z), support=sp.Interval(0, sp.oo)).support == sa.Interval(sp.S(0), sp.oo)
    assert sa.law(z, sp.S(1) / 3, support={1, 2, 3} and sp.FiniteSet(1, 2, 3)).support == sa.Integers(sp.S(1), sp.S(3))
    for bad in [(2, 1), (1, 1), (sp.I, 2), "reals", (0, 1, 2), sp.FiniteSet(1, 3), 5]:
        with pytest.raises(sa.LawError):
            sa.law(z, sp.exp(-z), support=bad)


@pytest.mark.parametrize("bad", [None, "exp(-z)", float("nan"), True, sp.nan, [1]])
def test_what_is_no_density(bad) -> None:
    with pytest.raises(sa.LawError):
        sa.law(z, bad)


def test_a_log_density_is_taken_as_it_is() -> None:
    assert sa.law(z, log_density=-(z**2) / 2).log_density == -(z**2) / 2
    with pytest.raises(sa.LawError, match="not both"):
        sa.law(z, sp.exp(-z), log_density=-z)


def test_products_come_apart_in_the_logarithm() -> None:
    v, a = sp.symbols("v a", positive=True)
    law = sa.law(v, a * v ** (a - 1) * sp.exp(-(v**a)))
    assert sp.expand(law.log_density - (sp.log(a) + (a - 1) * sp.log(v) - v**a)) == 0


def test_printing() -> None:
    assert str(sa.normal(z, mu, 2)) == "z ~ normal(mu, 2)"
    assert str(sa.flat(z)) == "z ~ flat on (-oo, oo)"
    assert "on (0, 1)" in str(sa.law(z, 2 * z, support=(0, 1)))


def test_laws_are_values() -> None:
    assert sa.normal(z, mu, s) == sa.normal(z, mu, s) != sa.normal(z, mu, 2 * s)
    assert hash(sa.normal(z, mu, s)) == hash(sa.normal(z, mu, s))
    with pytest.raises(AttributeError):
        sa.normal(z, mu, s).value = u  # type: ignore[misc]


def test_substitution_is_exact_and_all_at_once() -> None:
    swapped = sa.normal(z, mu, s).substituted({z: mu, mu: z})
    assert swapped.value == mu and swapped == sa.normal(mu, z, s)


def test_flat_priors_are_improper() -> None:
    assert not sa.flat(z).proper and sa.flat(s).support == sa.Interval(sp.S(0), sp.oo)
    assert sa.flat(z, (0, mu)).support.upper == mu


def test_a_law_in_other_names_is_the_law_itself() -> None:
    """Families remember laws by their arguments in standard names; nothing of that is to be seen."""
    pairs = [sp.symbols(f"left{k} width{k}", positive=True) for k in range(3)]
    for left, width in pairs:
        value = sp.Symbol(f"at_{left}", positive=True)
        made = sa.uniform(value, left, left + width)
        assert made.spelling is not None and "log_density" not in vars(made)
        spelled = made.spelling
        domains = dict(zip(("lower", "upper"), (REAL, REAL), strict=True))
        direct = apply_family("uniform", spelled.template, spelled.symbols, domains, value, spelled.arguments)
        assert made.support == direct.support and made.conditions == direct.conditions
        assert made == direct and hash(made) == hash(direct) and str(made) == str(direct)
        assert pickle.loads(pickle.dumps(sa.uniform(value, left, left + width))) == made


def test_assumptions_are_part_of_a_name() -> None:
    real, positive = sp.Symbol("s", real=True), sp.Symbol("s", positive=True)
    z = sp.Symbol("z", real=True)
    assert sa.normal(z, 0, real).conditions and not sa.normal(z, 0, positive).conditions
    assert sa.normal(z, 0, positive).conditions == () and sa.normal(z, real, 1).parameters == (real,)


def test_a_refusal_names_what_the_user_wrote() -> None:
    b = sp.Symbol("breadth", negative=True)
    for _ in range(2):
        with pytest.raises(LawError, match="breadth"):
            sa.normal(sp.Symbol("height", real=True), 0, b)
