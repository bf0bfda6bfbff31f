r"""Distribution functions and their inverses, from the density."""

from __future__ import annotations

import sympy as sp

from symaux.law import Law


def quantile(law: Law, u: sp.Symbol) -> sp.Expr | None:
    return None
