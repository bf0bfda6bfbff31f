"""The grammar of formulas: arithmetic as statisticians write it, ``^`` and ``**`` alike, and nothing that is code.

>>> print(tree("a*z^2").data)
product
"""

from __future__ import annotations

from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from symaux.language.places import Place, refuse

GRAMMAR = r"""
    ?start: sum

    ?sum: product (SIGN product)*
    ?product: unary (OVER_TIMES unary)*
    ?unary: SIGN unary -> signed
          | power
    ?power: atom [POWER unary]
    ?atom: NUMBER -> number
         | NAME -> name
         | NAME "(" [argument ("," argument)*] ")" -> call
         | NAME "[" sum ("," sum)* "]" -> element
         | "(" sum ")"
    ?argument: sum
             | sum COMPARE sum -> comparison

    SIGN: "+" | "-"
    OVER_TIMES: "*" | "/"
    POWER: "**" | "^"
    COMPARE: "<=" | ">=" | "<" | ">"
    NUMBER: /(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?/
    NAME: /[A-Za-zα-ωΓΔΘΛΞΠΣΦΨΩ_][A-Za-z0-9α-ωΓΔΘΛΞΠΣΦΨΩ_]*/
    %ignore " "
"""

WORDS = {
    "SIGN": "'+' or '-'",
    "OVER_TIMES": "'*' or '/'",
    "POWER": "'**'",
    "COMPARE": "a comparison",
    "NUMBER": "a number",
    "NAME": "a name",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "COMMA": "','",
    "$END": "the end",
}


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", propagate_positions=True, maybe_placeholders=False)


def tree(text: str) -> Tree[Token]:
    """The syntax tree of a formula; its characters and its depth are checked by the caller."""
    try:
        return _parser().parse(text)
    except UnexpectedEOF:
        raise refuse("the formula ends too early", Place(text, len(text))) from None
    except UnexpectedCharacters as failure:
        place = Place(text, failure.pos_in_stream)
        raise refuse(f"a formula has no {text[failure.pos_in_stream]!r}", place) from None
    except UnexpectedToken as failure:
        raise _unexpected(text, failure) from None
    except UnexpectedInput as failure:
        raise refuse("this is not a formula", Place(text, failure.pos_in_stream or 0)) from None


def _unexpected(text: str, failure: UnexpectedToken) -> Exception:
    token, expected = failure.token, set(failure.expected)
    if token.type == "$END":
        return refuse("the formula ends too early", Place(text, len(text)))
    place = Place(text, failure.pos_in_stream or 0)
    if token.type in ("NAME", "NUMBER", "LPAR") and "OVER_TIMES" in expected:
        return refuse(f"unexpected {str(token)!r}; a product is written with *", place)
    if token.type == "COMPARE":
        return refuse("a comparison may only be the first argument of where(condition, then, otherwise)", place)
    listed = ", ".join(sorted(WORDS.get(str(e), str(e)) for e in expected))
    return refuse(f"unexpected {str(token)!r}; expected {listed}", place)
