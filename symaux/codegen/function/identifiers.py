"""Choose Python identifiers for a model's names: a name that is not a plain identifier never reaches generated code.

>>> identifiers(["mu", "x; import os", "lambda", "lp"])
{'mu': 'mu', 'x; import os': 'x_import_os', 'lambda': 'lambda_', 'lp': 'lp_'}
"""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Iterable

from symaux.codegen import library_text as helpers

_WORDS = """
jax jnp core lax special linalg random lp position data values key keys prepare log_density generate sample_prior carry step
given moves inputs inside shapes sizes unknown missing whole SHAPES SIZES INDICES value_and_grad constrain unconstrain
STATISTICS statistics found made more kind terms
"""
TAKEN = frozenset(_WORDS.split()) | frozenset(dir(builtins)) | helpers.names()


def identifiers(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return a distinct identifier for every name: the name itself wherever that is safe."""
    used = set(taken) | TAKEN
    chosen: dict[str, str] = {}
    for name in names:
        chosen[name] = fresh_identifier(name, used)
        used.add(chosen[name])
    return chosen


def fresh_identifier(name: str, used: set[str]) -> str:
    """Return an identifier like ``name`` that is not used yet."""
    stem = identifier(name)
    while stem in used:
        stem += "_"
    return stem


def identifier(name: str) -> str:
    """Return the nearest plain ASCII identifier; Greek letters are spelled out.

    >>> identifier("θ"), identifier("2x"), identifier("__init__")
    ('theta', 'v_2x', 'init')
    """
    spelled = "".join(c if c.isascii() else _spelled(c) for c in unicodedata.normalize("NFKC", name))
    plain = re.sub(r"\W+", "_", spelled, flags=re.ASCII).strip("_")
    if not plain or plain[0].isdigit():
        plain = f"v_{plain}"
    return plain + "_" if keyword.iskeyword(plain) or keyword.issoftkeyword(plain) else plain


def _spelled(character: str) -> str:
    words = unicodedata.name(character, "").split()
    return words[-1].lower() if words and words[0] == "GREEK" else f"u{ord(character):x}"
