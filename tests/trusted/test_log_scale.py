"""Claims on the scale of logarithms."""

from __future__ import annotations

import time
from typing import Any

import sympy as sp

from symaux.laws import families as f
from symaux.laws.law import law
from symaux.proof.certificates.total_variation import Certificate, Difference, certify_at_point
from symaux.proof.scalar.claim import claim
from symaux.trusted.log_scale import to_log_scale

Q = sp.Rational
U, X, A, B, S = sp.symbols("u x a b s", positive=True)
Z = sp.Symbol("z", real=True)


def test_the_logarithm_of_a_value_that_no_float_holds() -> None:
    """exp of a Cauchy variable: the density falls like 1/(z log(z)^2), and z reaches exp(1e15)."""
    base = f.cauchy(Z, 0, 1)
    log_cauchy = law(X, 1 / (X * sp.pi * S * (1 + ((sp.log(X) - A) / S) ** 2)))
    point = {A: Q(1, 3), S: Q(12)}
    right, wrong = (claim(log_cauchy, base, sp.exp(A + c * S * Z)) for c in (1, 1 + Q(1, 10**9)))
    assert isinstance(certify_at_point(right, _in_plain(right, point), time.process_time() + 10), Certificate)
    assert isinstance(certify_at_point(wrong, _in_plain(wrong, point), time.process_time() + 10), Difference)


def _in_plain(made: Any, point: Any) -> Any:
    return {plain: point[atom] for plain, atom in made.names}


def test_a_multiple_that_is_negative_or_a_support_that_is_no_half_line_stays() -> None:
    e = sp.Symbol("e", real=True)
    base = f.normal(e, 0, 1)
    for of, value in ((f.log_normal(X, 0, 1), -sp.exp(e)), (f.normal(Z, 0, 1), sp.exp(e)), (f.log_normal(X, 0, 1), e)):
        made = claim(of, base, value)
        assert to_log_scale(made) is made
