"""Functions of whole vectors and matrices in model texts: operands, the plates that they run along, perhaps a word.

``f[i] = m + correlated(eps_f[i], K[i, j], i, j)`` is what an auxiliary form says of a multivariate normal. Their names are
followed by a parenthesis, so that variables may have them too.

>>> sorted(array_functions())[:3], spelled_word("L^-T")
(['bartlett', 'correlated', 'correlation_factor'], 'root_inverse_transposed')
"""

from __future__ import annotations

from functools import cache
from typing import Any

from symaux.errors import LanguageError
from symaux.formulas.symbols import array_functions as vectors
from symaux.formulas.symbols import matrix_functions as matrices
from symaux.formulas.symbols.array_functions import CHOLESKY, PRECISION, ArrayFunction

TURNED = {"": "", ".T": "_transposed", "^-1": "_inverse", "^-T": "_inverse_transposed"}
WORDS = {
    **{f"L{how}": f"root{said}" for how, said in TURNED.items()},  # Cholesky's factor of the matrix
    **{f"M{how}": f"lower{said}" for how, said in TURNED.items()},  # the lower triangle of the matrix itself
    **{word: word for word in (CHOLESKY, PRECISION)},
}
MEANT = {said: word for word, said in WORDS.items()}


@cache
def array_functions() -> dict[str, type[ArrayFunction]]:
    """Return the functions by their names."""
    found = [getattr(module, name) for module in (vectors, matrices) for name in module.__all__]
    return {f.function: f for f in found if isinstance(f, type) and f is not ArrayFunction}


def spelled_word(word: str) -> str:
    """Return the word of a variant as a name."""
    return WORDS[word]


def plates_needed(function: type[ArrayFunction]) -> int:
    """How many plates follow the operands."""
    return 1 + max(p for positions in (*function.along, function.out) for p in positions)


def written(printer: Any, formula: ArrayFunction) -> str:
    """Return a call as text."""
    parts = [*map(printer._print, (*formula.operands, *formula.plates)), *map(spelled_word, formula.words)]
    return f"{formula.function}({', '.join(parts)})"


def built(builder: Any, node: Any) -> ArrayFunction:
    """Return a call from its tree; the builder makes formulas and finds plates."""
    name, *arguments = node.children
    function = array_functions()[str(name)]
    operands, plates = len(function.along), plates_needed(function)
    if not operands + plates <= len(arguments) <= operands + plates + 1:
        raise builder.refuse(f"{name} takes {operands} formulas and {plates} plates, perhaps a word", node)
    formulas = [builder._finite(a) for a in arguments[:operands]]
    along = [builder._plate(node, a) for a in arguments[operands : operands + plates]]
    return function(*formulas, *along, *(_word(builder, a) for a in arguments[operands + plates :]))


def _word(builder: Any, node: Any) -> str:
    said = str(node.children[0]) if node.data == "name" else ""
    if said not in MEANT:
        raise _unknown(builder, node)
    return MEANT[said]


def _unknown(builder: Any, node: Any) -> LanguageError:
    return builder.refuse(f"the word of a function of arrays is one of {', '.join(MEANT)}", node)
