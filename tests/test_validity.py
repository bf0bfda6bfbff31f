"""What is no density is refused with a witness, and an unusual one is not."""

import pytest
import sympy as sp

import symaux as sa

z = sp.Symbol("z", real=True)
m, s = sp.Symbol("m", real=True), sp.Symbol("s", positive=True)
NORMAL = sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi)


@pytest.mark.parametrize(
    ("density", "words"),
    [(-NORMAL, "negative"), (z * NORMAL, "negative"), (sp.I * NORMAL, "complex"), (sp.sqrt(z) * NORMAL, "complex")],
)
def test_a_formula_that_is_negative_or_complex_is_refused_with_a_witness(density: sp.Expr, words: str) -> None:
    with pytest.raises(sa.LawError, match=rf"because it is {words}[\s\S]*at z = "):
        sa.law(z, density)


@pytest.mark.parametrize(
    ("density", "support", "integral"),
    [
        (NORMAL * sp.Rational(10001, 10000), None, "1.0001"),
        ((NORMAL * sp.Rational(9999, 10000)).subs(z, (z - m) / s) / s, None, "0.9999"),
        (1 / (1 + z**2), None, "3.14159"),
        (1 / z, (1, sp.oo), "infinity"),
        (1 / (1 + sp.Abs(z)), None, "infinity"),
    ],
)
def test_a_density_that_does_not_integrate_to_one_is_never_derived(
    density: sp.Expr, support: object, integral: str
) -> None:
    with pytest.raises(sa.LawError, match=f"its integral is {integral}"):
        sa.derive(sa.law(z, density, support=support))


def test_a_law_without_parameters_is_its_own_noise_only_if_it_is_normalised() -> None:
    assert sa.derive(sa.law(z, NORMAL)).verdict.status is sa.Status.PROVED
    rules = ()  # no rule is needed, so none can have checked it
    with pytest.raises(sa.LawError):
        sa.derive(sa.law(z, 2 * NORMAL), rules)


def test_heavy_tails_are_fine() -> None:
    assert sa.derive(sa.law(z, 1 / (sp.pi * (1 + (z - m) ** 2)))).verdict
