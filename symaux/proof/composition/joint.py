r"""State the claim that $z = g(\varepsilon_1, \dots, \varepsilon_n)$ has the law p, in plain symbols.

Given all noises but one, g is a chain of strictly monotone layers in that one; so z has the density
$q_1(h)\,|\partial h/\partial z|$ on the image, with h the inverse.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from symaux.formulas.algebra.monotone_chain import MonotoneChain
from symaux.formulas.functions.elementary import defined
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import Interval
from symaux.laws.densities.charts import chart
from symaux.laws.kernel import atoms, value_symbol
from symaux.laws.law import Law
from symaux.proof.scalar.claim import in_definitions, plain_symbols
from symaux.sandbox import run_bounded, value_or

SECONDS = 2.0
JUMPS = (
    sp.Piecewise,
    sp.sign,
    sp.Heaviside,
    sp.floor,
    sp.ceiling,
    sp.frac,
    sp.Mod,
    sp.KroneckerDelta,
    sp.DiracDelta,
    sp.arg,
)


@dataclass(frozen=True)
class Joint:
    """A law, the laws of its noises, and the generating function, all in plain symbols."""

    law: Law
    noise: tuple[Law, ...]
    value: Formula
    region: tuple[str, ...]

    @property
    def parameters(self) -> list[sp.Symbol]:
        """Return the symbols that are neither the value nor a noise, sorted by name."""
        formulas = [*self.law.formulas, self.value, *(f for n in self.noise for f in n.formulas)]
        values = {self.law.value, *(n.value for n in self.noise)}
        return sorted({s for f in formulas for s in f.free_symbols} - values, key=str)


@dataclass(frozen=True)
class Conditional:
    """The law of z given some of the noises: the interval that z runs through, and the log-density there."""

    image: Interval
    log_density: Formula
    given: tuple[Law, ...]


def find_flaw(law: Law, noise: tuple[Law, ...], value: Formula) -> str | None:
    """Return what makes a claim about several noises meaningless; None if nothing does."""
    values = [n.value for n in noise]
    if len(set(values)) < len(values):
        return "two noises have the same symbol: they would not be independent"
    if any(set(values) & (atoms(f) - {n.value}) for n in noise for f in n.formulas):
        return "the law of a noise depends on another noise: they are not independent"
    if law.value in atoms(value) - set(values) or any(
        law.value in atoms(f) - {n.value} for n in noise for f in n.formulas
    ):
        return "the generating function reads the value that it generates"
    if any(v not in atoms(value) for v in values):
        return "a noise is not read by the generating function"
    if value.has(*JUMPS):
        return "the generating function may jump: only continuous functions of several noises are known here"
    return None


def joint_claim(law: Law, noise: tuple[Law, ...], value: Formula) -> Joint:
    """Return the claim that ``value`` generates the law from independent noises."""
    formulas = (*law.formulas, *(f for n in noise for f in n.formulas), value, *law.conditions)
    values = {law.value, *(n.value for n in noise)}
    read = sorted({a for f in formulas for a in atoms(f)} - values, key=str)
    names = plain_symbols(read)
    symbols = {n.value: sp.Symbol(f"eps_{k}_", **value_symbol(n).assumptions0) for k, n in enumerate(noise, 1)}
    charted = chart(law.substituted({**names, law.value: sp.Symbol("z_", **value_symbol(law).assumptions0)}))
    return Joint(
        in_definitions(charted.law),
        tuple(
            in_definitions(n.substituted({**names, n.value: symbols[n.value]}).substituted(charted.forward))
            for n in noise
        ),
        defined(charted.charted(value.xreplace({**names, **symbols}))),
        chart(law).region,
    )


def conditional_law(made: Joint, first: int) -> Conditional | None:
    """Return the law of z given all noises but one; None where g is not known to be monotone in it."""
    noise = made.noise[first]
    chain = MonotoneChain.of(made.value, noise.value, noise.interval)
    if chain is None:
        return None
    inverse = defined(chain.inverse(made.law.value))
    slope = inverse.diff(made.law.value)
    # Exponents may have many digits, so factoring is bounded in time.
    slope = log_modulus(value_or(run_bounded(sp.factor, slope, seconds=SECONDS), slope))
    density = noise.log_density.xreplace({noise.value: inverse}) + slope
    return Conditional(chain.image, density, (*made.noise[:first], *made.noise[first + 1 :]))
