"""Read and write models and formulas as text.

The text is parsed by a grammar (Lark) and built object by object: nothing is evaluated, sizes are bounded, errors
point at the place. Printing is the inverse of parsing. Read ``grammar.py`` first, then ``parse.py``.
"""

from symaux.language.formulas import formula, names
from symaux.language.law_from_text import family_law, law_from_text

__all__ = ["family_law", "formula", "law_from_text", "names"]
