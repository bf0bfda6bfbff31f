"""Check the characters of a text before any parsing: printable ASCII and Greek letters, of bounded length and depth.

Characters that are invisible, change the direction of reading or look like others are refused, so that a person and the
parser read the same.
"""

from __future__ import annotations

import unicodedata

from symaux.errors import LanguageError
from symaux.language.locations import Location, error_at

MAX_LENGTH = 10_000
MAX_NESTING = 60
GREEK = frozenset("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ")  # no omicron, no final sigma, no capitals with a Latin twin


def check_text(text: str) -> None:
    """Raise LanguageError for a text that is empty, too long, too deep, or has a character that is not allowed.

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
            raise error_at(f"the character {describe_character(character)} is not allowed", Location(text, offset))
        depth += (character in "([") - (character in ")]")
        if depth > MAX_NESTING:
            raise error_at(f"brackets are nested more than {MAX_NESTING} deep", Location(text, offset))


def describe_character(character: str) -> str:
    """Return the code point and its name, so that an invisible character can be found.

    >>> describe_character("ѕ")
    'U+0455 (CYRILLIC SMALL LETTER DZE)'
    """
    return f"U+{ord(character):04X} ({unicodedata.name(character, 'a control character')})"
