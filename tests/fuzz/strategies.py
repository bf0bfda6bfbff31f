"""Random models for hypothesis, which can shrink them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

import symaux as sa
from fuzz.random_models import Chooser, grown


class Drawn(Chooser):
    """Choices that hypothesis makes, so that it can shrink them."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw

    def one(self, options: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def some(self, options: Sequence[Any], most: int) -> list[Any]:
        return self.draw(st.lists(st.sampled_from(options), max_size=most))

    def flag(self) -> bool:
        return self.draw(st.booleans())

    def count(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))


@st.composite
def models(draw: Any, most: int = 4) -> sa.Model:
    """A model of a few variables: any graph, families, plates, lags, gathers, deterministic and observed ones."""
    return grown(Drawn(draw), most)[0]
