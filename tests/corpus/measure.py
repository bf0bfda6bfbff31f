"""What the engine makes of one entry, and how far its generated code is from the reference, as plain data."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np

import symaux as sa
from corpus.classes import kind
from corpus.entry import Entry, Point
from corpus.reference import NoReference, Reference
from symaux.laws.densities.folding import has_fold
from symaux.sandbox import cpu_seconds

TAIL = [1e-12, 1e-9, 1e-6, 1e-3, 0.02, 0.1, 0.25]
LEVELS = [*TAIL, 0.4375, *(1 - u for u in reversed(TAIL))]
LARGEST = mp.mpf(10) ** 300  # beyond, float64 has no number
SURE = mp.mpf(10) ** -30  # digits of the references' gradients, relative to the quantile that they move
TRUSTED = 1e-9  # how far a reference may be from what is known of a location and a scale
DRAWS = 200_000
Record = dict[str, Any]


def derived(entry: Entry) -> tuple[Record, Any]:
    """The engine's answer: the first verified form as ``derive`` gives it, or else the best of those that are not."""
    start, weaker, found = cpu_seconds(), None, None
    try:
        for form in sa.forms(entry.law()):
            if form.verdict:
                found = form
                break
            weaker = weaker or form
        seconds = cpu_seconds() - start
    except sa.SymauxError as failure:
        return {
            "class": "none",
            "verdict": "NONE",
            "why": str(failure)[:400],
            "seconds": cpu_seconds() - start,
        }, None
    form = found or weaker
    if form is None:
        return {"class": "none", "verdict": "NONE", "why": "no form", "seconds": seconds}, None
    record = {
        "class": kind(form),
        "verdict": form.verdict.status.name,
        "rules": [step.rule for step in form.steps],
        "form": f"{form.law.value} = {form.value}",
        "noise": [str(noise) for noise in form.noise],
        "evidence": list(form.verdict.evidence)[-6:],
        "seconds": seconds,
    }
    return record, form


def known(entry: Entry, point: Point, cache: Path | None) -> Record:
    """Quantiles and their gradients by the reference, kept in a file since they never change."""
    words = f"{entry.density}|{entry.support}|{sorted(point.items())}|{LEVELS}"
    path = cache / f"{entry.name}-{hashlib.sha256(words.encode()).hexdigest()[:16]}.json" if cache else None
    if path is not None and path.exists():
        return json.loads(path.read_text(encoding="utf-8"))
    made = _worked_out(entry, point)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(made), encoding="utf-8")
    return made


def _worked_out(entry: Entry, point: Point) -> Record:
    if entry.quantile is not None:
        return _by_quantile(entry, point)
    found = Reference(entry, point)
    quantiles = [mp.nstr(found.quantile(u), 25) for u in LEVELS]
    gradients = [{n: mp.nstr(g, 25) for n, g in found.gradient(u).items()} for u in LEVELS]
    return {"quantiles": quantiles, "gradients": gradients, "scale": mp.nstr(found.scale, 25)}


def _by_quantile(entry: Entry, point: Point) -> Record:
    """From the quantile function that a construction keeps, its gradients by differences at ninety digits."""
    own: Any = entry.quantile
    with mp.workdps(90):
        at = {s.name: mp.mpf(int(v.p)) / int(v.q) for s, v in entry.at(point).items()}
        free = [s.name for s in entry.parameters if not s.is_integer]

        def slope(u: Any, name: str) -> Any:
            h = mp.mpf(10) ** -30
            ahead, behind = (own(u, **(at | {name: at[name] + d})) for d in (h, -h))
            return (ahead - behind) / (2 * h)

        exact = [mp.mpf(u) for u in LEVELS]
        return {
            "quantiles": [mp.nstr(_sure(own, u, at), 25) for u in exact],
            "gradients": [{name: mp.nstr(slope(u, name), 25) for name in free} for u in exact],
            "scale": mp.nstr(own(mp.mpf(3) / 4, **at) - own(mp.mpf(1) / 4, **at), 25),
        }


def _sure(own: Any, u: Any, at: dict[str, Any]) -> Any:
    """A quantile, if twice the digits do not change it: one beyond all bounds is as large as the digits let it be."""
    found = own(u, **at)
    with mp.extradps(90):
        again = own(u, **at)
    return found if abs(found - again) <= mp.mpf(10) ** -25 * abs(again) else mp.inf


def measured(entry: Entry, form: Any, cache: Path | None = None) -> Record:
    """The worst errors over all points of an entry; of draws, for a form with several noises."""
    worst: Record = {}
    for point in entry.points:
        try:
            reference = known(entry, point, cache)
        except NoReference as failure:
            return {"trouble": str(failure)[:300]}
        at = {name: float(value) for name, value in point.items() if name in {p.name for p in entry.parameters}}
        try:
            seen = (_compared if _has_quantile(form) else _drawn)(form, at, reference)
        except Exception as failure:  # whatever generated code does wrong is a finding
            return {"trouble": f"at {at}: {type(failure).__name__}: {failure}"[:300]}
        for name, value in seen.items():
            if name not in worst or not value[0] <= worst[name][0]:
                worst[name] = (*value, at)
    return {name: {"worst": value[0], "where": value[1:]} for name, value in worst.items()}


def _has_quantile(form: Any) -> bool:
    """Whether the generating function itself is the quantile function of its one noise, in either direction."""
    return len(form.noise) == 1 and not has_fold(form.value, form.noise[0], form.law.parameters, form.law.conditions)


@lru_cache(maxsize=1)
def _quantiles_and_slopes(form: Any) -> Any:
    """Compiled once for all points of a form."""
    import jax

    slopes = jax.value_and_grad(lambda moved, fixed, u: form.quantile(u, moved | fixed))
    return jax.jit(jax.vmap(slopes, in_axes=(None, None, 0)))


def _compared(form: Any, at: dict[str, float], reference: Record) -> Record:
    given = {name: np.float64(value) for name, value in at.items()}
    whole = {p.name for p in form.law.parameters if p.is_integer}
    moved, fixed = ({n: x for n, x in given.items() if (n in whole) is kind} for kind in (False, True))
    values, slopes = _quantiles_and_slopes(form)(moved, fixed, np.array(LEVELS))
    scale = mp.mpf(reference["scale"])
    errors, slope_errors, strict = [], [], []
    for k, u in enumerate(LEVELS):
        exact = mp.mpf(reference["quantiles"][k])
        if abs(exact) < LARGEST:
            errors.append((_relative(values[k], exact, scale), u))
        for name, slope in _slopes(reference, k, at):
            if abs(slope) < LARGEST and abs(exact) < LARGEST:
                unit, floor = max(1, abs(at[name])), max(abs(exact), scale)
                slope_errors.append((_relative(slopes[name][k], slope, floor / unit), u, name))
                if SURE * abs(exact) <= 1e-9 * max(abs(slope), scale / unit):  # else the reference has not the digits
                    strict.append((_relative(slopes[name][k], slope, scale / unit), u, name))
    both = {"gradient": slope_errors, "gradient alone": strict}
    return {"quantile": _worst(errors)} | {name: _worst(seen) for name, seen in both.items() if seen}


def _slopes(reference: Record, level: int, at: dict[str, float]) -> list[tuple[str, Any]]:
    """The reference's gradients at a level; of a location and a scale they are known, and tell how far the others are good."""
    found = {name: mp.mpf(text) for name, text in reference["gradients"][level].items()}
    if not {"loc", "scale"} <= set(at):
        return list(found.items())
    quantile = mp.mpf(reference["quantiles"][level])
    known = {"loc": mp.mpf(1), "scale": (quantile - mp.mpf(at["loc"])) / mp.mpf(at["scale"])}
    good = all(abs(found[n] - known[n]) < TRUSTED * max(1, abs(known[n])) for n in known if n in found)
    return list(((found if good else {}) | known).items())


def _relative(seen: Any, exact: Any, floor: Any) -> float:
    if not np.isfinite(seen):
        return float("inf")
    return float(abs(mp.mpf(float(seen)) - exact) / max(abs(exact), floor))


def _worst(errors: list[Any]) -> Any:
    return max(errors, key=lambda e: e[0])


def _drawn(form: Any, at: dict[str, float], reference: Record) -> Record:
    """Draws below each reference quantile, in standard deviations from what is expected."""
    import jax

    draws = np.asarray(form.sample(jax.random.key(7), at, shape=(DRAWS,)))
    if not np.all(np.isfinite(draws)):
        return {"draws": (float("inf"), 0.5)}
    off = []
    for u, text in zip(LEVELS, reference["quantiles"], strict=True):
        if 1e-3 <= u <= 1 - 1e-3:
            below = float(np.mean(draws <= float(mp.mpf(text))))
            off.append((abs(below - u) / (u * (1 - u) / DRAWS) ** 0.5, u))
    return {"draws": _worst(off)}
