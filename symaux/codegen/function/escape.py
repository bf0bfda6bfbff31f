"""Escape names and formulas of a model for generated source, so that they cannot end the comment or string around them."""

from __future__ import annotations

import re


def escape_comment(text: str) -> str:
    r"""Return a text as one printable line.

    >>> escape_comment("a\nb\x00c")
    'a b c'
    """
    return re.sub(r"\s+", " ", "".join(c if c.isprintable() else " " for c in text)).strip()


def escape_docstring(text: str) -> str:
    r"""Return a text that is safe between triple quotes.

    >>> print(escape_docstring("end" + 3 * chr(34) + " + x"))
    end''' + x
    """
    lines = (escape_indented(line) for line in text.splitlines())
    return "\n".join(lines).replace("\\", "\\\\").replace('"""', "'''")


def escape_indented(line: str) -> str:
    """Return a printable line with its indentation."""
    indent = len(line) - len(line.lstrip(" "))
    return " " * indent + escape_comment(line)
