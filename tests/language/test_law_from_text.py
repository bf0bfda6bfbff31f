"""Laws as text: densities with their declarations."""

from __future__ import annotations

import pytest
import sympy as sp

from symaux.errors import SymauxError
from symaux.language import law_from_text

x, y, z = sp.symbols("x y z", real=True)


def test_law_from_text() -> None:
    law = law_from_text("a*b*z**(a-1)*(1-z**a)**(b-1)", "z", positive=["a", "b"], support=("0", "1"))
    assert law.value == sp.Symbol("z", positive=True)
    assert law.parameters == tuple(sp.symbols("a b", positive=True))
    assert law_from_text("-z^2/2 - log(2*pi)/2", logarithm=True).value == z
    assert str(law_from_text("1/(upper - lower)", "z", support=("lower", "upper")).support) == "(lower, upper)"


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("does not occur", {"positive": ["c"]}),
        ("both positive and real", {"positive": ["a"], "real": ["a"]}),
        ("cannot be a variable", {"positive": ["__a"]}),
        ("contains z itself", {"support": ("0", "z")}),
        ("empty or reversed", {"support": ("1", "0")}),
        ("cannot be a variable", {"value": "lambda"}),
        ("look alike", {"value": "ν", "support": ("0", "v")}),
    ],
)
def test_bad_declarations(message: str, arguments: dict) -> None:
    with pytest.raises(SymauxError, match=message):
        law_from_text("a*exp(-a*z)", **({"value": "z"} | arguments))
