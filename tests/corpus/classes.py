"""What a generating function is made of: elementary functions, special inverses, several noises, or iteration.

>>> u = sp.Symbol("u", positive=True)
>>> kind_of_formula(sp.log(u) + sp.gamma(3), {u}), kind_of_formula(sp.LambertW(u), {u})
('elementary', 'special inverse')
"""

from __future__ import annotations

import sympy as sp

import symaux as sa

KINDS = ("elementary", "special inverse", "composition", "implicit", "other", "none")
ELEMENTARY = {
    *("exp", "log", "sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan", "acot", "asec", "acsc", "atan2"),
    *("sinh", "cosh", "tanh", "coth", "sech", "csch", "asinh", "acosh", "atanh", "acoth", "asech", "acsch"),
    *(
        "Abs",
        "sign",
        "Max",
        "Min",
        "floor",
        "ceiling",
        "Heaviside",
        "Piecewise",
        "log1p",
        "expm1",
        "softplus",
        "sigmoid",
    ),
    *("ExprCondPair", "cbrt", "sqrt"),
}
INVERSES = {
    *("ndtri", "erfinv", "erfcinv", "LambertW", "gammaincinv", "gammainccinv", "betaincinv", "betainccinv"),
    *("ndtri_exp", "lambertw0_of_exp", "lambertwm1_of_exp"),  # of the same list, at the exponential of an argument
    "student_t_ppf",  # sqrt(df)*(x - 1/2)/sqrt(x*(1 - x)) at x = betaincinv(df/2, df/2, u), without the loss of digits
}
FORWARD = {
    *("ndtr", "log_ndtr", "erf", "erfc", "lowergamma", "uppergamma", "gammainc", "gammaincc", "betainc", "betaincc"),
    "student_t_cdf",
}
ITERATIVE = {
    "ImplicitQuantile",
    "DiscreteQuantile",
    "von_mises_ppf",
}  # an inverse that is not on the list counts as iteration


def functions_of(formula: sp.Expr, noises: set[sp.Symbol]) -> set[str]:
    """The names of the functions that stand around a noise; what holds only parameters is a number."""
    found = (e for e in sp.preorder_traversal(formula) if e.args and e.free_symbols & noises)
    plain = (sp.Add, sp.Mul, sp.Pow, sp.core.relational.Relational, sp.logic.boolalg.BooleanFunction)
    return {type(e).__name__ for e in found if not isinstance(e, plain)}


def kind_of_formula(formula: sp.Expr, noises: set[sp.Symbol]) -> str:
    """The class of a formula by the dearest function in it."""
    used = functions_of(formula, noises)
    names = {type(e).__name__ for e in sp.preorder_traversal(formula)}
    if names & ITERATIVE:
        return "implicit"
    if used - ELEMENTARY - INVERSES - FORWARD:
        return "other"
    return "special inverse" if used & (INVERSES | FORWARD) else "elementary"


def standard(noise: sa.Law) -> bool:
    """Whether a noise is the standard uniform or the standard normal."""
    e = noise.value
    normal = sp.exp(-(e**2) / 2) / sp.sqrt(2 * sp.pi)
    ends = (noise.support.lower, noise.support.upper)
    if ends == (0, 1):
        return noise.log_density == 0
    return ends == (-sp.oo, sp.oo) and sp.simplify(noise.log_density - sp.log(normal)) == 0


def kind(form: sa.AuxiliaryForm) -> str:
    """The class of a form; noise that is neither uniform nor normal must have a quantile, whose class then counts."""
    if form.value.has(form.law.value):
        return "other"  # the value on both sides is no answer
    kinds = {kind_of_formula(form.value, {n.value for n in form.noise})}
    for noise in form.noise:
        if standard(noise):
            continue
        try:
            inner = sa.derive(noise, noise="uniform")
        except sa.SymauxError:
            return "other"
        kinds.add(kind_of_formula(inner.value, {n.value for n in inner.noise}))
    worst = next(k for k in ("other", "implicit", "special inverse", "elementary") if k in kinds)
    return "composition" if len(form.noise) > 1 and worst not in ("other", "implicit") else worst
