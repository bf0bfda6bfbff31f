"""Read the assumptions that sympy knows of a formula, to make a symbol like it.

>>> import sympy as sp
>>> assumptions_of(sp.exp(sp.Symbol("x", real=True))), sign_word(sp.Symbol("k", negative=True))
({'positive': True, 'nonnegative': True}, 'negative')
"""

from __future__ import annotations

from symaux.formulas.symbols.formula import Formula

SIGNS = ("positive", "negative", "nonnegative", "nonpositive")  # the strongest first
WORDS = (*SIGNS, "integer")


def assumptions_of(formula: Formula) -> dict[str, bool]:
    """Return what is known of the sign of a formula and whether it is whole; that it is real, if nothing is."""
    return {word: True for word in WORDS if getattr(formula, f"is_{word}")} or {"real": True}


def sign_word(formula: Formula) -> str | None:
    """Return the strongest word for the sign of a formula; None if nothing is known of it."""
    return next((word for word in SIGNS if getattr(formula, f"is_{word}")), None)
