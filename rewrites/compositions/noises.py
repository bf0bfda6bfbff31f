r"""The noises that compositions are made of: standard normal, its modulus, uniform, and gamma with its own shape.

>>> print(gamma_noise(sp.S.Half))
(half_normal(1), t**2/2)
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from symaux.rules.toolkit import Formula, Law, exponential, gamma, half_normal, normal, uniform

E = sp.Symbol("e", real=True)
T, T2 = sp.symbols("t t2", positive=True)


@dataclass(frozen=True)
class Noise:
    """The law of a noise, and the formula in it that is wanted."""

    law: Law
    formula: Formula

    def __str__(self) -> str:
        return f"({self.law.spelling}, {self.formula})"


NORMAL = Noise(normal(E, 0, 1), E)
HALF_NORMAL = Noise(half_normal(T, 1), T)
BOTH_SIDES = Noise(uniform(E, -1, 1), E)


def exponential_noise(symbol: sp.Symbol = T) -> Noise:
    return Noise(exponential(symbol, 1), symbol)


def gamma_noise(shape: Formula, symbol: sp.Symbol = T) -> Noise:
    """Gamma with rate one: an exponential for the shape one, half of a squared normal for the shape one half."""
    if shape == 1:
        return exponential_noise(symbol)
    if shape == sp.S.Half:
        return Noise(half_normal(symbol, 1), symbol**2 / 2)
    return Noise(gamma(symbol, shape, 1), symbol)
