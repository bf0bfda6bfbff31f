"""Special functions as sympy functions: how they print themselves."""

from __future__ import annotations

import sympy as sp

z, a, c, s = sp.symbols("z a c s", positive=True)


def test_special_functions_have_whole_names_in_latex() -> None:
    from symaux.formulas.functions.registry import lambertwm1_of_exp, student_t_ppf

    assert sp.latex(lambertwm1_of_exp(-a - 2)) == r"W_{-1}{\left(- e^{- a - 2} \right)}"
    assert sp.latex(student_t_ppf(z, a) ** 2) == r"\operatorname{student\_t\_ppf}^{2}{\left(z,a \right)}"
