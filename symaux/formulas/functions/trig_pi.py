r"""Define $\tan\pi x$ and $\cot\pi x$, which keep their digits where the angle is close to a multiple of a quarter turn."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.functions.special_function import Special


class tanpi(Special):
    r"""$\tan\pi x$."""

    nargs = 1
    value = staticmethod(lambda x: mp.sinpi(x) / mp.cospi(x))

    def slopes(self) -> tuple[Any, ...]:
        return (sp.pi * (1 + self**2),)

    def definition(self) -> Any:
        return sp.tan(sp.pi * self.args[0])


class cotpi(Special):
    r"""$\cot\pi x$."""

    nargs = 1
    value = staticmethod(lambda x: mp.cospi(x) / mp.sinpi(x))

    def slopes(self) -> tuple[Any, ...]:
        return (-sp.pi * (1 + self**2),)

    def definition(self) -> Any:
        return sp.cot(sp.pi * self.args[0])
