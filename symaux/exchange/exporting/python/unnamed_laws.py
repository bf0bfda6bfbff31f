"""Write variables whose laws NumPyro or PyMC lack: flat on their support, with the log-density as a term."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from symaux.exchange.exporting.spelling.boundary import masses
from symaux.exchange.exporting.spelling.natural_coordinates import Unsupported
from symaux.formulas.symbols.indices import free_plates
from symaux.formulas.symbols.support import CorrelationFactors, Interval, PositiveDefinite, Simplex, Vectors
from symaux.laws.law import Law

CONSTRAINTS = {
    Vectors: "real",
    Simplex: "simplex",
    CorrelationFactors: "corr_cholesky",
    PositiveDefinite: "positive_definite",
}


def log_density_text(law: Law, writer: Any) -> str:
    """Print the log-density of every element; that of a mixture with logsumexp, which does not underflow."""
    if not law.components:
        return writer.text(masses(law.log_density) if law.discrete else law.log_density)
    if len(law.components) == 1:
        weight, part = law.components[0]
        plates = (free_plates(weight) | free_plates(part.log_density)) - free_plates(law.value)
        if not plates:
            return f"{writer.text(sp.log(weight))} + {log_density_text(part, writer)}"
        (plate,) = plates
        inner = replace(writer, axes=(*writer.axes, plate))
        word = "jax.nn.logsumexp" if writer.module == "jnp" else "pt.logsumexp"
        return f"{word}({inner.text(sp.log(weight))} + {log_density_text(part, inner)}, axis=-1)"
    parts = [f"{writer.text(sp.log(weight))} + {log_density_text(part, writer)}" for weight, part in law.components]
    text = parts[0]
    for part in parts[1:]:
        text = f"{writer.module}.logaddexp({text}, {part})"
    return text


def declare_flat(source: Any, node: Any, law: Law, writer: Any) -> None:
    """Append the line that declares a variable on its support, with a flat density."""
    name = source.names[node.name]
    if source.kind == "numpyro":
        shape, event = source.shape(writer), source.shape(replace(writer, axes=law.event))
        made = f"dist.ImproperUniform(dist.constraints.{_constraint(law, writer)}, {shape}, {event})"
        source.lines.append(f'{name} = numpyro.sample("{name}", {made})')
        return
    shape = source.shape(writer, law.event)
    if isinstance(law.support, Simplex):
        size = source.shape(replace(writer, axes=law.event))
        source.lines.append(f'{name} = pm.Dirichlet("{name}", pt.ones({size}), shape={shape})')
        count = "*".join(writer.length(plate) for plate in writer.axes) or "1"
        term = (
            f"-{count}*pt.gammaln({size}[0])"  # cancels the constant of the uniform law, which is not part of the model
        )
        source.lines.append(f'pm.Potential("{source.fresh(f"{name}_uniform")}", {term})')
        return
    _flat_pymc(source, name, law, writer, shape)


def _flat_pymc(source: Any, name: str, law: Law, writer: Any, shape: str) -> None:
    if isinstance(law.support, CorrelationFactors | PositiveDefinite):
        raise Unsupported(f"PyMC has no free variable on {law.support}; rewritten, it is a formula of noise")
    lower, upper = _ends(law)
    if lower.is_finite is not False and upper.is_finite is not False:
        source.lines.append(f'{name} = pm.Uniform("{name}", {writer.text(lower)}, {writer.text(upper)}, shape={shape})')
        source._term(source.fresh(f"{name}_uniform"), writer, writer.text(sp.log(upper - lower)))
    elif lower == -sp.oo and upper == sp.oo:
        source.lines.append(f'{name} = pm.Flat("{name}", shape={shape})')
    elif (lower, upper) == (0, sp.oo):
        source.lines.append(f'{name} = pm.HalfFlat("{name}", shape={shape})')
    else:
        raise Unsupported(f"its support {law.support} has no flat law in PyMC")


def _ends(law: Law) -> tuple[Any, Any]:
    if isinstance(law.support, Vectors):
        return -sp.oo, sp.oo
    if not isinstance(law.support, Interval):
        raise Unsupported(f"its support {law.support} has no translation")
    return law.support.lower, law.support.upper


def _constraint(law: Law, writer: Any) -> str:
    if type(law.support) in CONSTRAINTS:
        return CONSTRAINTS[type(law.support)]
    lower, upper = _ends(law)
    if lower == -sp.oo:
        return "real" if upper == sp.oo else f"less_than({writer.text(upper)})"
    return (
        f"greater_than({writer.text(lower)})"
        if upper == sp.oo
        else f"interval({writer.text(lower)}, {writer.text(upper)})"
    )
