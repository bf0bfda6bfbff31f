"""List all laws for the measurement of digits."""

from __future__ import annotations

from support.digits.cuts import CUTS
from support.digits.families import FAMILIES
from support.digits.references import DigitLaw
from support.digits.tails import TAILS

LAWS: tuple[DigitLaw, ...] = (*FAMILIES, *CUTS, *TAILS)
