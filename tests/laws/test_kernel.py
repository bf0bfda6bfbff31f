"""The kernel: parents out, relations kept, assumptions inherited, and the way back exact."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from support.timing import within

import symaux as sa
from symaux.formulas.functions.elementary import GaussianLogDensity
from symaux.formulas.symbols.indices import arrays, plate
from symaux.laws import families as f
from symaux.laws.kernel import kernel
from symaux.laws.law import Law, law

MU, A, B, V = sp.symbols("mu a b v", real=True)
S = sp.Symbol("s", positive=True)
Z = sp.Symbol("z", real=True)
W, ZZ, BB, SS = arrays("W z b s")
II, K, N = plate("i", 4), plate("k", 5), plate("n", 6)
TOTAL = sp.Sum(W[II, K] * ZZ[N, K], K)


def extracted(of: Law) -> tuple[set[sp.Expr], Law]:
    found = kernel(replace(of, spelling=None))
    assert sp.simplify(found.restored(found.law.log_density) - of.log_density) == 0
    assert all(p.is_real for p in found.arguments)
    return set(found.arguments.values()), found.law


CASES = {
    "symbols": (f.normal(Z, MU, S), {MU, S}),
    "a sum of squares is one parameter": (f.normal(Z, MU, sp.sqrt(A**2 + B**2)), {MU, A**2 + B**2}),
    "sums are opaque": (f.normal(ZZ[N, II], sp.tanh(TOTAL + BB[II]), SS[II]), {sp.tanh(TOTAL + BB[II]), SS[II]}),
    "a log-scale and its exponential": (
        f.normal(ZZ[N, II], sp.tanh(TOTAL) + BB[II], sp.exp(SS[II])),
        {sp.tanh(TOTAL) + BB[II], SS[II]},
    ),
    "numbers stay": (f.normal(Z, 3, 2), set()),
    "multiples": (f.normal(Z, MU + A, 2 * V + 2), {MU + A, V + 1}),
    "bounds count": (f.uniform(Z, A, B), {A, B}),
    "shared by two": (f.kumaraswamy(Z, S, S), {S}),
    "shape and scale": (f.student_t(Z, S, MU, V), {S, MU, V}),
}


@pytest.mark.parametrize("name", CASES)
def test_parents_become_parameters(name: str) -> None:
    of, expected = CASES[name]
    assert extracted(of)[0] == expected


def test_a_side_condition_becomes_an_assumption() -> None:
    found = kernel(replace(f.normal(Z, MU, V), spelling=None))
    (scale,) = [p for p, stands_for in found.arguments.items() if stands_for == V]
    assert scale.is_positive
    assert found.law.conditions == ()


def test_opposite_signs_are_the_same_piece() -> None:
    x = sp.Symbol("x", real=True)
    minus = law(x, log_density=-((x - TOTAL - A) ** 2) / 2 - sp.log(2 * sp.pi) / 2)
    plus = law(x, log_density=-((TOTAL + A - x) ** 2) / 2 - sp.log(2 * sp.pi) / 2)
    assert set(kernel(minus).arguments.values()) == set(kernel(plus).arguments.values()) == {TOTAL + A}


def test_the_value_is_a_symbol_with_the_sign_of_its_support() -> None:
    tau = arrays("tau")[II]
    assert kernel(replace(f.half_cauchy(tau, 5), spelling=None)).law.value.is_positive
    assert kernel(replace(f.normal(tau, 0, 5), spelling=None)).law.value.is_positive is None


def test_a_vector_density_is_not_opened() -> None:
    inside = GaussianLogDensity(ZZ[II, 0], sp.exp(-SS[II]), II, K)
    x = sp.Symbol("x", real=True)
    assert kernel(law(x, log_density=-(x**2) / 2 + inside)).arguments != {}


def test_names_do_not_depend_on_the_run() -> None:
    first, second = (kernel(replace(f.student_t(Z, S, MU, V), spelling=None)) for _ in range(2))
    assert first == second


def chain() -> list[Law]:
    return [f.normal(sp.Symbol(f"z{n}", real=True), sp.Symbol(f"z{n - 1}", real=True), S) for n in range(1, 201)]


def test_laws_of_a_family_share_a_kernel() -> None:
    assert len({kernel(each).law for each in chain()}) == 1


@pytest.mark.speed
def test_a_family_costs_nothing() -> None:
    laws = chain()
    with within(1e-4 * len(laws)):
        for each in laws:
            kernel(each)


def test_a_choice_of_parameters_never_holds_the_number_that_stands_for_another() -> None:
    """pi**(-1/b)*exp(v) is a part where 1/b was chosen before: what is chosen next is exp(v), not a number times it."""
    powered = (sp.pi - Z**2) ** (1 / S)
    arguments, _ = extracted(law(Z, log_density=-sp.log(1 + sp.pi ** (-1 / S) * sp.exp(V) * powered), support=(0, 1)))
    assert arguments <= {S, 1 / S, sp.exp(V), V}


z, x = sp.Symbol("z", real=True), sp.Symbol("x", positive=True)
a, b, c, k = sp.symbols("a b c k", positive=True)


def test_a_kernel_keeps_related_parameters_together() -> None:
    p, q = sp.symbols("p q", positive=True)
    density = a * p**a * x ** (-a - 1) / (1 - (p / q) ** a)
    found = kernel(sa.law(x, density, support=(p, q), conditions=(p < q,)))
    assert set(found.law.parameters) <= set(found.arguments)
