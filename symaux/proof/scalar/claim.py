r"""State the claim to be proved, in plain symbols: $z = g(\varepsilon)$ has the law p when $\varepsilon$ has the law q.

Elements of arrays and sums become symbols with their assumptions, conditions become charts (see
``symaux.laws.densities.charts``). No two of them share a name, and none has a name that the proof uses itself: a
parent called z is not the value called z.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from symaux.formulas.functions.elementary import defined
from symaux.formulas.symbols.assumptions import assumptions_of
from symaux.formulas.symbols.formula import Formula
from symaux.laws.densities.charts import chart
from symaux.laws.kernel import atoms, value_symbol
from symaux.laws.law import Law

OURS = re.compile(r"[etvxyz]|eps|w\d*|t_line|.*_|symaux .*")  # names that proofs give to symbols of their own


@dataclass(frozen=True)
class Claim:
    """A law, the law of one noise, and the generating function, all in plain symbols."""

    law: Law
    noise: Law
    value: Formula
    region: tuple[str, ...]
    names: tuple[tuple[Formula, Formula], ...]  # the user's atoms and the symbols that stand for them

    @property
    def parameters(self) -> list[Any]:
        """Return the symbols that are neither the value nor the noise, sorted by name."""
        formulas = (*self.law.formulas, *self.noise.formulas, self.value)
        return sorted({s for f in formulas for s in f.free_symbols} - {self.law.value, self.noise.value}, key=str)


def claim(law: Law, noise: Law, value: Formula) -> Claim:
    """Return the claim that ``value`` generates the law from the noise."""
    formulas = (*law.formulas, *noise.formulas, value, *law.conditions)
    read = sorted({a for f in formulas for a in atoms(f)} - {law.value, noise.value}, key=str)
    names = plain_symbols(read)
    z, e = value_symbol(law), sp.Symbol("eps", **value_symbol(noise).assumptions0)
    plain_law = law.substituted({**names, law.value: z})
    plain_noise = noise.substituted({**names, noise.value: e})
    charted = chart(plain_law)
    return Claim(
        in_definitions(charted.law),
        in_definitions(plain_noise.substituted(charted.forward)),
        charted.charted(value.xreplace({**names, noise.value: e})),
        chart(law).region,
        tuple((charted.charted(plain), atom) for atom, plain in names.items()),
    )


def plain_symbols(read: Iterable[Formula]) -> dict[Any, Any]:
    """Return a symbol for every atom, with its assumptions and a name of its own.

    >>> plain_symbols([sp.Symbol("mu", real=True), sp.Symbol("z", real=True), sp.Symbol("z", positive=True)])
    {mu: mu, z: z', z: z''}
    """
    names: dict[Any, Any] = {}
    taken: set[str] = set()
    for number, atom in enumerate(read):
        name = atom.name if isinstance(atom, sp.Symbol) else f"a{number}"
        while name in taken or OURS.fullmatch(name):
            name += "'"
        taken.add(name)
        names[atom] = sp.Symbol(name, **assumptions_of(atom))
    return names


def in_definitions(law: Law) -> Law:
    """Return the law in sympy's own functions."""
    return replace(law, log_density=defined(law.log_density))
