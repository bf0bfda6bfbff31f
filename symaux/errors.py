"""Every error of symaux: what failed, the formula, what was tried, and what to do.

Each class has a stable ``code`` that scripts may rely on; the message is for people.
"""

from __future__ import annotations


class SymauxError(Exception):
    """The root of every error that symaux raises on purpose."""

    code = "symaux"


class LawError(SymauxError):
    """A density, its support or a parameter is not acceptable."""

    code = "law"


class ModelError(SymauxError):
    """The statements do not make a Bayesian network."""

    code = "model"


class DataError(SymauxError):
    """The data or the position do not fit the model."""

    code = "data"


class NoRuleApplies(SymauxError):
    """No rule in the given set gives a generating function that verifies."""

    code = "no-rule"


class NotVerified(SymauxError):
    """A rewrite was made but could not be verified, so it is not used."""

    code = "not-verified"


class UnknownFunction(SymauxError):
    """A formula holds a function that has no translation to JAX."""

    code = "unknown-function"


class LanguageError(SymauxError):
    """A text is not a formula or a model of the symaux language."""

    code = "language"
