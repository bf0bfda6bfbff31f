"""Take the paper's example through everything: a chain z1 → z2 → z3, each with its observation x."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symaux.model.model import Model
from symaux.rules.derivation import Derivation

OBSERVED = {"x1": 0.5, "x2": -1.0, "x3": 2.0}
NOISE = {"eps_z1": 0.3, "eps_z2": -0.4, "eps_z3": 0.8}


@dataclass(frozen=True)
class Demo:
    """The files of the demo by name, its summary, and whether everything was verified."""

    files: dict[str, str | bytes]
    summary: str
    verified: bool


def chain() -> Model:
    """Return the model of figure 2(a) of Kingma (2013).

    >>> print(chain())
    z1 ~ normal(0, 1)
    z2 ~ normal(z1, 1)
    z3 ~ normal(z2, 1)
    observe x1 ~ normal(z1, 1)
    observe x2 ~ normal(z2, 1)
    observe x3 ~ normal(z3, 1)
    """
    import sympy as sp

    from symaux.laws.families import normal

    z1, z2, z3, x1, x2, x3 = sp.symbols("z1:4 x1:4", real=True)
    return Model.of(
        normal(z1, 0, 1),
        normal(z2, z1, 1),
        normal(z3, z2, 1),
        normal(x1, z1, 1),
        normal(x2, z2, 1),
        normal(x3, z3, 1),
        observed=[x1, x2, x3],
    )


def demo() -> Demo:
    """Derive, verify, draw and compile the chain; all three latents are rewritten, as in figure 2(b)."""
    import symaux as sa

    aux = sa.auxiliary(chain(), keep_roots=False)
    verdict = aux.verify()
    text = "\n".join(
        ["original", indent(aux.before), "auxiliary form", indent(aux.after), "", str(aux), "", str(verdict)]
    )
    files: dict[str, str | bytes] = {
        "derivation.txt": text + "\n",
        "chain.svg": sa.render(aux, focus="z1"),
        "chain.png": sa.render(aux, focus="z1", format="png"),
        "chain_aux.py": sa.to_source(aux.after),
        "report.html": sa.report(aux, "The chain of Kingma (2013)"),
    }
    return Demo(files, "\n".join([*_distances(aux), "", str(verdict), "", *_numbers(aux)]), bool(verdict))


def indent(thing: Any) -> str:
    """Return the text with every line two spaces in."""
    return "\n".join(f"  {line}" for line in str(thing).split("\n"))


def _distances(aux: Derivation) -> list[str]:
    from symaux.analysis.blanket import markov_blanket
    from symaux.analysis.information import information_distance

    before, after = (information_distance(side, "x3", "z1") for side in (aux.before, aux.after))
    lines = [f"x3 reaches z1 after {_steps(before)} in the original and after {_steps(after)} in auxiliary form"]
    for words, side, name in (("original", aux.before, "z1"), ("auxiliary form", aux.after, "eps_z1")):
        lines.append(f"  {words}: the Markov blanket of {name} is {', '.join(sorted(markov_blanket(side, name)))}")
    return lines


def _steps(count: float) -> str:
    return f"{count} gradient step{'s' if count != 1 else ''}"


def _numbers(aux: Derivation) -> list[str]:
    import jax

    import symaux as sa

    logp = sa.log_density(aux.after, data=OBSERVED)
    value, gradient = jax.jit(jax.value_and_grad(logp))(NOISE)
    lines = [f"log p(x, eps) = {float(value):.5f} at " + ", ".join(f"{k} = {v}" for k, v in NOISE.items())]
    return lines + [f"  gradient in {name}: {float(gradient[name]):.5f}" for name in NOISE]
