r"""Format generated lines as a formatter would: double quotes, and no line wider than the limit.

In a line that is too wide, repeated parts are named first. Then a sum gets a line per term, a call a line per argument;
in any other expression a part moves to a line of its own.

>>> print(format_source("y = jnp.where(a > 0, jnp.log(b + c), 'none')", str, width=30))
y = jnp.where(
    a > 0,
    jnp.log(b + c),
    "none",
)
"""

from __future__ import annotations

import ast
import io
import textwrap
import tokenize
from collections.abc import Callable, Iterator
from itertools import count

from symaux.codegen.function.repeated_text import name_repeated_parts, replace_part

WIDTH = 120
LIMIT = 128
Fresh = Callable[[str], str]


def format_source(text: str, fresh: Fresh, width: int = WIDTH) -> str:
    """Return the text of a function with lines that are too wide broken; ``fresh`` names the parts that move out."""
    numbers = count(1)

    def numbered(stem: str) -> str:
        return fresh(f"{stem}_{next(numbers)}")

    return "\n".join(part for line in with_double_quotes(text).split("\n") for part in _break(line, numbered, width))


def with_double_quotes(text: str) -> str:
    """Return the text with strings in double quotes, except for those that contain one.

    >>> print(with_double_quotes("f('a', b['c'])"))
    f("a", b["c"])
    """
    lines = text.split("\n")
    found = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.STRING]
    for token in reversed(found):
        (row, start), (last, end) = token.start, token.end
        if row == last and token.string.startswith("'") and '"' not in token.string and "\\" not in token.string:
            line = lines[row - 1]
            lines[row - 1] = f'{line[:start]}"{token.string[1:-1]}"{line[end:]}'
    return "\n".join(lines)


def _break(line: str, fresh: Fresh, width: int) -> Iterator[str]:
    indent = line[: len(line) - len(line.lstrip())]
    if len(line) <= width:
        yield line
    elif line.lstrip().startswith("#"):
        wrapped = textwrap.wrap(line.lstrip("# "), width - len(indent) - 2, break_long_words=False)
        yield from (f"{indent}# {part}" for part in wrapped)
    else:
        yield from _statement(indent, line.strip(), fresh, width)


def _statement(indent: str, line: str, fresh: Fresh, width: int) -> Iterator[str]:
    """Yield an assignment, a return or a call, broken."""
    head, expression = _split_statement(line)
    if expression is None:
        yield _unbroken(indent, line)
        return
    *parts, last = name_repeated_parts(head, expression, fresh)
    if parts:
        yield from (
            piece for part in (*parts, last) for piece in _break(indent + with_double_quotes(part), fresh, width)
        )
        return
    terms = _terms(ast.parse(expression, mode="eval").body, expression)
    call = _call(expression)
    room = width - len(indent) - 4
    if len(terms) > 2 and all(len(term) <= room for term in terms):
        yield from (f"{indent}{head}(", *(f"{indent}    {term}" for term in terms), f"{indent})")
    elif call is not None and all(len(part) < room for part in call[1]):
        yield from (f"{indent}{head}{call[0]}(", *(f"{indent}    {part}," for part in call[1]), f"{indent})")
    elif (part := _part(expression, room - 12)) is not None:
        name = fresh("part")
        yield from _break(f"{indent}{name} = {part}", fresh, width)
        yield from _break(f"{indent}{head}{replace_part(expression, part, name)}", fresh, width)
    else:
        yield _unbroken(indent, line)


def _unbroken(indent: str, line: str) -> str:
    """Return a line that cannot be broken, as when all of it depends on the variable of a lambda."""
    return f"{indent}{line}  # fmt: skip{'  # noqa: E501' if len(indent + line) + 14 > LIMIT else ''}"


def _split_statement(line: str) -> tuple[str, str | None]:
    """Split a line into ``x = ``, ``return `` or nothing, and the expression after it."""
    try:
        (statement,) = ast.parse(line).body
    except SyntaxError:
        return "", None
    match statement:
        case ast.Assign() | ast.Return() | ast.Expr() if statement.value is not None:
            start = statement.value.col_offset
            start = start - 1 if line[start - 1 : start] == "(" else start
            return line[:start], line[start:]
    return "", None


def _terms(node: ast.expr, text: str) -> list[str]:
    """Return the terms of a sum, each but the first with its sign."""
    signs: list[str] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and node.col_offset == 0:
        end = _end(node.left, text)
        signs.insert(0, text[end:].strip())
        text, node = text[:end], node.left
    return [text, *signs]


def _end(node: ast.expr, text: str) -> int:
    """Return the end of an operand, including the parentheses around it."""
    end = node.end_col_offset or 0
    while text[end : end + 1] == ")":
        end += 1
    return end


def _call(expression: str) -> tuple[str, list[str]] | None:
    """Return the function and the arguments of a call."""
    node = ast.parse(expression, mode="eval").body
    if not isinstance(node, ast.Call) or not (node.args or node.keywords):
        return None
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    words = [*("" for _ in node.args), *(f"{keyword.arg}=" for keyword in node.keywords)]
    parts = [f"{word}{ast.get_source_segment(expression, part)}" for word, part in zip(words, given, strict=True)]
    return expression[: node.func.end_col_offset], parts


def _part(expression: str, room: int) -> str | None:
    """Return the widest part of an expression that fits on a line and does not depend on the variable of a lambda."""
    found: list[str] = []
    stack: list[ast.AST] = list(ast.iter_child_nodes(ast.parse(expression, mode="eval").body))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, ast.Call | ast.BinOp):
            found.append(ast.get_source_segment(expression, node) or "")
        stack.extend(ast.iter_child_nodes(node))
    fits = [part for part in found if 20 < len(part) <= room]
    return max(fits, key=len, default=None)
