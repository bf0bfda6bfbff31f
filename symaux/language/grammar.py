"""Define the grammars of formulas and of models: arithmetic as statisticians write it, ``^`` and ``**`` alike.

>>> print(formula_tree("a*z^2").data)
product
>>> print(*(statement.data for statement in model_tree("mu ~ normal(0, 5)\\ny = mu^2").children))
stated defined
"""

from __future__ import annotations

import re
from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from symaux.language.locations import Location, error_at

FORMULA = r"""
    ?sum: product (SIGN product)*
    ?product: unary (OVER_TIMES unary)*
    ?unary: SIGN unary -> signed
          | power
    ?power: atom [POWER unary]
    ?atom: NUMBER -> number
         | _word -> name
         | _word "(" [argument ("," argument)*] ")" -> call
         | element
         | "(" sum ")"
    element: _word "[" sum ("," sum)* "]"
    ?argument: sum
             | either
             | _word "=" sum -> keyword
    ?either: both (OR both)*
    ?both: comparison (AND comparison)*
    comparison: sum COMPARE sum
              | sum EQUALS sum

    SIGN: "+" | "-"
    OVER_TIMES: "*" | "/"
    POWER: "**" | "^"
    COMPARE: "<=" | ">=" | "<" | ">"
    EQUALS: "==" | "!="
    AND: "and"
    OR: "or"
    NUMBER: /(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?/
    NAME: /[A-Za-zα-ωΓΔΘΛΞΠΣΦΨΩ_][A-Za-z0-9α-ωΓΔΘΛΞΠΣΦΨΩ_]*/
    %ignore " "
"""

GRAMMAR = (
    FORMULA
    + r"""
    ?start: sum
    _word: NAME
"""
)

CONDITION = (
    FORMULA
    + r"""
    start: chain
    chain: sum (COMPARE sum)*
    _word: NAME
"""
)

# The words that begin a statement may be names as well: what follows tells which it is.
MODEL = (
    FORMULA
    + r"""
    start: _LINE* [statement (_LINE+ statement)* _LINE*]

    ?statement: PLATE _word ["[" NUMBER "]"] -> plate
              | (DATA | PARAM | VAR) chain _word* -> declared
              | LAW _word "(" _word ["|" parameter ("," parameter)*] ")" [ON support] "=" sum -> own
              | AUXILIARY _word ("," _word)* -> marked
              | FACTOR sum -> factor
              | [OBSERVE] target "~" sum [ON support] [GIVEN chain ("," chain)*] -> stated
              | target "=" sum -> defined
    ?target: _word -> name
           | element
    chain: sum (COMPARE sum)*
    parameter: chain _word*
    support: "(" sum "," sum ")" -> interval
           | "{" sum "," ELLIPSIS "," sum "}" -> integers
           | _word "(" _word ")" -> vectors
    _word: NAME | PLATE | DATA | PARAM | VAR | LAW | AUXILIARY | FACTOR | OBSERVE | ON | GIVEN

    PLATE: "plate"
    DATA: "data"
    PARAM: "param"
    VAR: "var"
    LAW: "law"
    AUXILIARY: "auxiliary"
    FACTOR: "factor"
    OBSERVE: "observe"
    ON: "on"
    GIVEN: "given"
    ELLIPSIS: "..."
    _LINE: /\n/
"""
)

WORDS = {
    "AND": "'and'",
    "OR": "'or'",
    "SIGN": "'+' or '-'",
    "OVER_TIMES": "'*' or '/'",
    "POWER": "'**'",
    "COMPARE": "a comparison",
    "EQUALS": "'==' or '!='",
    "NUMBER": "a number",
    "NAME": "a name",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "COMMA": "','",
    "EQUAL": "'='",
    "VBAR": "'|'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "ELLIPSIS": "'...'",
    "TILDE": "'~'",
    "_LINE": "the end of the line",
    "$END": "the end",
}


KEYWORDS = ("plate", "data", "param", "var", "law", "auxiliary", "factor", "observe", "on", "given")
STARTS = "a line is plate, data, param, law, observe, factor, NAME ~ LAW or NAME = FORMULA"


@cache
def _parser(grammar: str) -> Lark:
    return Lark(grammar, parser="lalr", propagate_positions=True, maybe_placeholders=False)


INSTEAD = {
    "|": "; a modulus is written abs(x)",
    "!": "; a factorial is written gamma(n + 1)",
    "{": "; brackets are round",
    "'": "; names and numbers are written without quotes",
    '"': "; names and numbers are written without quotes",
}


def formula_tree(text: str) -> Tree[Token]:
    """Return the syntax tree of a formula; the caller checks its characters and its depth."""
    return _parsed(text, text, GRAMMAR, "formula")


def condition_tree(text: str) -> Tree[Token]:
    """Return the syntax tree of a condition, ``a < b`` or ``0 < p < 1``."""
    return _parsed(text, text, CONDITION, "condition")


def model_tree(cleaned: str, text: str | None = None) -> Tree[Token]:
    """Return the syntax tree of a cleaned model text, one child for each statement; errors show the original text."""
    return _parsed(cleaned, cleaned if text is None else text, MODEL, "model")


def _parsed(cleaned: str, text: str, grammar: str, what: str) -> Tree[Token]:
    try:
        return _parser(grammar).parse(cleaned)
    except UnexpectedEOF:
        raise error_at(f"the {what} ends too early", Location(text, len(text))) from None
    except UnexpectedCharacters as failure:
        place = Location(text, failure.pos_in_stream)
        found = text[failure.pos_in_stream]
        raise error_at(f"a {what} has no {found!r} here{INSTEAD.get(found, '')}", place) from None
    except UnexpectedToken as failure:
        raise _unexpected(text, failure, what) from None
    except UnexpectedInput as failure:
        raise error_at(f"this is not a {what}", Location(text, failure.pos_in_stream or 0)) from None


def _unexpected(text: str, failure: UnexpectedToken, what: str) -> Exception:
    token, expected = failure.token, set(failure.expected)
    if token.type == "$END":
        return error_at(f"the {what} ends too early", Location(text, len(text.rstrip())))
    place = Location(text, failure.pos_in_stream or 0)
    if token.type == "_LINE":
        return error_at(f"the line ends too early{_wanted(expected)}", place)
    if token.type in ("NAME", "NUMBER", "LPAR") and "OVER_TIMES" in expected:
        return error_at(f"unexpected {str(token)!r}; a product is written with *", place)
    if token.type == "COMPARE" and re.match(r"\s*(data|param|var)\b", place.line_text):
        return error_at("the sign comes before the words: data n > 0 integer", place)
    if token.type in ("COMPARE", "EQUALS"):
        return error_at("a comparison may only be the first argument of where(condition, then, otherwise)", place)
    if {"PLATE", "_LINE"} <= expected:
        return error_at(f"unexpected {str(token)!r}; {STARTS}", place)
    return error_at(f"unexpected {str(token)!r}{_wanted(expected)}", place)


def _wanted(expected: set[str]) -> str:
    if "NAME" in expected:
        expected = expected - {word.upper() for word in KEYWORDS}
    return "; expected " + ", ".join(sorted(WORDS.get(str(e), f"'{str(e).lower()}'") for e in expected))
