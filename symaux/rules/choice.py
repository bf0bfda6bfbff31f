"""What was chosen for each variable of a model, how far it was rewritten, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

CHOICES = ("all", "advise", "learn")
DIGITS = 2  # of a weight that all elements of a variable share
ALIKE = 0.05  # elements whose weights differ by less share one


@dataclass(frozen=True)
class Choice:
    """Weights by variable, from auxiliary (0) to original form (1), a sentence for each latent, and what choosing took.

    ``inputs`` are the weights that differ between elements, by the names that the model reads them under.
    """

    how: str
    weights: dict[str, Any]
    reasons: dict[str, str]
    inputs: dict[str, Any] = field(default_factory=dict, repr=False)
    gradients: int = 0

    def __str__(self) -> str:
        return "\n".join(f"{name}: {reason}" for name, reason in self.reasons.items())

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        import numpy as np

        weights = {name: np.asarray(weight).tolist() for name, weight in self.weights.items()}
        return {"how": self.how, "weights": weights, "reasons": self.reasons, "gradients": self.gradients}

    def mean(self, name: str) -> float:
        """Return the weight of a variable in the mean over its elements, which pictures show."""
        import numpy as np

        return float(np.mean(self.weights[name]))


def frozen(weights: Mapping[str, Any]) -> dict[str, Any]:
    """Return one number for elements that are alike, and arrays as they are.

    >>> import numpy as np
    >>> frozen({"z": np.array([0.42, 0.38]), "v": np.array([1.0, 1.0])})
    {'z': 0.4, 'v': 1.0}
    """
    import numpy as np

    return {name: round(float(np.mean(w)), DIGITS) if np.ptp(w) < ALIKE else w for name, w in weights.items()}


def spoken(weight: Any) -> str:
    """Return a weight in words: one number, or the range of its elements.

    >>> import numpy as np
    >>> spoken(0.4), spoken(np.array([0.0, 0.25, 1.0]))
    ('weight 0.40', 'weights 0.00 to 1.00, 0.25 in the median')
    """
    import numpy as np

    if np.ndim(weight) == 0:
        return f"weight {float(weight):.2f}"
    low, middle, high = np.quantile(weight, [0, 0.5, 1])
    return f"weights {low:.2f} to {high:.2f}, {middle:.2f} in the median"
