"""Define ``Choice``: how far each latent of a model is rewritten, from the original to the auxiliary form, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

CHOICES = ("all", "advise", "learn")
DIGITS = 2  # of a weight that all elements of a variable share
ALIKE = 0.05  # elements whose weights differ by less than this share one weight


@dataclass(frozen=True)
class Choice:
    """Weights by variable, from auxiliary (0) to original form (1), with a reason for each latent.

    ``inputs`` holds the weights that differ between elements, by the names under which the model reads them; ``gradients``
    counts the gradient evaluations that choosing took.
    """

    how: str
    weights: dict[str, Any]
    reasons: dict[str, str]
    inputs: dict[str, Any] = field(default_factory=dict, repr=False)
    gradients: int = 0

    def __str__(self) -> str:
        return "\n".join(f"{name}: {reason}" for name, reason in self.reasons.items())

    def as_dict(self) -> dict[str, Any]:
        """Return the choice as plain data, for JSON."""
        import numpy as np

        weights = {name: np.asarray(weight).tolist() for name, weight in self.weights.items()}
        return {"how": self.how, "weights": weights, "reasons": self.reasons, "gradients": self.gradients}

    def mean(self, name: str) -> float:
        """Return the mean of a variable's weight over its elements, which pictures show."""
        import numpy as np

        return float(np.mean(self.weights[name]))


def round_weights(weights: Mapping[str, Any]) -> dict[str, Any]:
    """Return the weights with nearly equal elements replaced by their rounded mean; other arrays are left as they are.

    >>> import numpy as np
    >>> round_weights({"z": np.array([0.42, 0.38]), "v": np.array([1.0, 1.0])})
    {'z': 0.4, 'v': 1.0}
    """
    import numpy as np

    return {name: round(float(np.mean(w)), DIGITS) if np.ptp(w) < ALIKE else w for name, w in weights.items()}


def describe_weight(weight: Any) -> str:
    """Return a weight in words: one number, or the range of its elements.

    >>> import numpy as np
    >>> describe_weight(0.4), describe_weight(np.array([0.0, 0.25, 1.0]))
    ('weight 0.40', 'weights 0.00 to 1.00, 0.25 in the median')
    """
    import numpy as np

    if np.ndim(weight) == 0:
        return f"weight {float(weight):.2f}"
    low, middle, high = np.quantile(weight, [0, 0.5, 1])
    return f"weights {low:.2f} to {high:.2f}, {middle:.2f} in the median"
