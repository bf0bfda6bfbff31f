r"""Run simulation-based calibration of an auxiliary form, end to end.

Parameters and data are drawn from the *original* model by its densities alone (``symaux.validate.ancestral``); for each
data set BlackJAX samples $p(\varepsilon \mid x)$ in the *auxiliary* form, by the generated code, and the draws of
$\tilde z = g(\varepsilon)$ rank the true z. If both are the same model, ranks are uniform. Ranks are those of all elements of
latents and of $\log p(x, z)$ of the original, which shows differences that no single element does (Modrák et al. 2023).

This can only refute: uniform ranks prove nothing, and the report says how large an error would have been detected.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from symaux.errors import SymauxError
from symaux.model.model import Model
from symaux.progress import notify
from symaux.validate import ancestral, ranks
from symaux.validate import nuts as chains
from symaux.validate.ancestral import Source
from symaux.validate.blackjax_chain import require
from symaux.validate.random_inputs import count_latent_elements, draw_inputs, draw_latents, small_lengths

LEVEL = 0.01  # the probability that a calibrated model is called uncalibrated
LARGEST = 60  # latent numbers; plates of a larger model are made small
AT_ONCE = 50  # data sets whose chains run side by side
LEAST = 40  # replicates; with fewer the result is inconclusive
WARMUP, DRAWS = 300, 400  # of each chain; ENOUGH and SPLIT_R say whether it was long enough
ENOUGH = 30  # effective draws that a chain must have
SPLIT_R = 1.15  # the largest split R-hat of a chain
TOLERATED = 0.1  # the share of chains that may fail either
JOINT = "log p(x, z)"


class Uncalibratable(SymauxError):
    """A model cannot be calibrated."""

    code = "calibration"


@dataclass(frozen=True)
class Calibration:
    """The uniformity of the ranks of each quantity, and whether the chains converged well enough to judge it."""

    quantities: dict[str, ranks.Uniformity]
    replicates: int
    asked: int
    seed: int
    failed: int  # chains that did not converge
    divergent: int  # chains with a divergent move
    least_ess: float
    median_ess: float
    worst_split_r: float
    lengths: dict[str, int]
    source: str  # how parameters and data were drawn
    seconds: float
    values: dict[str, Any] = field(repr=False, compare=False, default_factory=dict)  # the ranks on (0, 1)

    @property
    def p(self) -> float:
        return ranks.worst_quantity(self.quantities)[1] if self.quantities else 1.0

    @property
    def status(self) -> str:
        """Return ``uniform``, ``not uniform`` or ``inconclusive``."""
        if self.replicates < LEAST or self.failed > TOLERATED * self.replicates:
            return "inconclusive"
        return "not uniform" if self.p < LEVEL else "uniform"

    def __bool__(self) -> bool:
        return self.status == "uniform"

    def __str__(self) -> str:
        lines = [f"calibration: {self.status}: {self._summary()}", f"  parameters and data {self.source}"]
        lines += [f"  {line}" for line in (self._chains(), *self._table(), *self._detectable())]
        return "\n".join(lines)

    def _summary(self) -> str:
        counted = f"{self.replicates} replicates" + (f" of {self.asked}" if self.replicates < self.asked else "")
        if self.replicates < LEAST:
            return f"{counted} are too few, at least {LEAST} are needed: give it more --seconds"
        name, p = ranks.worst_quantity(self.quantities)
        why = " (chains did not converge, so ranks mean little)" if self.status == "inconclusive" else ""
        return f"{counted}, {len(self.quantities)} quantities; worst {name}, p = {p:.2g} for all together{why}"

    def _chains(self) -> str:
        return (
            f"chains: effective draws {self.least_ess:.0f} at least, {self.median_ess:.0f} in the median; split R-hat"
            f" {self.worst_split_r:.2f} at most; {self.failed} not converged, {self.divergent} with divergent moves"
        )

    def _table(self) -> list[str]:
        width = max(map(len, self.quantities), default=0)
        head = f"{'':{width}}  {'chi2':>6} {'bins':>4} {'p bins':>7} {'p mean':>7} {'p spread':>8}"
        return [head] + [
            f"{name:{width}}  {q.chi_square:6.1f} {q.bins:4} {q.p_bins:7.2g} {q.p_mean:7.2g} {q.p_spread:8.2g}"
            for name, q in self.quantities.items()
        ]

    def _detectable(self) -> list[str]:
        if not self.quantities:
            return []
        any_one = next(iter(self.quantities.values()))
        narrow, wide = any_one.scale_seen
        return [
            f"in 4 of 5 cases it would have seen a posterior off by {any_one.bias_seen:.2f} of its standard deviations,"
            f" or {narrow:.2f} or {wide:.2f} times as wide"
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the result as plain data, for JSON."""
        plain = ("replicates", "asked", "seed", "failed", "divergent", "least_ess", "median_ess", "worst_split_r")
        return {
            "status": self.status,
            "p": self.p,
            "level": LEVEL,
            **{name: getattr(self, name) for name in plain},
            "lengths": self.lengths,
            "source": self.source,
            "quantities": {name: {**vars(q), "p": q.p} for name, q in self.quantities.items()},
        }


def calibrate(
    before: Model,
    after: Model,
    source: Source,
    sampler: Source,
    *,
    data: Mapping[str, Any] | None = None,
    replicates: int = 200,
    seed: int = 0,
    seconds: float = 600.0,
) -> Calibration:
    """Calibrate ``after``, whose latents are real, against ``before``; ``source`` returns the generated code of a model.

    ``sampler`` returns it with a prior sampler, for models that cannot be drawn from by their densities alone.
    """
    import jax
    import numpy as np

    require("blackjax", "calibration")  # before anything takes time
    began = time.monotonic()
    if not before.latents or not before.observed:
        raise Uncalibratable("calibration needs latent variables and observed ones: there is no posterior to judge")
    rng = np.random.default_rng(seed)
    with jax.enable_x64(True), jax.numpy_dtype_promotion("standard"):  # BlackJAX mixes types
        lengths, given = _setting(before, data or {}, rng)
        notify("calibration", "draws from the original model")
        drawn, how = _drawn(before, given, lengths, replicates, rng, source, sampler)
        run, position = _compiled(before, after, source)
        seen: list[chains.Chains] = []
        for first in range(0, replicates, AT_ONCE):
            if first and time.monotonic() - began > seconds * (1 - AT_ONCE / (first + AT_ONCE)):
                break  # another round would pass the limit
            notify("calibration", f"replicates {first + 1} to {min(first + AT_ONCE, replicates)} of {replicates}")
            part = {name: array[first : first + AT_ONCE] for name, array in drawn.items()}
            seen.append(_chains(run, after, lengths, part, given, before.observed, rng))
        truth = position(drawn, given)
    return _test_ranks(seen, truth, lengths, how, replicates, seed, time.monotonic() - began, rng)


def _setting(model: Model, data: Mapping[str, Any], rng: Any) -> tuple[dict[str, int], dict[str, Any]]:
    """Return the lengths of the plates and the inputs: those of the data, and plausible ones otherwise."""
    import numpy as np

    given = {name: np.asarray(data[name]) for name in model.inputs if name in data}
    small = small_lengths(model)
    lengths = {**small, **model.axes.lengths, **model.axes.resolved({n: v.shape for n, v in given.items()})}
    if not given and count_latent_elements(model, lengths) > LARGEST:
        lengths = small
    return lengths, {**draw_inputs(model, lengths, rng), **given}


def _drawn(
    model: Model, given: Any, lengths: Any, count: int, rng: Any, source: Source, sampler: Source
) -> tuple[dict[str, Any], str]:
    """Draw from the original by its densities alone, or where that fails by its generated sampler; say which."""
    import jax
    import numpy as np

    from symaux.codegen.load import load

    try:
        return ancestral.draw_ancestral(
            model, given, lengths, count, rng, source
        ), "drawn by the original's densities alone"
    except ancestral.NoDraws as none:
        module = load(sampler(model))
        keys = jax.random.split(jax.random.key(int(rng.integers(2**31))), count)
        try:
            made = jax.vmap(lambda key: module.sample_prior(key, given))(keys)
        except (ValueError, KeyError) as failure:
            raise Uncalibratable(f"the model cannot be drawn from: {failure}") from failure
        own = {n: np.asarray(made[n]) for n, node in model.nodes.items() if node.kind == "stochastic"}
        return own, f"drawn by the original's generated sampler, which uses generating functions too ({none})"


def _compiled(before: Model, after: Model, source: Source) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the compiled chains in the auxiliary form, and the ranked quantities as a function of draws of the original."""
    import jax

    from symaux.codegen.load import load

    original, auxiliary = load(source(before)), load(source(after))

    def ranked(values: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
        own = {name: values[name] for name in before.latents}
        return {**own, JOINT: original.log_density(own, data)}

    def quantities(position: Any, data: Any) -> Any:
        return ranked({**position, **auxiliary.generate(position, data)}, data)

    def of_draws(drawn: Any, given: Any) -> Any:
        part = {n: drawn[n] for n in (*before.latents, *before.observed)}
        return jax.vmap(lambda one: ranked(one, {**given, **{n: one[n] for n in before.observed}}))(part)

    return chains.nuts_runner(auxiliary.log_density, quantities, WARMUP, DRAWS), of_draws


def _chains(run: Any, after: Model, lengths: Any, part: Any, given: Any, observed: Any, rng: Any) -> chains.Chains:
    import jax
    import numpy as np

    count = len(next(iter(part.values())))
    starts = [draw_latents(after, lengths, rng) for _ in range(count)]
    start = {name: np.stack([np.asarray(s[name], dtype=float) for s in starts]) for name in starts[0]}
    data = {name: np.repeat(np.asarray(v)[None], count, axis=0) for name, v in given.items()}
    keys = jax.random.split(jax.random.key(int(rng.integers(2**31))), count)
    values, divergent = run(keys, start, {**data, **{name: part[name] for name in observed}})
    return chains.with_diagnostics(_scalars(values, 2), divergent)


def _scalars(values: Mapping[str, Any], leading: int) -> dict[str, Any]:
    """Split arrays into their elements, by name, after the given number of leading axes."""
    import numpy as np

    from symaux.model.unroll import element_name

    made = {}
    for name, value in values.items():
        array = np.asarray(value)
        for index in np.ndindex(array.shape[leading:]):
            made[element_name(name, index)] = array[(..., *index)] if index else array
    return made


def _test_ranks(
    seen: list[chains.Chains], truth: Any, lengths: Any, how: str, asked: int, seed: int, seconds: float, rng: Any
) -> Calibration:
    import numpy as np

    ess, split_r = (np.concatenate([getattr(c, word) for c in seen]) for word in ("ess", "split_r"))
    true = _scalars(truth, 1)
    names = [n for n in seen[0].values if np.ptp(true[n]) > 0]
    values = {n: np.concatenate([c.values[n] for c in seen]) for n in names}
    ranked = {n: _ranked(values[n], true[n], ess, rng) for n in names}
    level = LEVEL / (ranks.TESTS * max(1, len(names)))
    return Calibration(
        {name: ranks.uniformity(v, level) for name, v in ranked.items()},
        len(ess),
        asked,
        seed,
        int(np.sum((ess < ENOUGH) | ~(split_r < SPLIT_R))),
        int(np.sum(np.concatenate([c.divergent for c in seen]) > 0)),
        float(np.min(ess)),
        float(np.median(ess)),
        float(np.max(split_r)),
        dict(lengths),
        how,
        seconds,
        ranked,
    )


def _ranked(values: Any, true: Any, ess: Any, rng: Any) -> Any:
    """Return the rank of the truth among each chain's draws, thinned to their effective number, on (0, 1)."""
    found = []
    for row, truth, worth in zip(values, true[: len(values)], ess, strict=True):
        thin = int(-(-len(row) // max(1.0, min(float(worth), len(row)))))
        kept = row[thin - 1 :: thin]
        below, equal = float((kept < truth).sum()), float((kept == truth).sum())
        found.append((below + rng.uniform() * (equal + 1)) / (len(kept) + 1))
    return found
