"""The grammar: its reference, the editor's copy of it, and hints for what is written otherwise elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import symaux as sa
from symaux.language.assumptions import WORDS
from symaux.language.grammar import KEYWORDS
from symaux.language.model_functions import model_functions


def round_trip(model: sa.Model) -> None:
    assert sa.parse(model.text) == model, model.text
    assert str(model) == model.text


LANGUAGE = Path(sa.__file__).parent / "language"


def test_the_examples_of_the_reference_are_models_and_its_functions_are_those_there_are() -> None:
    page = (LANGUAGE / "reference.md").read_text(encoding="utf-8")
    examples = re.findall(r"```symaux\n(.*?)```", page, re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        round_trip(sa.parse(example))
    (listed,) = re.findall(r"the functions\n`(.*?)`", page, re.DOTALL)
    assert set(listed.split()) <= set(model_functions())
    assert all(f"| `{word} " in page or f"`{word} " in page for word in KEYWORDS if word not in ("on", "given"))


def test_the_editor_grammar_knows_every_word() -> None:
    grammar = json.loads((LANGUAGE / "symaux.tmLanguage.json").read_text(encoding="utf-8"))
    patterns = json.dumps(grammar)
    assert grammar["fileTypes"] == ["symaux"]
    for word in (*KEYWORDS, *WORDS, "any", "pi", "oo"):
        assert re.search(rf"[(|]{word}[)|]", patterns), word
    for match in re.findall(r'"match": "((?:[^"\\\\]|\\\\.)*)"', patterns):
        re.compile(json.loads(f'"{match}"'))


def test_a_modulus_in_bars_is_told_how_it_is_written() -> None:
    from symaux.language.grammar import formula_tree

    with pytest.raises(sa.SymauxError, match=r"a modulus is written abs\(x\)"):
        formula_tree("exp(-|x|/b)/(2*b)")
