r"""Infer and learn in either form: BlackJAX samples, Optax optimises, and symaux supplies $\log p(x, \varepsilon)$.

``sample`` draws from the posterior (NUTS or HMC), ``map`` climbs to a joint mode, ``mcem`` learns parameters by Monte
Carlo EM (Kingma 2013), ``marginal_likelihood`` estimates $\log p(x)$ by annealed importance sampling. Each takes a
model, whose ``form`` is "auxiliary" or "original", or a derivation, whose outcome is used as it is. Values are
reported under the names of the user's own variables.

Needs the extra ``infer`` (BlackJAX, Optax, ArviZ); everything loads when it is first used. Read ``posterior.py`` first,
then ``compiled_model.py``.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "Diagnosis": ("symaux.learn.diagnostics", "Diagnosis"),
    "Evidence": ("symaux.learn.ais", "Evidence"),
    "Learnt": ("symaux.learn.monte_carlo_em", "Learnt"),
    "Mode": ("symaux.learn.joint_map", "Mode"),
    "UnboundedDensity": ("symaux.learn.unbounded_modes", "UnboundedDensity"),
    "diagnose": ("symaux.learn.diagnostics", "diagnose"),
    "map": ("symaux.learn.joint_map", "joint_map"),
    "marginal_likelihood": ("symaux.learn.ais", "marginal_likelihood"),
    "mcem": ("symaux.learn.monte_carlo_em", "mcem"),
    "sample": ("symaux.learn.posterior", "sample"),
}
__all__ = sorted(_HOME)  # pyright: ignore[reportUnsupportedDunderAll] -- the stub lists them


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"symaux.learn has no {name!r}")
    module, own = _HOME[name]
    value = getattr(importlib.import_module(module), own)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
