"""Random models for tests and long runs: any graph, nineteen families, nested and overlapping plates, lags, gathers.

    PYTHONPATH=.:tests python -m fuzz.random_models [COUNT] [--seed 0] [--file models.jsonl]      # goes on where the file ends

Each is put into auxiliary form. The original, read by mpmath, and the auxiliary form, run by generated code, must agree
to 1e-9 at a random point; in single precision to a bound; gradients must be finite there and in the tails; the text of
both must read back as the same model.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp

import symaux as sa

I, K, T, N = sa.plate("i", 3), sa.plate("k", 2), sa.plate("t", 4), sa.plate("n")  # noqa: E741
SHAPES = [(), (I,), (K,), (I, K), (K, I), (T,), (T, I), (I, T), (N,), (N, I)]
UNBOUNDED: dict[str, Callable[..., Any]] = {
    "normal": lambda v, loc, scale: sa.normal(v, loc, scale),
    "student_t": lambda v, loc, scale: sa.student_t(v, 4, loc, scale),
    "laplace": lambda v, loc, scale: sa.laplace(v, loc, scale),
    "logistic": lambda v, loc, scale: sa.logistic(v, loc, scale),
    "cauchy": lambda v, loc, scale: sa.cauchy(v, loc, scale),
    "gumbel": lambda v, loc, scale: sa.gumbel(v, loc, scale),
    "normal by precision": lambda v, loc, scale: sa.law(
        v, log_density=-((v - loc) ** 2) * scale / 2 + sp.log(scale) / 2 - sp.log(2 * sp.pi) / 2
    ),
}
POSITIVE: dict[str, Callable[..., Any]] = {
    "exponential": lambda v, loc, scale: sa.exponential(v, scale),
    "log_normal": lambda v, loc, scale: sa.log_normal(v, loc, scale),
    "half_normal": lambda v, loc, scale: sa.half_normal(v, scale),
    "half_cauchy": lambda v, loc, scale: sa.half_cauchy(v, scale),
    "weibull": lambda v, loc, scale: sa.weibull(v, 2, scale),
    "rayleigh": lambda v, loc, scale: sa.rayleigh(v, scale),
    "frechet": lambda v, loc, scale: sa.frechet(v, 3, scale),
    "pareto": lambda v, loc, scale: sa.pareto(v, scale, 3),
    "kumaraswamy": lambda v, loc, scale: sa.kumaraswamy(v, 2, scale),
    "uniform": lambda v, loc, scale: sa.uniform(v, 0, scale),
}
DISCRETE: dict[str, Callable[..., Any]] = {
    "poisson": lambda v, loc, scale: sa.poisson(v, scale),
    "bernoulli": lambda v, loc, scale: sa.bernoulli(v, sa.sigmoid(loc)),
    "binomial": lambda v, loc, scale: sa.binomial(v, 5, sa.sigmoid(loc)),
}
FAMILIES = {"unbounded": UNBOUNDED, "positive": POSITIVE, "discrete": DISCRETE}
LINKS = [lambda e: e, sp.tanh, sp.sin, lambda e: sa.softplus(e) - 1, lambda e: e / (1 + e**2)]
EXACT = 1e-9  # how far the two forms may differ, relative to the log-density
SINGLE = 1e-4  # and in single precision, relative to the log-density, which counts as at least 1
DIGITS = 2000  # for the truth where doubles end: 1 - exp(-1000) has 435 nines
TAIL = 6.0  # how far out noise is taken: once in a thousand million draws of a normal


class Chooser:
    """Choices by a generator of random numbers; ``test_random_models`` has one that hypothesis makes."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def one(self, options: Sequence[Any]) -> Any:
        return self.rng.choice(options)

    def some(self, options: Sequence[Any], most: int) -> list[Any]:
        return [self.one(options) for _ in range(self.rng.randint(0, most))]

    def flag(self) -> bool:
        return self.rng.random() < 0.5

    def count(self, low: int, high: int) -> int:
        return self.rng.randint(low, high)


@dataclass
class Growing:
    """A model being made: its statements, the variables so far with their plates, which are observed, which families."""

    statements: list[Any] = field(default_factory=list)
    known: list[tuple[Any, tuple[Any, ...]]] = field(default_factory=list)
    observed: list[str] = field(default_factory=list)
    features: set[str] = field(default_factory=set)


def variable(name: str, plates: tuple[Any, ...], **assumptions: bool) -> Any:
    return sa.arrays(name, **assumptions) if plates else sp.Symbol(name, **({"real": True} | assumptions))


def element(base: Any, plates: tuple[Any, ...]) -> Any:
    return base[plates] if plates else base


def read(choose: Any, growing: Growing, base: Any, own: tuple[Any, ...], plates: tuple[Any, ...]) -> Any:
    """A parent as a formula along some of the given plates: itself, a sum over what is left, or a gather."""
    extra = [p for p in own if p not in plates]
    if not extra:
        return element(base, own)
    if len(extra) == 1 and plates and choose.flag():
        growing.features.add("gather")
        picks = sa.arrays(f"pick_{extra[0].label}_{plates[0].label}", integer=True)
        return element(base, tuple(picks[plates[0]] if p in extra else p for p in own))
    growing.features.add("sum")
    return sp.Sum(sp.tanh(element(base, own)), *extra)


def predictor(choose: Any, growing: Growing, plates: tuple[Any, ...]) -> Any:
    chosen = choose.some(growing.known, 2) if growing.known else []
    names = {str(getattr(base, "label", base)) for base, _ in chosen}
    growing.features |= {"observed parent"} if names & set(growing.observed) else set()
    terms = [choose.one(LINKS)(read(choose, growing, base, own, plates)) for base, own in chosen]
    slope = choose.one([sp.Rational(1, 2), 1, sp.Symbol("w", real=True)])
    return slope * sum(terms, sp.S.Zero) + choose.one([0, sp.Rational(-1, 3), 1])


def grown(choose: Any, most: int = 4) -> tuple[sa.Model, set[str]]:
    """A model of a few variables, and the families and features that it has."""
    growing = Growing()
    for number in range(choose.count(2, most)):
        _grow(choose, growing, number)
    if any(N in plates for _, plates in growing.known):  # the data must say how long it is
        length = sa.arrays("length")
        growing.statements.append(sa.deterministic(sa.arrays("ranged")[N], length[N]))
    return sa.Model.of(*growing.statements, observed=growing.observed), growing.features


def _grow(choose: Any, growing: Growing, number: int) -> None:
    name, plates = f"v{number}", choose.one(SHAPES)
    kind = choose.one(["unbounded", "unbounded", "positive", "deterministic", "discrete"])
    seen = kind == "discrete" or (kind != "deterministic" and number > 0 and choose.flag())
    base = variable(name, plates, **({"positive": True} if kind == "positive" else {}))
    loc, scale = predictor(choose, growing, plates), sp.exp(sp.tanh(predictor(choose, growing, plates)) / 2)
    growing.features |= {f"{len(plates)} plates"}
    if kind == "deterministic":
        growing.features.add("deterministic")
        growing.statements.append(sa.deterministic(element(base, plates), loc + sp.tanh(scale)))
    else:
        chosen = choose.one(sorted(FAMILIES[kind]))
        family = FAMILIES[kind][chosen]
        growing.features.add(chosen)
        if kind == "unbounded" and T in plates and choose.flag():
            growing.features.add("lag")
            first = tuple(sp.S.Zero if p == T else p for p in plates)
            back = tuple(T - 1 if p == T else p for p in plates)
            growing.statements.append(family(base[first], 0, 1))
            loc = loc + sp.tanh(base[back])
        growing.statements.append(family(element(base, plates), loc, scale))
    growing.known.append((base, plates))
    if seen:
        growing.observed.append(name)


@dataclass(frozen=True)
class Outcome:
    """What was seen of one model; ``failed`` says what did not hold."""

    worst: float = 0.0
    single: float = 0.0
    rewritten: int = 0
    beyond: bool = False  # far out a true log-density is no double, as mpmath says, and minus infinity stands for it
    compared: bool = True  # forms with more noises than the variable has elements have no Jacobian to compare by
    failed: str = ""


def tried(model: sa.Model, keep_roots: bool, run: Any) -> Outcome:
    """One model through everything, its generated code run by ``jax.jit`` or by numpy."""
    from symaux.api import _source
    from symaux.validate.pointwise import compare_pointwise

    aux = sa.auxiliary(model, keep_roots=keep_roots)
    if not _reads_back(model) or not _reads_back(aux.after):
        return Outcome(failed="its text does not read back")
    if not aux.verdict and aux.verdict.status is not sa.Status.SAMPLED:
        return Outcome(failed=f"a step is {aux.verdict.status.name}")
    found = compare_pointwise(model, aux.after, _source(aux.after, sampler=False), points=1, run=run)
    if found.refuted:
        return Outcome(found.worst, failed=str(found))
    single, beyond, failed = _numbers(aux.after, run)
    return Outcome(found.worst, single, len(aux.steps), beyond, found.points > 0, failed)


def _reads_back(model: sa.Model) -> bool:
    """Whether the text of a model is that model; what the language has no words for has no text."""
    try:
        text = model.text
    except sa.LanguageError:
        return True
    return sa.parse(text) == model


def _numbers(model: sa.Model, run: Any) -> tuple[float, bool, str]:
    """The difference in single precision, and whether values and gradients are finite, also in the tails."""
    import jax

    from symaux.validate.random_inputs import draw_inputs, draw_latents, draw_observations, small_lengths

    lengths, rng = small_lengths(model) | model.axes.lengths, np.random.default_rng(1)
    given, position = draw_inputs(model, lengths, rng), draw_latents(model, lengths, rng)
    if not position:
        return 0.0, False, ""

    def seen(at: dict[str, Any]) -> dict[str, Any]:
        """Data inside their supports, which may depend on latent parents."""
        return given | draw_observations(model, lengths, {**given, **at}, rng)

    data, beyond = seen(position), False
    with jax.enable_x64(True):
        both = run(jax.value_and_grad(sa.log_density(model, data).of))
        exact, failed = _finite(both, position, data, "at a random point")
        for end in (-TAIL, TAIL):
            far = _moved(model, position, end)
            there = seen(far)
            odd = _finite(both, far, there, f"with noise at {end}")[1]
            if odd and _too_large(model, {**there, **far}, lengths):
                beyond = True
            else:
                failed = failed or odd
    with jax.enable_x64(False), jax.numpy_dtype_promotion("standard"):
        narrow = float(run(sa.log_density(model, _single(data)))(_single(position)))
    difference = abs(narrow - exact) / max(1.0, abs(exact))
    if not difference <= SINGLE:
        failed = failed or f"in single precision {narrow} for {exact}"
    return difference, beyond, failed


def _too_large(model: sa.Model, given: dict[str, Any], lengths: Any) -> bool:
    """Whether the true log-density is larger than any double: a Gumbel variable far below its location, say."""
    import mpmath as mp

    from symaux.validate import reference

    with mp.workdps(DIGITS):
        values = reference.Deterministics(model, {name: np.asarray(value) for name, value in given.items()}, lengths)
        return bool(abs(reference.log_density(model, values, lengths, DIGITS)) > float(np.finfo(float).max))


def _single(values: dict[str, Any]) -> dict[str, Any]:
    return {n: np.asarray(v, np.float32 if np.asarray(v).dtype.kind == "f" else np.int32) for n, v in values.items()}


def _moved(model: sa.Model, position: dict[str, Any], end: float) -> dict[str, Any]:
    """The position with its noises far out, those that are bounded as near to their ends as that is."""
    noises = {n for n in position if n.startswith("eps_") and n in model.auxiliary}
    bounded = {n for n in noises if getattr(model.nodes[n].general.support, "upper", sp.oo) != sp.oo}
    far = {n: np.full_like(v, end) if n in noises else v for n, v in position.items()}
    return {n: np.clip(v, 1e-9, 1 - 1e-9) if n in bounded else v for n, v in far.items()}


def _finite(both: Any, position: Any, data: Any, where: str) -> tuple[float, str]:
    value, slope = both(position, data)
    odd = sum(int(np.sum(~np.isfinite(s))) for s in slope.values())
    if not np.isfinite(value) or odd:
        return float(value), f"{where} the log-density is {value}, and {odd} elements of its gradient are not finite"
    return float(value), ""


def record(seed: int, most: int = 8) -> dict[str, Any]:
    """The model of a seed and what became of it, as plain data; every fiftieth is compiled by XLA."""
    import jax
    from support.by_numpy import by_numpy

    rng, compiled = random.Random(seed), seed % 50 == 0
    start = time.process_time()
    model, features = grown(Chooser(rng), most)
    try:
        outcome = tried(model, rng.random() < 0.5, jax.jit if compiled else by_numpy)
    except Exception as failure:
        outcome = Outcome(failed=f"{type(failure).__name__}: {failure}"[:300])
    seconds, memory = round(time.process_time() - start, 3), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    seen = {"seed": seed, "nodes": len(model.nodes), "features": sorted(features), "seconds": seconds, "xla": compiled}
    return seen | {"memory": memory} | vars(outcome)


def main() -> int:
    import jax

    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("count", type=int, nargs="?", default=10_000)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--seconds", type=float, default=float("inf"))
    reader.add_argument("--file", type=Path, default=Path("build/random_models.jsonl"))
    options = reader.parse_args()
    options.file.parent.mkdir(parents=True, exist_ok=True)
    done = (
        {json.loads(line)["seed"] for line in options.file.read_text().splitlines()} if options.file.exists() else set()
    )
    start, failed = time.monotonic(), 0
    for seed in range(options.seed, options.seed + options.count):
        if seed in done or time.monotonic() - start > options.seconds:
            continue
        made = record(seed)
        if seed % 100 == 99:  # what JAX has compiled for one model is of no use to the next
            jax.clear_caches()
        failed += bool(made["failed"])
        with options.file.open("a") as file:
            file.write(json.dumps(made) + "\n")
        if made["failed"]:
            print(seed, made["failed"], flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
