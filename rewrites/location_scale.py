r"""Location and scale from symmetry: $z = m(\theta) + s(\theta)\,\varepsilon$.

**Applies when** shifting or stretching the value can be undone by moving the parameters, whatever they are called and
however they enter: a standard deviation, a variance, a precision, natural parameters, end points, joint scalings. What
is not moved (the shape of a Student t) stays with the noise.

>>> import sympy as sp
>>> from symaux.rules.toolkit import law
>>> z, a = sp.symbols("z a", real=True)
>>> b = sp.Symbol("b", negative=True)
>>> natural = law(z, log_density=a*z + b*z**2 + a**2/(4*b) + sp.log(-b/sp.pi)/2)
>>> (found,) = location_scale(natural)
>>> print(found.value, found.noise[0].log_density)
-a/(2*b) + sqrt(2)*eps/(2*sqrt(-b)) -eps**2/2 - log(2*pi)/2

*Reference*: Lehmann and Casella, Theory of Point Estimation, section 1.4 (group families).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy as sp

from symaux.rules.toolkit import (
    Fields,
    Formula,
    Interval,
    Law,
    Rewrite,
    derivative_along,
    log_modulus,
    rule,
    scaling_fields,
    tidy,
    translation_fields,
    value_symbol,
)

Move = tuple[Formula, dict[sp.Symbol, Formula], dict[sp.Symbol, Formula]]


@rule
def location_scale(law: Law) -> Iterator[Rewrite]:
    r"""$z = m(\theta) + s(\theta)\,\varepsilon$, from the symmetries of the formula."""
    if not isinstance(law.support, Interval) or not law.parameters or not law.proper:
        return
    centred, location, back = _step(law, translation_fields(law), _location)
    reduced, scale, back_again = _step(centred, scaling_fields(centred), _scale)
    if location is None and scale is None:
        return
    scale = sp.S.One if scale is None else scale.xreplace(back)
    eps = sp.Symbol("eps", **value_symbol(reduced).assumptions0)
    noise, unit = _standard(replace(tidy(reduced.substituted({law.value: eps})), conditions=()))
    noise = noise.substituted(back_again).substituted(back)
    yield Rewrite((noise,), (location or 0) + scale * unit * eps)


def _step(law: Law, fields: Fields | None, solve: object) -> tuple[Law, Formula | None, dict[sp.Symbol, Formula]]:
    """The law with the parameter that fixes the location or the scale set to its standard value."""
    move = solve(fields) if fields else None  # type: ignore[operator]
    if move is None:
        return law, None, {}
    formula, standard, others = move
    return law.substituted(standard), formula, others


def _location(fields: Fields) -> Move | None:
    """m with T m = 1, the parameter that it removes, and where the others end when the value is shifted back by m."""
    for parameter, field in sorted(fields.items(), key=lambda item: (not item[1].is_number, str(item[0]))):
        if field == field.coeff(parameter) * parameter and parameter.is_positive:
            location, standard = sp.log(parameter) / field.coeff(parameter), sp.S.One
        elif derivative_along(fields, field) == 0:
            location, standard = parameter / field, sp.S.Zero
        else:
            continue
        others: dict[sp.Symbol, Formula] = {
            p: _along_flow(p, f, -location, fields) for p, f in fields.items() if p != parameter
        }
        if None not in others.values():
            return location, {parameter: standard}, others
    return None


def _along_flow(parameter: sp.Symbol, field: Formula, time: Formula, fields: Fields) -> Formula | None:
    if field == field.coeff(parameter) * parameter:
        return parameter * sp.exp(field.coeff(parameter) * time)
    return parameter + field * time if derivative_along(fields, field) == 0 else None


def _scale(fields: Fields) -> Move | None:
    """s with S s = s, the parameter that it removes, and where the others end when the value is divided by s."""
    for parameter, field in sorted(fields.items(), key=_simplest):
        weight, rest = field.coeff(parameter), field.subs(parameter, 0)
        if weight and not rest and (parameter.is_positive or parameter.is_negative):
            sign = 1 if parameter.is_positive else -1
            scale, standard = (sign * parameter) ** (1 / weight), sp.Integer(sign)
        elif rest and not weight:
            scale, standard = sp.exp(parameter / rest), sp.S.Zero
        else:
            continue
        others = {p: _divided_by_scale(p, f, scale) for p, f in fields.items() if p != parameter}
        return scale, {parameter: standard}, others
    return None


def _simplest(item: tuple[sp.Symbol, Formula]) -> tuple[bool, Formula, str]:
    parameter, field = item
    return not parameter.is_positive, abs(field.coeff(parameter) - 1), str(parameter)


def _divided_by_scale(parameter: sp.Symbol, field: Formula, scale: Formula) -> Formula:
    weight, rest = field.coeff(parameter), field.subs(parameter, 0)
    return parameter * scale ** (-weight) - rest * sp.log(scale) if not weight or not rest else parameter


def _standard(noise: Law) -> tuple[Law, Formula]:
    """Normal and exponential noise in their usual unit: quadratic with curvature one, linear with slope one."""
    eps, formula = noise.value, sp.expand(noise.log_density)
    if noise.parameters or not formula.is_polynomial(eps):
        return noise, sp.S.One
    slope = sp.expand(formula.diff(eps))
    curvature = slope.diff(eps)
    if curvature.is_number and curvature.is_negative and slope.subs(eps, 0) == 0:
        unit = 1 / sp.sqrt(-curvature)
    elif slope.is_number and slope.is_negative:
        unit = -1 / slope
    else:
        return noise, sp.S.One
    if unit == 1:
        return noise, sp.S.One
    stretched = noise.log_density.xreplace({eps: unit * eps}) + log_modulus(unit)
    support = Interval(noise.interval.lower / unit, noise.interval.upper / unit)
    return tidy(replace(noise, log_density=stretched, support=support)), unit
