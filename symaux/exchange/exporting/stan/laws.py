"""Print the log-density of one element in Stan: as one of its distributions, a mixture of them, or the formula."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.exchange.exporting.spelling.boundary import masses
from symaux.exchange.exporting.spelling.fractions import logistic_argument
from symaux.exchange.exporting.spelling.tables import STAN_LAWS, Family
from symaux.exchange.exporting.stan.formulas import Chunk, StanPrinter
from symaux.formulas.symbols.indices import free_plates
from symaux.laws.law import Law

HALVES = {"half_normal": ("normal", "0, {0}"), "half_cauchy": ("cauchy", "0, {0}")}
# laws that Stan also has on the scale of a link, where nothing overflows: position of the argument, link, name
LINKED = {
    "bernoulli": (0, logistic_argument, "bernoulli_logit"),
    "binomial": (1, logistic_argument, "binomial_logit"),
    "poisson": (0, lambda p: _exponent(p), "poisson_log"),
    "neg_binomial_2": (0, lambda p: _exponent(p), "neg_binomial_2_log"),
}


def log_density_text(printer: StanPrinter, law: Law) -> str:
    """Print the log-density of a law, with all its constants."""
    if law.components:
        return _mixture(printer, law)
    if law.spelling is None:
        return printer._print(masses(law.log_density) if law.discrete else law.log_density)
    name, arguments = law.spelling.family, list(law.spelling.arguments)
    value = printer._print(law.value)
    if name in HALVES:
        family, template = HALVES[name]
        return f"{family}_lpdf({value} | {template.format(*map(printer._print, arguments))}) + log(2)"
    if name not in STAN_LAWS or (name == "binomial" and not printer.is_whole(arguments[0])):
        return printer._print(masses(law.log_density) if law.discrete else law.log_density)
    kind = "lpmf" if law.discrete else "lpdf"
    family_of = _on_link(name, arguments)
    return f"{family_of.name}_{kind}({value} | {family_of.arguments.format(*map(printer._print, arguments))})"


def _exponent(formula: Any) -> Any:
    return formula.args[0] if isinstance(formula, sp.exp) else None


def _on_link(name: str, arguments: list[Any]) -> Family:
    """Return Stan's distribution; replace an argument that is a logistic or exponential by the one on the link scale."""
    family = STAN_LAWS[name]
    if name in LINKED:
        place, link, linked = LINKED[name]
        if (inner := link(arguments[place])) is not None:
            arguments[place] = inner
            return Family(linked, family.arguments)
    return family


def _mixture(printer: StanPrinter, law: Law) -> str:
    """Print a mixture with log_sum_exp: far from all components the sum of densities would underflow."""
    if len(law.components) > 1:
        parts = [f"{_logarithm(printer, w)} + {log_density_text(printer, part)}" for w, part in law.components]
        return f"log_sum_exp({{{', '.join(parts)}}})"
    weight, part = next(iter(law.components))
    plates = (free_plates(weight) | free_plates(part.log_density)) - free_plates(law.value)
    if not plates:
        return f"{_logarithm(printer, weight)} + {log_density_text(printer, part)}"
    (plate,) = plates
    name = printer.names.fresh("parts")
    lines = printer.fill_elements(
        f"vector[{printer.names.size(plate)}]",
        name,
        [plate],
        lambda p, at: [f"{at} = {_logarithm(p, weight)} + {log_density_text(p, part)};"],
    )
    depends = free_plates(law.log_density) | free_plates(law.value)
    printer.chunks.append(Chunk(tuple(lines), frozenset(depends)))
    return f"log_sum_exp({name})"


def _logarithm(printer: StanPrinter, weight: Any) -> str:
    return f"log({printer._print(weight)})"
