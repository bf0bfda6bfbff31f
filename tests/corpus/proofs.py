"""The evidence for one law of a catalogue, as plain data: verdict, certificates, and the errors of the generated code."""

from __future__ import annotations

import itertools
from typing import Any

import mpmath as mp
import numpy as np
import sympy as sp

import symaux as sa
from corpus.entry import Entry, Point
from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.numeric.evaluate import real
from symaux.laws.standard_noise import is_standard_normal, is_standard_uniform
from symaux.proof import verify as proof
from symaux.proof.certificates.total_variation import Certificate, certify_at_points
from symaux.proof.scalar.claim import claim
from symaux.sandbox import cpu_seconds, run_bounded, value_or
from symaux.trusted.parameter_points import stated_points

DIGITS, AGREED, MOST = 60, 45, 1000  # log(1/x - 1) of an x next to 1 needs as many digits as x has nines
UNIFORM = (1e-30, 1e-12, 1e-6, 1e-3, 0.1, 0.9, 1 - 1e-3, 1 - 1e-6, 1 - 1e-12)
NORMAL = (-8.0, -5.0, -3.0, -1.0, 1.0, 3.0, 5.0, 8.0)
POSITIVE = (1e-12, 1e-6, 1e-3, 0.1, 1.0, 5.0, 20.0)
CERTIFYING = 20.0  # seconds for all points of a law
Record = dict[str, Any]


def evidence(entry: Entry) -> Record:
    """Everything that is known of the form that the engine gives for a law."""
    began = cpu_seconds()
    try:
        form = sa.derive(entry.law(), accept="sampled")
    except sa.SymauxError as failure:
        return {"verdict": "NONE", "why": str(failure)[:300]}
    derived = cpu_seconds() - began
    proof._verdict.cache_clear()
    began = cpu_seconds()
    verdict = form.derivation.verify()
    record = {
        "verdict": form.verdict.status.name,
        "again": verdict.status.name,
        "evidence": list(verdict.evidence),
        "region": list(verdict.region),
        "form": f"{form.law.value} = {form.value}",
        "noises": len(form.noise),
        "derived": derived,
        "verified": cpu_seconds() - began,
    }
    return record | certificates(form) | errors(entry, form)


def certificates(form: Any) -> Record:
    """Ball arithmetic on the form as a whole, at the stated points, whatever was proved."""
    if len(form.noise) != 1 or form.value.has(ImplicitQuantile) or form.law.event:
        return {}
    made = claim(form.law, form.noise[0], form.value)
    chosen = stated_points(made.parameters, made.law.conditions)
    began = cpu_seconds()
    shown = value_or(run_bounded(certify_at_points, made, chosen, CERTIFYING, seconds=4 * CERTIFYING), [])
    kept = [(p, c) for p, c in zip(chosen, shown, strict=False) if isinstance(c, Certificate)]
    return {
        "points": [", ".join(f"{s} = {v}" for s, v in sorted(p.items(), key=str)) or "no parameters" for p, _ in kept],
        "intervals": sum(c.intervals for _, c in kept),
        "distance": max((c.distance for _, c in kept), default=None),
        "certifying": cpu_seconds() - began,
    }


def errors(entry: Entry, form: Any) -> Record:
    """The worst units in the last place in float64 and float32, and the worst error of a gradient, over all points."""
    if form.value.has(ImplicitQuantile):
        return {}
    worst: Record = {}
    for point in entry.points:
        at = {name: value for name, value in point.items() if name in {p.name for p in entry.parameters}}
        for name, value in _at(form, at).items():
            worst[name] = max(worst.get(name, 0.0), value)
    return {"errors": worst, "sets": [", ".join(f"{n} = {v}" for n, v in p.items()) for p in entry.points]}


def _at(form: Any, at: Point) -> Record:
    noises = [_levels(noise) for noise in form.noise]
    rows = list(itertools.islice(itertools.product(*noises), 40))
    return {
        "ulp64": _ulps(form, at, rows, np.float64),
        "ulp32": _ulps(form, at, [row for row in rows if all(_single(e) for e in row)], np.float32),
        "gradient": _gradient(form, at, rows),
    }


def _levels(noise: sa.Law) -> tuple[float, ...]:
    if is_standard_uniform(noise):
        return UNIFORM
    return NORMAL if is_standard_normal(noise) or noise.support.lower == -sp.oo else POSITIVE


def _single(e: float) -> bool:
    return float(np.float32(e)) not in (0.0, 1.0)


def _exact(form: Any, at: Any, row: Any) -> Any:
    values = {noise.value: sp.Rational(*float(e).as_integer_ratio()) for noise, e in zip(form.noise, row, strict=True)}
    symbols = {p: at[p.name] for p in form.law.parameters}
    digits, last = DIGITS, None
    while digits < MOST:
        with mp.workdps(digits):
            found = real(form.value, {**values, **symbols})
        if None not in (found, last) and abs(found - last) <= abs(found) * mp.mpf(10) ** -AGREED:
            return found
        digits, last = 2 * digits, found
    return None


def _ulps(form: Any, at: Point, rows: Any, kind: Any) -> float:
    """Of the generated code against mpmath, both at the same floating-point noise and parameters."""
    given = {name: kind(float(value)) for name, value in at.items()}
    exactly = {name: sp.Rational(*float(value).as_integer_ratio()) for name, value in given.items()}
    worst = 0.0
    for row in rows:
        rounded = tuple(kind(e) for e in row)
        exact = _exact(form, exactly, rounded)
        if exact is None or not float(np.finfo(kind).tiny) < abs(exact) < float(np.finfo(kind).max):
            continue
        eps = {noise.name: e for noise, e in zip(form.noise, rounded, strict=True)}
        seen = np.asarray(form.generate(eps, given))
        off = abs(mp.mpf(float(seen)) - exact) / mp.mpf(float(np.spacing(kind(abs(exact)))))
        worst = max(worst, float(off) if np.isfinite(seen) else float("inf"))
    return worst


def _gradient(form: Any, at: Point, rows: Any) -> float:
    """Slopes in the parameters against differences of mpmath's values at 60 digits."""
    import jax

    free = [p for p in form.law.parameters if not p.is_integer]
    given = {name: np.float64(float(value)) for name, value in at.items()}
    exactly = {name: sp.Rational(*float(value).as_integer_ratio()) for name, value in given.items()}
    step, worst = sp.Rational(1, 10**20), 0.0
    for row in rows[:: max(1, len(rows) // 6)] if free else []:
        eps = {noise.name: np.float64(e) for noise, e in zip(form.noise, row, strict=True)}
        slopes = jax.grad(lambda p, eps=eps: form.generate(eps, p))(given)
        here = _exact(form, exactly, row)
        for p in free:
            ahead, behind = (_exact(form, exactly | {p.name: exactly[p.name] + d}, row) for d in (step, -step))
            if None in (ahead, behind, here) or not abs(here) < 1e300:
                continue
            with mp.workdps(MOST):
                exact = (ahead - behind) * 10**20 / 2
                size = max(abs(exact), abs(here) / max(1, abs(mp.mpf(float(given[p.name])))))
            if 1e-290 < size < 1e290:
                worst = max(worst, float(abs(mp.mpf(float(slopes[p.name])) - exact) / size))
    return worst
