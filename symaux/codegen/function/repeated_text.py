r"""Name the parts that occur more than once in generated code, so that a person reads and JAX traces them once.

>>> code = "jnp.where(u < 0.5, jnp.log(2 * u * w), -jnp.log(2 * u * w))"
>>> print("\n".join(name_repeated_parts("return ", code, str, least=10)))
part = jnp.log(2 * u * w)
return jnp.where(u < 0.5, part, -part)
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator

LEAST = 24  # characters: shorter parts are easier to read in place


def name_repeated_parts(head: str, expression: str, fresh: Callable[[str], str], least: int = LEAST) -> list[str]:
    """Return an assignment for each repeated part, and then the head and the expression in terms of their names."""
    if not expression.isascii():  # a message in the user's own words; ast counts its columns in bytes
        return [head + expression]
    lines, marks = [expression], list[str]()
    while part := _longest(lines, least):
        mark = f"__part_{len(lines)}__"  # names are given in the order of lines, when that is known
        first = next(place for place, line in enumerate(lines) if _holds(line, part))
        lines = [replace_part(line, part, mark) for line in lines]
        lines.insert(first, part)
        marks.insert(first, mark)
    names = {mark: fresh("part") for mark in marks}
    heads = [*(f"{name} = " for name in names.values()), head]
    return [before + _renamed(line, names) for before, line in zip(heads, lines, strict=True)]


def _renamed(line: str, names: dict[str, str]) -> str:
    for mark, name in names.items():
        line = line.replace(mark, name)
    return line


def _longest(lines: list[str], least: int) -> str | None:
    """Return the longest call or operation that occurs twice."""
    counts = Counter(line[start:end] for line in lines for start, end in _parts(line))
    repeated = [part for part, times in counts.items() if times > 1 and len(part) >= least]
    return max(repeated, key=lambda part: (len(part), part), default=None)


def _holds(line: str, part: str) -> bool:
    return any(line[start:end] == part for start, end in _parts(line))


def _parts(line: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of calls and operations, outside of lambdas, whose variables are bound there."""
    stack: list[ast.AST] = [ast.parse(line, mode="eval").body]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, ast.Call | ast.BinOp | ast.UnaryOp):
            yield node.col_offset, node.end_col_offset or 0
        stack.extend(ast.iter_child_nodes(node))


def replace_part(line: str, part: str, name: str) -> str:
    """Return the line with a name for a part, and without the parentheses around it that a name does not need."""
    for start, end in sorted(set(_parts(line)), reverse=True):
        if line[start:end] == part:
            wrapped = re.search(r"(^|[^\w\])])\($", line[:start]) and line[end : end + 1] == ")"
            start, end = (start - 1, end + 1) if wrapped else (start, end)
            line = line[:start] + name + line[end:]
    return line
