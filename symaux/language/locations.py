"""Point at a location in a text: line, column, an excerpt with a caret, and the error that shows them."""

from __future__ import annotations

from dataclasses import dataclass

from symaux.errors import LanguageError

WIDTH = 100  # of the excerpt; a long line is shown around the location


@dataclass(frozen=True)
class Location:
    """An offset into a text.

    >>> place = Location("a + b$", 5)
    >>> place.line, place.column
    (1, 6)
    >>> print(place.picture)
      a + b$
           ^
    """

    text: str
    offset: int

    @property
    def line(self) -> int:
        return self.text.count("\n", 0, self.offset) + 1

    @property
    def column(self) -> int:
        return self.offset - (self.text.rfind("\n", 0, self.offset) + 1) + 1

    @property
    def line_text(self) -> str:
        """Return the line that the location is on."""
        return self.text[self.offset - self.column + 1 :].split("\n", 1)[0]

    @property
    def picture(self) -> str:
        """Return the line with a caret under the location; unprintable characters are replaced."""
        line = self.line_text
        before = max(0, self.column - 1 - WIDTH // 2)
        shown = "".join(map(_visible, line[before : before + WIDTH]))
        return f"  {shown}\n  {' ' * (self.column - 1 - before)}^"


def _visible(character: str) -> str:
    return character if character.isprintable() else "\ufffd"


def error_at(message: str, place: Location) -> LanguageError:
    """Return the error that points at a location in a text.

    >>> print(error_at("a formula has no '$'", Location("a + b$", 5)))
    line 1, column 6: a formula has no '$'
      a + b$
           ^
    """
    return LanguageError(f"line {place.line}, column {place.column}: {message}\n{place.picture}")
