"""Define every error of symaux: what failed, the formula, what was tried, and what to do.

Each class has a stable ``code`` that scripts may rely on; the message is for people.
"""

from __future__ import annotations

LONGEST = 1_000  # characters of a line of a message; the middle of a longer formula is left out


class SymauxError(Exception):
    """The root of every error that symaux raises on purpose."""

    code = "symaux"

    def __str__(self) -> str:
        return "\n".join(map(_brief, super().__str__().split("\n")))


def _brief(line: str) -> str:
    """Return a line with its middle left out, if it is very long.

    >>> _brief("x" * 3000).replace("x" * 100, "C")
    'CCCCCCC ... (2,100 more characters) ... CC'
    """
    if len(line) <= LONGEST:
        return line
    return f"{line[:700]} ... ({len(line) - 900:,} more characters) ... {line[-200:]}"


class LawError(SymauxError):
    """A density, its support or a parameter is not acceptable."""

    code = "law"


class ModelError(SymauxError):
    """The statements do not form a Bayesian network."""

    code = "model"


class DataError(SymauxError):
    """The data or the position do not fit the model."""

    code = "data"


class DomainWarning(UserWarning):
    """A condition on a parameter that the model does not imply: the log-density is -inf where it fails."""


class NoRuleApplies(SymauxError):
    """No rule in the given set gives a generating function that verifies."""

    code = "no-rule"


class NotVerified(SymauxError):
    """A rewrite was made but could not be verified, so it is not used."""

    code = "not-verified"


class UnknownFunction(SymauxError):
    """A formula contains a function that has no translation to JAX."""

    code = "unknown-function"


class LanguageError(SymauxError):
    """A text is not a formula or a model of the symaux language."""

    code = "language"
