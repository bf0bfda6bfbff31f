"""The language of symaux: formulas and models as text, parsed by a grammar, built object by object, safe for strangers."""

from symaux.language.formulas import formula, names
from symaux.language.lawtext import family_law, law_from_text

__all__ = ["family_law", "formula", "law_from_text", "names"]
