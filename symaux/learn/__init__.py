r"""Inference and learning in either form: BlackJAX samples, Optax climbs, and symaux supplies $\log p(x, \varepsilon)$.

``sample`` draws from the posterior (NUTS or HMC), ``map`` climbs to a joint mode, ``mcem`` learns parameters by Monte Carlo EM
(Kingma 2013), ``marginal_likelihood`` estimates $\log p(x)$ by annealed importance sampling. Each takes a model, whose
``form`` is "auxiliary" or "original", or a derivation, whose outcome is used as it is. Values are reported under the
names of the user's own variables.

Needs the extra ``infer`` (BlackJAX, Optax, ArviZ); everything loads when it is first used.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "Diagnosis": ("symaux.learn.diagnosis", "Diagnosis"),
    "Evidence": ("symaux.learn.evidence", "Evidence"),
    "Learnt": ("symaux.learn.em", "Learnt"),
    "Mode": ("symaux.learn.modes", "Mode"),
    "UnboundedDensity": ("symaux.learn.rays", "UnboundedDensity"),
    "diagnose": ("symaux.learn.diagnosis", "diagnose"),
    "map": ("symaux.learn.modes", "joint_map"),
    "marginal_likelihood": ("symaux.learn.evidence", "marginal_likelihood"),
    "mcem": ("symaux.learn.em", "mcem"),
    "sample": ("symaux.learn.posterior", "sample"),
}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"symaux.learn has no {name!r}")
    module, own = _HOME[name]
    value = getattr(importlib.import_module(module), own)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
