"""What a text may be made of, before any parsing: printable ASCII and Greek letters, of bounded length and depth.

Characters that cannot be seen, that turn the reading direction or that look like others are refused, so that what a
person reads is what the parser reads.
"""

from __future__ import annotations

import unicodedata

from symaux.errors import LanguageError
from symaux.language.locations import Place, refuse

MAX_LENGTH = 10_000
MAX_NESTING = 60
GREEK = frozenset("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ")  # no omicron, no final sigma, no capitals with a Latin twin
TWINS = {"ν": "v", "ι": "i", "κ": "k", "ρ": "p", "υ": "u", "χ": "x"}


def check_text(text: str) -> None:
    """Refuses a text that is empty, too long, too deep, or holds a character that does not belong.

    >>> check_text("a\\u202eb")
    Traceback (most recent call last):
        ...
    symaux.errors.LanguageError: line 1, column 2: the character U+202E (RIGHT-TO-LEFT OVERRIDE) is not allowed
      a�b
       ^
    """
    if not isinstance(text, str):
        raise LanguageError(f"a formula is a text, not {type(text).__name__}")
    if len(text) > MAX_LENGTH:
        raise LanguageError(f"the formula has {len(text)} characters; at most {MAX_LENGTH} are read")
    if not text.strip(" "):
        raise LanguageError("the formula is empty")
    depth = 0
    for offset, character in enumerate(text):
        if not (" " <= character <= "~" or character in GREEK):
            raise refuse(f"the character {described(character)} is not allowed", Place(text, offset))
        depth += (character in "([") - (character in ")]")
        if depth > MAX_NESTING:
            raise refuse(f"brackets are nested more than {MAX_NESTING} deep", Place(text, offset))


def described(character: str) -> str:
    """Return the code point and its name, so that an invisible character can be found.

    >>> described("ѕ")
    'U+0455 (CYRILLIC SMALL LETTER DZE)'
    """
    return f"U+{ord(character):04X} ({unicodedata.name(character, 'a control character')})"
