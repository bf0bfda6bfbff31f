r"""A special function as a factor of a density, found by its logarithmic derivative however the formula is arranged.

With the function replaced by a symbol y, $\ell(z, y) = \log(y + c) + b(z)$ exactly if $1/\partial_y\ell - y$ is the number c;
then $b' = \partial_z\ell$ at fixed y.

>>> z = sp.Symbol("z", real=True)
>>> found = find_special_factor(-z**2/2 + sp.log(1 + sp.erf(3*z)), z, sp.erf)
>>> found.argument, found.offset, found.rest
(3*z, 1, -z)
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from symaux.formulas.algebra.piecewise import pieces
from symaux.formulas.functions.elementary import defined
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law


@dataclass(frozen=True)
class SpecialFactor:
    """``function`` plus a number ``offset`` is a factor; ``rest`` is the logarithmic derivative of the others."""

    function: sp.Expr
    offset: sp.Expr
    rest: sp.Expr

    @property
    def argument(self) -> sp.Expr:
        return self.function.args[-1]


def find_special_factor(log_density: sp.Expr, z: sp.Symbol, kind: type) -> SpecialFactor | None:
    """Return the factor of a density that is a function of the given kind in z, if there is exactly one."""
    formula = with_standard_functions(log_density)
    found = [atom for atom in formula.atoms(kind) if atom.has(z)]
    if len(found) != 1:
        return None
    y = sp.Symbol("y_", positive=True)
    opened = formula.xreplace({found[0]: y})
    slope = sp.cancel(sp.together(opened.diff(y)))
    if slope == 0:
        return None
    offset = sp.simplify(1 / slope - y)
    rest = sp.simplify(opened.diff(z))
    return SpecialFactor(found[0], offset, rest) if offset.is_number and not rest.has(y) else None


def with_standard_functions(formula: sp.Expr) -> sp.Expr:
    r"""Return the formula with $\operatorname{erfc} = 1 - \operatorname{erf}$, ${}_0F_1$ as a Bessel function,
    $\log|x|$ smooth."""
    formula = defined(formula).replace(sp.erfc, lambda x: 1 - sp.erf(x))
    formula = formula.replace(lambda e: isinstance(e, sp.hyper) and _is_bessel(e), _bessel)
    return formula.replace(
        lambda e: isinstance(e, sp.log) and isinstance(e.args[0], sp.Abs), lambda e: sp.log(e.args[0].args[0] ** 2) / 2
    )


def _is_bessel(e: sp.Expr) -> bool:
    return not e.args[0] and len(e.args[1]) == 1 and bool(e.args[2].is_positive)


def _bessel(e: sp.Expr) -> sp.Expr:
    (b,), x = e.args[1], e.args[2]
    return sp.gamma(b) * x ** ((1 - b) / 2) * sp.besseli(b - 1, 2 * sp.sqrt(x))


def as_line(formula: sp.Expr, z: sp.Symbol) -> tuple[sp.Expr, sp.Expr] | None:
    """a and b of a + b z, with b not zero."""
    b = sp.simplify(formula.diff(z))
    return None if b.has(z) or b == 0 else (sp.simplify(formula.xreplace({z: sp.S.Zero})), b)


def as_power(formula: sp.Expr, z: sp.Symbol) -> tuple[sp.Expr, sp.Expr] | None:
    """c and s of c z^s, with s not zero."""
    s = sp.simplify(z * formula.diff(z) / formula)
    return None if s.has(z) or s == 0 else (sp.simplify(formula.xreplace({z: sp.S.One})), s)


def rational_log_derivative(law: Law) -> sp.Expr | None:
    """Return the logarithmic derivative of a density, if it is a rational function."""
    formula = with_standard_functions(law.log_density)
    if any(f.has(law.value) and not isinstance(f, sp.log | sp.exp) for f in formula.atoms(sp.Function)):
        return None
    slope = sp.cancel(sp.together(formula.diff(law.value)))
    if not slope.is_rational_function(law.value):
        slope = sp.cancel(sp.simplify(slope))
    return slope if slope.is_rational_function(law.value) and not slope.has(sp.nan, sp.zoo) else None


def split_at_corner(law: Law) -> tuple[sp.Expr, sp.Expr, sp.Expr] | None:
    """Return the log-density below and above its one corner, and the corner."""
    if not isinstance(law.support, Interval):
        return None
    parts = pieces((law.log_density,), law.value, law.support)
    if parts is None or len(parts) != 2:
        return None
    (_, (below,)), (where, (above,)) = parts
    return below, above, where.lower
