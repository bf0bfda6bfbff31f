r"""Move a law on an interval to the real line: $v = e^y$ or $v = a + (b-a)/(1+e^{-y})$, with the Jacobian in y's law.

>>> from symaux.laws.families import half_cauchy
>>> tau, t = sp.Symbol("tau", positive=True), sp.Symbol("t", real=True)
>>> line, formula = on_real_line(half_cauchy(tau, 5), t)
>>> print(formula, line.log_density, sep="; ")
exp(t); t - log(exp(2*t) + 25) + log(2/pi) + log(5)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from symaux.formulas.functions.elementary import sigmoid, softplus
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws.densities.change_of_variables import change_variable
from symaux.laws.densities.charts import Chart, chart
from symaux.laws.kernel import kernel
from symaux.laws.law import Law

Y = sp.Dummy("y", real=True)  # not a symbol: a parameter of a user's family may be called y


def on_real_line(law: Law, symbol: Any) -> tuple[Law, Formula]:
    """Return the law of a variable on the real line, called ``symbol``, and the law's own variable as a function of it.

    Nothing is verified here; a law that is on the real line already is only renamed.
    """
    if law.interval.unbounded:
        return law.substituted({law.value: symbol}), symbol
    standard = kernel(law)
    charted, noise, formula = chart_on_real_line(standard.law)
    mapping = standard.inverse | {Y: symbol}
    return charted.restored_law(noise).substituted(mapping), charted.restored(formula).xreplace(mapping)


def chart_on_real_line(law: Law) -> tuple[Chart, Law, Formula]:
    """Return the chart of a kernel, the law of Y on the real line, and the kernel's variable as a function of Y."""
    charted = chart(law)
    formula = _onto(charted.law.interval)
    noise = change_variable(charted.law, Y, formula, REALS)
    return charted, replace(noise, log_density=_stable(noise.log_density)), formula


def _onto(support: Interval) -> Formula:
    """Return the usual increasing map from the real line onto an interval (decreasing if only the upper end is finite)."""
    match support.lower == -sp.oo, support.upper == sp.oo:
        case False, True:
            return support.lower + sp.exp(Y)
        case True, False:
            return support.upper - sp.exp(Y)
    return support.lower + (support.upper - support.lower) * sigmoid(Y)


def _stable(formula: Formula) -> Formula:
    """Return the formula with log(1 + exp(x)) as softplus(x), which does not overflow."""
    one, inner = sp.Wild("one", properties=[lambda e: e == 1]), sp.Wild("inner")
    return formula.replace(
        lambda e: isinstance(e, sp.log) and (found := e.args[0].match(one + sp.exp(inner))) and found[one] == 1,
        lambda e: softplus(e.args[0].match(one + sp.exp(inner))[inner]),
    )
