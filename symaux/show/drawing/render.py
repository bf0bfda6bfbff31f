"""Draw models: observed shaded, latent open, deterministic a diamond, inputs small, plates as they overlap.

>>> import sympy as sp
>>> from symaux.laws.families import normal
>>> from symaux.model.model import Model
>>> mu, x = sp.symbols("mu x", real=True)
>>> drawn = render(Model.of(normal(mu, 0, 1), normal(x, mu, 2), observed=[x]), focus=mu)
>>> drawn.count('class="node')
2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import networkx as nx

from symaux.analysis.time_slice import slice_time_series, time_axes
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic
from symaux.rules.derivation import Derivation
from symaux.rules.form import AuxiliaryForm
from symaux.show.drawing import dot, raster, tikz
from symaux.show.drawing import svg as _svg
from symaux.show.drawing.diagram import Diagram, RenderError, diagram, with_shades, with_widths
from symaux.show.drawing.factor_diagram import factor_diagram
from symaux.show.drawing.picture import Picture, picture

Network = Model | nx.DiGraph
FORMATS: dict[str, Callable[[Picture], str | bytes]] = {
    "svg": _svg.write,
    "png": lambda drawn: raster.write(drawn, "png"),
    "pdf": lambda drawn: raster.write(drawn, "pdf"),
    "dot": dot.write,
    "tikz": tikz.write,
}
TITLES = ("original", "auxiliary form")
CHOSEN = ("original", "chosen forms")
VIEWS: dict[str, Callable[[Network, Any], Diagram]] = {
    "network": diagram,
    "factors": factor_diagram,
    "slice": lambda network, focus: diagram(_slice(network), focus),
}


def render(
    x: Any,
    focus: Any = None,
    format: str = "svg",
    *,
    view: str = "network",
    legend: bool = True,
    titles: Any = None,
    flow: Any = None,
) -> Any:
    """Return the picture of a model, a derivation (before and after), a law, a form, or an unrolled graph.

    Text for svg, dot and tikz, bytes for png and pdf. With a ``focus`` its Markov blanket is marked; where the focus
    was rewritten, the blanket is that of its noise. ``view="factors"`` draws the factor graph, deterministic nodes passed
    through; ``view="slice"`` the first steps of a time series. Where it was chosen how far to rewrite each variable, the
    variables are shaded by it. ``flow`` makes arrows as broad as the weights that
    ``sa.measured_flow`` gives: one dict from edges to weights, or one for each form.
    """
    if format not in FORMATS:
        raise RenderError(f"no format {format!r}; there are {', '.join(FORMATS)}")
    if view not in VIEWS:
        raise RenderError(f"no view {view!r}; there are {', '.join(VIEWS)}")
    networks = _networks(x)
    choice = x.choice if isinstance(x, Derivation) else None
    titles = titles or ((CHOSEN if choice else TITLES) if len(networks) == 2 else ("",))
    shown = [VIEWS[view](network, focus) for network in networks]
    if choice:
        shown[-1] = with_shades(shown[-1], {name: choice.mean(name) for name in choice.weights})
    if flow is not None:
        flows = [flow] * len(shown) if isinstance(flow, Mapping) else flow
        shown = [with_widths(drawn, weights) for drawn, weights in zip(shown, flows, strict=True)]
    return FORMATS[format](picture(shown, titles, legend=legend))


def _slice(network: Network) -> Network:
    if not isinstance(network, Model):
        raise RenderError("a slice is cut from a model, not from a graph")
    if not time_axes(network):
        raise RenderError("the model has no time axis to cut a slice from: nothing in it looks back, as z[t - 1] does")
    return slice_time_series(network)


def svg(x: Any, focus: Any = None) -> str:
    """Return the picture as SVG, for notebooks."""
    return render(x, focus, "svg")


def _networks(x: Any) -> tuple[Model | nx.DiGraph, ...]:
    match x:
        case Model() | nx.DiGraph():
            return (x,)
        case Law():
            return (Model.derived(x),)
        case AuxiliaryForm():
            return (Model.derived(x.law), Model.derived(*x.noise, Deterministic(x.law.value, x.value)))
        case Derivation():
            return tuple(n for side in (x.before, x.after) for n in _networks(side)[-1:])
        case (before, after):
            return (*_networks(before), *_networks(after))
    raise RenderError(f"expected a model, a derivation, a law, a form or a networkx graph, not {type(x).__name__}")


__all__ = ["FORMATS", "RenderError", "render", "svg"]
