"""Record the elementary functions: powers of e, circular and hyperbolic functions, steps, and symaux's stable forms of them."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp
from sympy.codegen import cfunctions

from symaux.formulas.functions import elementary as own
from symaux.formulas.functions.mpmath_functions import acot, exponential, overflow, with_limit
from symaux.formulas.functions.record import POSITIVE, REAL, UNIT, WITHIN_ONE, FunctionRecord, Shape

oo, HALF_PI = sp.oo, sp.pi / 2
ZERO, ONE, TWO = sp.S.Zero, sp.S.One, sp.S(2)
CIRCLE = (-HALF_PI, HALF_PI)


CODE_ONLY = {"text": "only code generation writes it, never a model"}


def _ndtr(x: Any) -> Any:
    return mp.erfc(-x / mp.sqrt(2)) / 2


EXPONENTIAL = (
    FunctionRecord(
        sp.exp, (REAL,), exponential,
        shape=lambda: Shape(-oo, oo, ZERO, oo, sp.log),
        jax="jnp.exp({0})", numpyro="jnp.exp", pymc="pt.exp", stan="exp",
    ),
    FunctionRecord(
        sp.log, (POSITIVE,), mp.log,
        shape=lambda: Shape(ZERO, oo, -oo, oo, sp.exp),
        jax="jnp.log({0})", numpyro="jnp.log", pymc="pt.log", stan="log",
    ),
    FunctionRecord(
        own.log1p, ((-ONE, oo),), mp.log1p,
        shape=lambda: Shape(-ONE, oo, -oo, oo, own.expm1),
        jax="jnp.log1p({0})", numpyro="jnp.log1p", pymc="pt.log1p", stan="log1p",
    ),
    FunctionRecord(
        own.expm1, (REAL,), mp.expm1,
        shape=lambda: Shape(-oo, oo, -ONE, oo, own.log1p),
        jax="jnp.expm1({0})", numpyro="jnp.expm1", pymc="pt.expm1", stan="expm1",
    ),
    FunctionRecord(
        own.softplus, (REAL,), lambda x: mp.log1p(exponential(x)),
        shape=lambda: Shape(-oo, oo, ZERO, oo, lambda y: sp.log(own.expm1(y))),
        library="softplus", numpyro="jax.nn.softplus", pymc="pt.softplus", stan="log1p_exp",
    ),
    FunctionRecord(
        own.log1mexp, ((-oo, ZERO),), lambda x: mp.log(-mp.expm1(x)), image=(-oo, ZERO),
        library="log1mexp", pymc="pt.log1mexp", stan="log1m_exp",
    ),
    FunctionRecord(
        own.logistic, (REAL,), lambda x: 1 / (1 + exponential(-x)), image=UNIT,
        jax="jax.nn.sigmoid({0})", numpyro="jax.nn.sigmoid", pymc="pt.sigmoid", stan="inv_logit",
        absent=CODE_ONLY,
    ),
    FunctionRecord(own.complement, (REAL,), lambda x: 1 - x, jax="(1.0 - {0})", absent=CODE_ONLY),
)  # fmt: skip

CIRCULAR = (
    FunctionRecord(
        sp.sin, (REAL,), mp.sin,
        shape=lambda: Shape(*CIRCLE, -ONE, ONE, sp.asin),
        jax="jnp.sin({0})", numpyro="jnp.sin", pymc="pt.sin", stan="sin",
    ),
    FunctionRecord(
        sp.cos, (REAL,), mp.cos,
        shape=lambda: Shape(ZERO, sp.pi, ONE, -ONE, sp.acos),
        jax="jnp.cos({0})", numpyro="jnp.cos", pymc="pt.cos", stan="cos",
    ),
    FunctionRecord(
        sp.tan, (REAL,), mp.tan, breaks=sp.cos,
        shape=lambda: Shape(*CIRCLE, -oo, oo, sp.atan),
        jax="jnp.tan({0})", numpyro="jnp.tan", pymc="pt.tan", stan="tan",
    ),
    FunctionRecord(
        sp.cot, (REAL,), mp.cot, breaks=sp.sin,
        shape=lambda: Shape(ZERO, sp.pi, oo, -oo, lambda y: HALF_PI - sp.atan(y)),
        jax="1 / jnp.tan({0})",
    ),
    FunctionRecord(sp.sec, (REAL,), mp.sec, breaks=sp.cos, jax="1 / jnp.cos({0})"),
    FunctionRecord(sp.csc, (REAL,), mp.csc, breaks=sp.sin, jax="1 / jnp.sin({0})"),
    FunctionRecord(
        sp.asin, (WITHIN_ONE,), mp.asin,
        shape=lambda: Shape(-ONE, ONE, *CIRCLE, sp.sin),
        jax="jnp.arcsin({0})", numpyro="jnp.arcsin", pymc="pt.arcsin", stan="asin",
    ),
    FunctionRecord(
        sp.acos, (WITHIN_ONE,), mp.acos,
        shape=lambda: Shape(-ONE, ONE, sp.pi, ZERO, sp.cos),
        jax="jnp.arccos({0})", numpyro="jnp.arccos", pymc="pt.arccos", stan="acos",
    ),
    FunctionRecord(
        sp.atan, (REAL,), mp.atan,
        shape=lambda: Shape(-oo, oo, *CIRCLE, sp.tan),
        jax="jnp.arctan({0})", numpyro="jnp.arctan", pymc="pt.arctan", stan="atan",
    ),
    FunctionRecord(sp.acot, (REAL,), acot, breaks=lambda x: x, jax="jnp.arctan(1 / {0})"),
    FunctionRecord(
        sp.atan2, (REAL, REAL), mp.atan2, breaks=lambda y, x: sp.Max(x, 0) + sp.Abs(y),
        points=((1, 2), (sp.Rational(-5, 3), sp.Rational(1, 4)), (sp.Rational(2, 7), 3)),
        jax="jnp.arctan2({0}, {1})", numpyro="jnp.arctan2", pymc="pt.arctan2", stan="atan2",
    ),
)  # fmt: skip

HYPERBOLIC = (
    FunctionRecord(
        sp.sinh, (REAL,), with_limit(mp.sinh, overflow),
        shape=lambda: Shape(-oo, oo, -oo, oo, sp.asinh),
        jax="jnp.sinh({0})", numpyro="jnp.sinh", pymc="pt.sinh", stan="sinh",
    ),
    FunctionRecord(
        sp.cosh, (REAL,), with_limit(mp.cosh, overflow), image=POSITIVE,
        shape=lambda: Shape(ZERO, oo, ONE, oo, sp.acosh),
        jax="jnp.cosh({0})", numpyro="jnp.cosh", pymc="pt.cosh", stan="cosh",
    ),
    FunctionRecord(
        sp.tanh, (REAL,), with_limit(mp.tanh, mp.sign),
        shape=lambda: Shape(-oo, oo, -ONE, ONE, sp.atanh),
        jax="jnp.tanh({0})", numpyro="jnp.tanh", pymc="pt.tanh", stan="tanh",
    ),
    FunctionRecord(
        sp.coth, (REAL,), with_limit(mp.coth, mp.sign), breaks=lambda x: x, jax="1 / jnp.tanh({0})",
    ),
    FunctionRecord(sp.sech, (REAL,), with_limit(mp.sech, lambda x: mp.mpf(0)), image=POSITIVE, jax="1 / jnp.cosh({0})"),
    FunctionRecord(
        sp.csch, (REAL,), with_limit(mp.csch, lambda x: mp.mpf(0)), breaks=lambda x: x, jax="1 / jnp.sinh({0})",
    ),
    FunctionRecord(
        sp.asinh, (REAL,), mp.asinh,
        shape=lambda: Shape(-oo, oo, -oo, oo, sp.sinh),
        jax="jnp.arcsinh({0})", numpyro="jnp.arcsinh", pymc="pt.arcsinh", stan="asinh",
    ),
    FunctionRecord(
        sp.acosh, ((ONE, oo),), mp.acosh,
        shape=lambda: Shape(ONE, oo, ZERO, oo, sp.cosh),
        jax="jnp.arccosh({0})", numpyro="jnp.arccosh", pymc="pt.arccosh", stan="acosh",
    ),
    FunctionRecord(
        sp.atanh, (WITHIN_ONE,), mp.atanh,
        shape=lambda: Shape(-ONE, ONE, -oo, oo, sp.tanh),
        jax="jnp.arctanh({0})", numpyro="jnp.arctanh", pymc="pt.arctanh", stan="atanh",
    ),
)  # fmt: skip

STEPS = (
    FunctionRecord(
        sp.Abs, (REAL,), abs, jax="jnp.abs({0})", numpyro="jnp.abs", pymc="pt.abs", stan="abs",
    ),
    FunctionRecord(
        sp.sign, (REAL,), mp.sign, breaks=lambda x: x, jax="jnp.sign({0})", numpyro="jnp.sign", pymc="pt.sign",
    ),
    FunctionRecord(
        sp.floor, (REAL,), mp.floor, breaks=lambda x: sp.sin(sp.pi * x),
        jax="jnp.floor({0})", numpyro="jnp.floor", pymc="pt.floor", stan="floor",
    ),
    FunctionRecord(
        sp.ceiling, (REAL,), mp.ceil, breaks=lambda x: sp.sin(sp.pi * x),
        jax="jnp.ceil({0})", numpyro="jnp.ceil", pymc="pt.ceil", stan="ceil",
    ),
    FunctionRecord(
        sp.Heaviside, (REAL,), lambda x, at_zero=0.5: mp.mpf(1) if x > 0 else at_zero if x == 0 else mp.mpf(0),
        breaks=lambda x: x, most=2, jax="jnp.heaviside({0}, {1})",
    ),
    FunctionRecord(sp.Max, (REAL, REAL), lambda *args: max(args), most=8),
    FunctionRecord(sp.Min, (REAL, REAL), lambda *args: min(args), most=8),
)  # fmt: skip

NORMAL = (
    FunctionRecord(
        own.ndtr, (REAL,), _ndtr,
        shape=lambda: Shape(-oo, oo, ZERO, ONE, own.ndtri),
        jax="special.ndtr({0})", numpyro="special.ndtr", pymc="normal_cdf", stan="@normal_probability",
    ),
    FunctionRecord(
        own.ndtri, (UNIT,), lambda u: mp.sqrt(2) * mp.erfinv(2 * u - 1),
        shape=lambda: Shape(ZERO, ONE, -oo, oo, own.ndtr), quantile_of=own.ndtr,
        jax="special.ndtri({0})", numpyro="special.ndtri", pymc="normal_quantile", stan="inv_Phi",
    ),
    FunctionRecord(
        own.log_ndtr, (REAL,), lambda x: mp.log(_ndtr(x)),
        shape=lambda: Shape(-oo, oo, -oo, ZERO, lambda y: own.ndtri(sp.exp(y))),
        library="log_ndtr", numpyro="special.log_ndtr", pymc="normal_log_cdf", stan="@normal_log_probability",
    ),
    FunctionRecord(
        sp.erf, (REAL,), mp.erf,
        shape=lambda: Shape(-oo, oo, -ONE, ONE, sp.erfinv),
        jax="special.erf({0})", numpyro="special.erf", pymc="pt.erf", stan="erf",
    ),
    FunctionRecord(
        sp.erfc, (REAL,), mp.erfc,
        shape=lambda: Shape(-oo, oo, TWO, ZERO, sp.erfcinv),
        jax="special.erfc({0})", numpyro="special.erfc", pymc="pt.erfc", stan="erfc",
    ),
    FunctionRecord(
        sp.erfi, (REAL,), mp.erfi, library="erfi",
        absent={"pymc": "PyTensor has no such function", "stan": "Stan has no such function"},
    ),
    FunctionRecord(
        sp.erfinv, (WITHIN_ONE,), mp.erfinv,
        shape=lambda: Shape(-ONE, ONE, -oo, oo, sp.erf),
        library="erfinv", numpyro="special.erfinv", pymc="pt.erfinv", stan="@erf_inverse",
    ),
    FunctionRecord(
        sp.erfcinv, ((ZERO, TWO),), lambda x: mp.erfinv(1 - x),
        shape=lambda: Shape(ZERO, TWO, oo, -oo, sp.erfc),
        library="erfcinv", pymc="pt.erfcinv",
    ),
)  # fmt: skip

RECORDS = (*EXPONENTIAL, *CIRCULAR, *HYPERBOLIC, *STEPS, *NORMAL)
SAME = {cfunctions.expm1: own.expm1}  # sympy's own class, which some of its functions return
