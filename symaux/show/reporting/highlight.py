"""Mark keywords, strings, numbers and comments of Python code in HTML; every character is escaped."""

from __future__ import annotations

import html
import io
import keyword
import tokenize
from collections.abc import Iterator

CLASSES = {tokenize.STRING: "s", tokenize.NUMBER: "n", tokenize.COMMENT: "c"}
PARTS = ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END")  # of an f-string, from Python 3.12 on
CLASSES |= {getattr(tokenize, name): "s" for name in PARTS if hasattr(tokenize, name)}


def highlight(source: str) -> str:
    """Return the code as HTML with its tokens marked.

    >>> highlight("return 1 < x")
    '<span class="k">return</span> <span class="n">1</span> &lt; x'
    """
    lines = source.splitlines(keepends=True)
    made, line, column = [], 1, 0
    for kind, (start, end) in _marked(source):
        made.append(html.escape(_between(lines, (line, column), start)))
        made.append(f'<span class="{kind}">{html.escape(_between(lines, start, end))}</span>')
        line, column = end
    return "".join(made) + html.escape(_between(lines, (line, column), (len(lines) + 1, 0)))


def _marked(source: str) -> Iterator[tuple[str, tuple[tuple[int, int], tuple[int, int]]]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = "k" if token.type == tokenize.NAME and keyword.iskeyword(token.string) else CLASSES.get(token.type)
        if kind:
            yield kind, (token.start, token.end)


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return the text from one position to another; lines count from one, columns from zero."""
    if start[0] > len(lines):
        return ""
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]]
    last = lines[end[0] - 1][: end[1]] if end[0] <= len(lines) else ""
    return lines[start[0] - 1][start[1] :] + "".join(lines[start[0] : end[0] - 1]) + last
