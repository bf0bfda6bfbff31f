"""List all laws for the measurement of digits."""

from __future__ import annotations

from support.digit_cuts import CUTS
from support.digit_families import FAMILIES
from support.digit_references import DigitLaw
from support.digit_tails import TAILS

LAWS: tuple[DigitLaw, ...] = (*FAMILIES, *CUTS, *TAILS)
