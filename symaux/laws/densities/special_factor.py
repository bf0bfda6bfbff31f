r"""Find a special function that is a factor of a density by its logarithmic derivative, however the formula is arranged.

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

from symaux.formulas.algebra.piecewise import split_at_corners
from symaux.formulas.functions.elementary import defined
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law


@dataclass(frozen=True)
class SpecialFactor:
    """A factor ``function`` plus a number ``offset``; ``rest`` is the logarithmic derivative of the other factors."""

    function: Formula
    offset: Formula
    rest: Formula

    @property
    def argument(self) -> Formula:
        return self.function.args[-1]


def find_special_factor(log_density: Formula, z: sp.Symbol, kind: type) -> SpecialFactor | None:
    """Return the factor of a density that is a function of the given kind in z, if there is exactly one."""
    formula = with_standard_functions(log_density)
    found = [atom for atom in formula.atoms(kind) if atom.has(z)]
    if len(found) != 1:
        return None
    y = sp.Symbol("y_", positive=True)
    in_y = formula.xreplace({found[0]: y})
    derivative = sp.cancel(sp.together(in_y.diff(y)))
    if derivative == 0:
        return None
    offset = sp.simplify(1 / derivative - y)
    rest = sp.simplify(in_y.diff(z))
    return SpecialFactor(found[0], offset, rest) if offset.is_number and not rest.has(y) else None


def with_standard_functions(formula: Formula) -> Formula:
    r"""Return the formula with $\operatorname{erfc} = 1 - \operatorname{erf}$, ${}_0F_1$ as a Bessel function,
    $\log|x|$ smooth."""
    formula = defined(formula).replace(sp.erfc, lambda x: 1 - sp.erf(x))
    formula = formula.replace(lambda e: isinstance(e, sp.hyper) and _is_bessel(e), _bessel)
    return formula.replace(
        lambda e: isinstance(e, sp.log) and isinstance(e.args[0], sp.Abs), lambda e: sp.log(e.args[0].args[0] ** 2) / 2
    )


def _is_bessel(e: Formula) -> bool:
    return not e.args[0] and len(e.args[1]) == 1 and bool(e.args[2].is_positive)


def _bessel(e: Formula) -> Formula:
    (b,), x = e.args[1], e.args[2]
    return sp.gamma(b) * x ** ((1 - b) / 2) * sp.besseli(b - 1, 2 * sp.sqrt(x))


def as_line(formula: Formula, z: sp.Symbol) -> tuple[Formula, Formula] | None:
    """Return a and b of a + b z with b not zero; None if the formula is not affine in z."""
    b = sp.simplify(formula.diff(z))
    return None if b.has(z) or b == 0 else (sp.simplify(formula.xreplace({z: sp.S.Zero})), b)


def as_power(formula: Formula, z: sp.Symbol) -> tuple[Formula, Formula] | None:
    """Return c and s of c z^s with s not zero; None if the formula is not a power of z."""
    s = sp.simplify(z * formula.diff(z) / formula)
    return None if s.has(z) or s == 0 else (sp.simplify(formula.xreplace({z: sp.S.One})), s)


def rational_log_derivative(law: Law) -> Formula | None:
    """Return the logarithmic derivative of a density; None if it is not a rational function."""
    formula = with_standard_functions(law.log_density)
    if any(f.has(law.value) and not isinstance(f, sp.log | sp.exp) for f in formula.atoms(sp.Function)):
        return None
    derivative = sp.cancel(sp.together(formula.diff(law.value)))
    if not derivative.is_rational_function(law.value):
        derivative = sp.cancel(sp.simplify(derivative))
    return derivative if derivative.is_rational_function(law.value) and not derivative.has(sp.nan, sp.zoo) else None


def split_at_corner(law: Law) -> tuple[Formula, Formula, Formula] | None:
    """Return the log-density below and above its one corner, and the corner; None unless there is exactly one."""
    if not isinstance(law.support, Interval):
        return None
    parts = split_at_corners((law.log_density,), law.value, law.support)
    if parts is None or len(parts) != 2:
        return None
    (_, (below,)), (where, (above,)) = parts
    return below, above, where.lower
