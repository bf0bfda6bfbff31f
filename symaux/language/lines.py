"""Clean the text of a model for the grammar: blank out comments and join lines inside brackets.

Every character keeps its offset, so that a location in the result is the same location in the original text.
"""

from __future__ import annotations

from symaux.errors import LanguageError
from symaux.language.input_checks import GREEK, MAX_NESTING, describe_character
from symaux.language.locations import Location, error_at

MAX_TEXT = 1_000_000
MAX_SIZE = 120_000
MAX_STATEMENTS = 5_000
PAIRS = {")": "(", "]": "[", "}": "{"}
BLANK = {"\t": " ", "\r": " "}


def clean_text(text: str) -> str:
    """Return the text without comments and with every statement on one line; raise LanguageError for invisible characters.

    >>> clean_text("x ~ normal(0, # the mean\\n  1)")
    'x ~ normal(0,              1)'
    """
    if not isinstance(text, str):
        raise LanguageError(f"a model is a text, not {type(text).__name__}")
    if len(text) > MAX_TEXT:
        raise LanguageError(f"the model has {len(text)} characters; at most {MAX_TEXT} are read")
    made: list[str] = []
    opened: list[int] = []
    comment = False
    for offset, character in enumerate(text):
        comment = (comment or character == "#") and character != "\n"
        _check_character(text, offset, comment)
        if not comment:
            _follow_brackets(text, offset, opened)
        joined = character == "\n" and opened
        made.append(" " if comment or joined else BLANK.get(character, character))
    if opened:
        raise error_at(f"this {text[opened[-1]]!r} is never closed", Location(text, opened[-1]))
    return _of_bounded_size("".join(made))


def _of_bounded_size(made: str) -> str:
    """Return the cleaned text; raise LanguageError if it is too much to parse, comments and spaces not counted."""
    statements = sum(1 for line in made.split("\n") if line.strip())
    if statements > MAX_STATEMENTS:
        raise LanguageError(f"the model has {statements} statements; at most {MAX_STATEMENTS} are read")
    if (size := len(made) - made.count(" ")) > MAX_SIZE:
        raise LanguageError(f"the model has {size} characters without spaces and comments; at most {MAX_SIZE} are read")
    return made


def _check_character(text: str, offset: int, comment: bool) -> None:
    character = text[offset]
    if " " <= character <= "~" or character in "\n\t" or character in GREEK:
        return
    if (character == "\r" and text[offset + 1 : offset + 2] == "\n") or (comment and character.isprintable()):
        return
    raise error_at(f"the character {describe_character(character)} is not allowed", Location(text, offset))


def _follow_brackets(text: str, offset: int, opened: list[int]) -> None:
    character = text[offset]
    if character in "([{":
        opened.append(offset)
        if len(opened) > MAX_NESTING:
            raise error_at(f"brackets are nested more than {MAX_NESTING} deep", Location(text, offset))
    elif character in PAIRS:
        if not opened or text[opened[-1]] != PAIRS[character]:
            raise error_at(f"this {character!r} closes nothing", Location(text, offset))
        opened.pop()
