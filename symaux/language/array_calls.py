"""Parse and print functions of whole vectors and matrices in model texts.

A call has operands, the plates that they run along, and perhaps the name of a variant.

``f[i] = m + correlated(eps_f[i], K[i, j], i, j)`` occurs in the auxiliary form of a multivariate normal. A name
is that of a function only before a parenthesis, so that variables may have it too.

>>> sorted(array_functions())[:3], word_name("L^-T")
(['bartlett', 'correlated', 'correlation_factor'], 'root_inverse_transposed')
"""

from __future__ import annotations

from functools import cache
from typing import Any

from symaux.errors import LanguageError
from symaux.formulas.symbols import array_functions as vectors
from symaux.formulas.symbols import matrix_functions as matrices
from symaux.formulas.symbols.array_functions import CHOLESKY, PRECISION, ArrayFunction

VARIANTS = {"": "", ".T": "_transposed", "^-1": "_inverse", "^-T": "_inverse_transposed"}
WORDS = {
    **{f"L{how}": f"root{said}" for how, said in VARIANTS.items()},  # Cholesky's factor of the matrix
    **{f"M{how}": f"lower{said}" for how, said in VARIANTS.items()},  # the lower triangle of the matrix itself
    **{word: word for word in (CHOLESKY, PRECISION)},
}
WORD_BY_NAME = {said: word for word, said in WORDS.items()}


@cache
def array_functions() -> dict[str, type[ArrayFunction]]:
    """Return the array functions by their names."""
    found = [getattr(module, name) for module in (vectors, matrices) for name in module.__all__]
    return {f.function: f for f in found if isinstance(f, type) and f is not ArrayFunction}


def word_name(word: str) -> str:
    """Return the name of a variant in the language."""
    return WORDS[word]


def plate_count(function: type[ArrayFunction]) -> int:
    """Return how many plates follow the operands of a function."""
    return 1 + max(p for positions in (*function.along, function.out) for p in positions)


def print_call(printer: Any, formula: ArrayFunction) -> str:
    """Print a call of an array function."""
    parts = [*map(printer._print, (*formula.operands, *formula.plates)), *map(word_name, formula.words)]
    return f"{formula.function}({', '.join(parts)})"


def build_call(builder: Any, node: Any) -> ArrayFunction:
    """Build a call from its tree; the builder makes the operands and finds the plates."""
    name, *arguments = node.children
    function = array_functions()[str(name)]
    operands, plates = len(function.along), plate_count(function)
    if not operands + plates <= len(arguments) <= operands + plates + 1:
        raise builder.error(f"{name} takes {operands} formulas and {plates} plates, perhaps a word", node)
    formulas = [builder._finite(a) for a in arguments[:operands]]
    along = [builder._plate(node, a) for a in arguments[operands : operands + plates]]
    return function(*formulas, *along, *(_word(builder, a) for a in arguments[operands + plates :]))


def _word(builder: Any, node: Any) -> str:
    said = str(node.children[0]) if node.data == "name" else ""
    if said not in WORD_BY_NAME:
        raise _unknown(builder, node)
    return WORD_BY_NAME[said]


def _unknown(builder: Any, node: Any) -> LanguageError:
    return builder.error(f"the word of a function of arrays is one of {', '.join(WORD_BY_NAME)}", node)
