"""The rule library. ``RULES`` is tried in this order; ``SIMPLIFICATIONS`` is what code generation uses.

>>> [rule.name for rule in RULES]
['location_scale', 'monotone', 'inverse_cdf', 'probit']
"""

from __future__ import annotations

from typing import Any

from rewrites.inverse_cdf import inverse_cdf
from rewrites.location_scale import location_scale
from rewrites.monotone import monotone
from rewrites.probit import probit
from symaux.rule import Rule

RULES: tuple[Rule, ...] = (location_scale, monotone, inverse_cdf, probit)
SIMPLIFICATIONS: tuple[Any, ...] = ()
