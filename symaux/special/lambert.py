r"""Both real branches of Lambert's W, of an exponential that itself would overflow."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux import precise
from symaux.special.kinds import Positive, Special


class lambertw0_of_exp(Positive):
    r"""$W_0(e^y)$, the w with w + log w = y, where $e^y$ itself would overflow."""

    nargs = 1
    value = staticmethod(precise.omega)

    def slopes(self) -> tuple[Any, ...]:
        return (self / (1 + self),)

    def _eval_is_positive(self) -> bool | None:
        return self.given[0].is_real

    def definition(self) -> Any:
        return sp.LambertW(sp.exp(self.given[0]))


class lambertwm1_of_exp(Special):
    r"""$W_{-1}(-e^y)$ for y ≤ -1, the w ≤ -1 with w + log(-w) = y."""

    nargs = 1
    value = staticmethod(precise.other_omega)

    def slopes(self) -> tuple[Any, ...]:
        return (self / (1 + self),)

    def definition(self) -> Any:
        return sp.LambertW(-sp.exp(self.given[0]), -1)
