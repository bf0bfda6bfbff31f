r"""List the integrals that are believed: each one cited identity, tested with balls or mpmath beside a perturbed copy.

An axiom says that $e^{\ell(x)}$ has the integral one over an interval, for parameters that satisfy its conditions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from symaux.formulas.symbols.formula import Formula

X = sp.Symbol("x", real=True)
A, B, C = sp.symbols("a b c", real=True)


@dataclass(frozen=True)
class Axiom:
    """A log-density of ``X`` with mass one on (lower, upper), where the conditions on the parameters hold."""

    name: str
    citation: str
    log_density: Formula
    lower: Formula
    upper: Formula
    parameters: tuple[sp.Symbol, ...] = ()
    conditions: tuple[Any, ...] = ()

    def at(self, formula: Any, variable: Formula, values: tuple[Formula, ...]) -> Any:
        """Return one of the formulas of the axiom at a variable and at values of the parameters."""
        return formula.xreplace({X: variable, **dict(zip(self.parameters, values, strict=True))})


log, exp, pi, oo, gamma = sp.log, sp.exp, sp.pi, sp.oo, sp.loggamma
AXIOMS = {
    axiom.name: axiom
    for axiom in (
        Axiom("length", "the length of an interval", sp.S.Zero, sp.S.Zero, sp.S.One),
        Axiom("gauss", "DLMF 7.4.1, the Gaussian integral", -(X**2) / 2 - log(2 * pi) / 2, -oo, oo),
        Axiom(
            "gamma", "DLMF 5.2.1, Euler's integral of the second kind",
            (A - 1) * log(X) - X - gamma(A), sp.S.Zero, oo, (A,), (A > 0,),
        ),
        Axiom(
            "beta", "DLMF 5.12.1, Euler's integral of the first kind",
            (A - 1) * log(X) + (B - 1) * log(1 - X) - gamma(A) - gamma(B) + gamma(A + B),
            sp.S.Zero, sp.S.One, (A, B), (A > 0, B > 0),
        ),
        Axiom(
            "beta_line", "DLMF 5.12.3, Euler's integral over the half-line",
            (A - 1) * log(X) - (A + B) * log(1 + X) - gamma(A) - gamma(B) + gamma(A + B),
            sp.S.Zero, oo, (A, B), (A > 0, B > 0),
        ),
        Axiom(
            "student", "DLMF 5.12.3 with x = t**2/a on both halves of the line",
            -(A + 1) / 2 * log(1 + X**2 / A) + gamma((A + 1) / 2) - gamma(A / 2) - log(pi * A) / 2,
            -oo, oo, (A,), (A > 0,),
        ),
        Axiom(
            "von_mises", "DLMF 10.32.1, over one period, which may begin anywhere",
            A * sp.cos(X - B) - log(2 * pi * sp.besseli(0, A)), C, C + 2 * pi, (A, B, C), (A > 0,),
        ),
        Axiom(
            "inverse_gauss", "DLMF 10.32.10 and 10.39.2, of order one half",
            log(B) / 2 - log(2 * pi) / 2 - 3 * log(X) / 2 - B * (X - A) ** 2 / (2 * A**2 * X),
            sp.S.Zero, oo, (A, B), (A > 0, B > 0),
        ),
        Axiom(
            "bessel_k", "DLMF 10.32.10, the generalised inverse Gaussian law",
            (A - 1) * log(X) - B * (X + 1 / X) / 2 - log(2 * sp.besselk(A, B)), sp.S.Zero, oo, (A, B), (B > 0,),
        ),
        Axiom(
            "bose", "DLMF 25.5.1, Riemann's zeta function as an integral",
            (A - 1) * log(X) - log(exp(X) - 1) - gamma(A) - log(sp.zeta(A)), sp.S.Zero, oo, (A,), (A > 1,),
        ),
        Axiom(
            "rice", "DLMF 10.22.54 at imaginary arguments: Weber's integral, the non-central chi law of 2a + 2 degrees",
            (A + 1) * log(X) - A * log(B) - (X**2 + B**2) / 2 + log(sp.besseli(A, B * X)),
            sp.S.Zero, oo, (A, B), (A > -1, B > 0),
        ),
        Axiom(
            "kummer", "DLMF 13.4.2 or term by term with DLMF 5.12.1: the non-central beta law",
            -C + (A - 1) * log(X) + (B - 1) * log(1 - X) + log(sp.hyper((A + B,), (A,), C * X))
            - gamma(A) - gamma(B) + gamma(A + B),
            sp.S.Zero, sp.S.One, (A, B, C), (A > 0, B > 0, C > 0),
        ),
    )
}  # fmt: skip
