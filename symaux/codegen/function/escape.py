"""Names and formulas of a model as text inside generated source: on one line, and never able to end what holds them."""

from __future__ import annotations

import re


def comment(text: str) -> str:
    r"""Return one printable line.

    >>> comment("a\nb\x00c")
    'a b c'
    """
    return re.sub(r"\s+", " ", "".join(c if c.isprintable() else " " for c in text)).strip()


def docstring(text: str) -> str:
    r"""Text that is safe between triple quotes.

    >>> print(docstring("end" + 3 * chr(34) + " + x"))
    end''' + x
    """
    lines = (comment_keep_indent(line) for line in text.splitlines())
    return "\n".join(lines).replace("\\", "\\\\").replace('"""', "'''")


def comment_keep_indent(line: str) -> str:
    """Return a printable line with its indentation."""
    indent = len(line) - len(line.lstrip(" "))
    return " " * indent + comment(line)
