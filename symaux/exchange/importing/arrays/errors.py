"""Define the error that lists all parts of a model without a translation, and the one for a single part."""

from __future__ import annotations

from collections.abc import Mapping

from symaux.errors import SymauxError


class NotTranslated(SymauxError):
    """Parts of another library's model have no translation; ``parts`` lists each with the reason."""

    code = "import"

    def __init__(self, source: str, parts: Mapping[str, str]) -> None:
        self.parts = dict(parts)
        listed = "\n".join(f"  {name}: {reason}" for name, reason in self.parts.items())
        super().__init__(f"this {source} model cannot be translated:\n{listed}")


class Untranslatable(Exception):
    """One part has no translation; collected into NotTranslated."""
