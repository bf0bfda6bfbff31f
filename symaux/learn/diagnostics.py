r"""Diagnose chains: divergent moves, $\hat R$ and effective draws of every element (Vehtari et al. 2021)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symaux.validate.blackjax_chain import require

LARGEST_R = 1.01  # as Vehtari et al. (2021) advise
LEAST_ESS = 100  # per chain


@dataclass(frozen=True)
class Diagnosis:
    """The worst value of every diagnostic, with its name; true if none speaks against the chains."""

    r_hat: tuple[str, float]
    ess_bulk: tuple[str, float]
    ess_tail: tuple[str, float]
    divergences: int
    chains: int
    draws: int
    gradients: int  # of the draws, all chains together; those of the warm-up are counted apart
    warmup_gradients: int

    @property
    def problems(self) -> tuple[str, ...]:
        """Return the failed diagnostics as text."""
        least = LEAST_ESS * self.chains
        found = []
        if not self.r_hat[1] < LARGEST_R:
            found.append(f"R-hat of {self.r_hat[0]} is {self.r_hat[1]:.3g}, not below {LARGEST_R}")
        if not self.ess_bulk[1] >= least:
            found.append(f"{self.ess_bulk[0]} has {self.ess_bulk[1]:.0f} effective draws, fewer than {least}")
        if not self.ess_tail[1] >= least:
            found.append(f"the tails of {self.ess_tail[0]} have {self.ess_tail[1]:.0f} effective draws")
        if self.divergences:
            found.append(f"{self.divergences} divergent moves")
        return tuple(found)

    def __bool__(self) -> bool:
        return not self.problems

    @property
    def ess_per_gradient(self) -> float:
        """Return the effective draws (bulk, of the worst element) per gradient, without those of the warm-up."""
        return self.ess_bulk[1] / self.gradients

    def __str__(self) -> str:
        seen = (
            f"{self.chains} chains of {self.draws} draws: R-hat at most {self.r_hat[1]:.3f} ({self.r_hat[0]}), effective"
            f" draws at least {self.ess_bulk[1]:.0f} ({self.ess_bulk[0]}), in the tails {self.ess_tail[1]:.0f}"
            f" ({self.ess_tail[0]}), {self.divergences} divergent, {self.gradients} gradients"
        )
        failed = [f"  {problem}" for problem in self.problems]
        status = "converged" if not failed else "NOT CONVERGED" if len(failed) > bool(self.divergences) else "DIVERGED"
        return "\n".join([f"{status}: {seen}", *failed])


def diagnose(result: Any, only: Any = None) -> Diagnosis:
    """Return the diagnosis of draws from ``sample``, for all variables or some; for R-hat one chain is split in two."""
    arviz = require("arviz")
    posterior, stats = result.posterior, result.sample_stats
    if only is not None:
        posterior = posterior[list(only)]
    bulk, tail = (arviz.ess(posterior, method=method) for method in ("bulk", "tail"))
    return Diagnosis(
        _extreme(arviz.rhat(posterior), worst=max),
        _extreme(bulk, worst=min),
        _extreme(tail, worst=min),
        int(stats["diverging"].sum()),
        posterior.sizes["chain"],
        posterior.sizes["draw"],
        int(stats["n_steps"].sum()),
        int(stats.attrs.get("warmup_gradients", 0)),
    )


def _extreme(values: Any, worst: Any) -> tuple[str, float]:
    """Return the worst element of all arrays; one without a value (of a chain that did not move) is worse than any."""
    import numpy as np

    from symaux.model.unroll import element_name

    found = []
    for name, array in values.data_vars.items():
        flat = np.nan_to_num(np.asarray(array, dtype=float), nan=np.inf if worst is max else 0.0)
        index = np.unravel_index(flat.argmax() if worst is max else flat.argmin(), flat.shape)
        found.append((float(flat[index]), element_name(str(name), tuple(int(i) for i in index))))
    value, name = worst(found)
    return name, value
