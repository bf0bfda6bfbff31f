"""Bind the default rules to the public calls: the engine, the rules and code generation meet here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from symaux.derivation import law as engine
from symaux.derivation import model as rewriting
from symaux.derivation.sampling_model import sampling_model
from symaux.errors import DataError, ModelError, SymauxError
from symaux.formulas.symbols.indices import name_of
from symaux.formulas.symbols.names import describe_clash
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import named_formulas
from symaux.rules.arguments import as_data_by_name, as_final_model, as_form, as_law, as_model
from symaux.rules.choice import CHOICES
from symaux.rules.derivation import Derivation
from symaux.rules.form import AuxiliaryForm
from symaux.rules.plugins import default_approximations, default_collapses, default_rules, default_simplifications
from symaux.rules.verdict import Status, Verdict

Rules = Sequence[Any] | None
Data = Mapping[str, Any] | None
Box = Mapping[Any, Any] | None


def _rules(rules: Rules) -> Sequence[Any]:
    return default_rules() if rules is None else tuple(rules)


def forms(
    law: Law, rules: Rules = None, *, noise: str = "auto", accept: str | None = None, box: Box = None
) -> Iterator[AuxiliaryForm]:
    """Yield every auxiliary form of a law with its verdict, best first; approximate ones only where they are accepted.

    ``box={"a": (1, 4)}`` gives the range of each parameter, for an approximation with one bound in all of the box.
    """
    within = _within(as_law(law), accept, box)
    yield from engine.forms(law, _rules(rules), noise=noise)
    if accept == "approximate":
        yield from engine.approximations(within, _rules(rules), default_approximations(), noise=noise)


def _within(law: Law, accept: str | None, box: Box) -> Law:
    if box is None:
        return law
    if accept != "approximate":
        raise SymauxError("box= is for approximations: it goes with accept='approximate'")
    from symaux.laws.densities.parameter_box import restrict_to_box

    return restrict_to_box(law, box)


def derive(
    law: Law, rules: Rules = None, *, noise: str = "auto", accept: str | None = None, box: Box = None
) -> AuxiliaryForm:
    """Return the best verified auxiliary form of a law; raise NoRuleApplies where there is none.

    ``accept="sampled"`` also admits a form checked only by sampling; ``accept="approximate"`` one with a proved
    bound of the Kolmogorov distance, which then comes before a form that iterates and after a closed one. Shapes that are
    not numbers need a ``box={"a": (1, 4)}`` of one or two parameters: the bound and Q' > 0 then hold in all of it.

    >>> import sympy as sp
    >>> from symaux.laws.families import exponential
    >>> print(derive(exponential(sp.Symbol("z", positive=True), sp.Symbol("r", positive=True))).value)
    eps_z/r
    """
    approximations = default_approximations() if accept == "approximate" else ()
    return engine.derive(
        _within(as_law(law), accept, box), _rules(rules), noise=noise, accept=accept, approximate=approximations
    )


def auxiliary(
    model: Model,
    only: Iterable[Any] | None = None,
    keep_roots: bool = True,
    noise: str = "normal",
    rules: Rules = None,
    *,
    choose: str = "all",
    data: Data = None,
    seed: int = 0,
) -> Derivation:
    """Return the auxiliary form of a model, with the derivation of every step.

    The auxiliary form is the non-centred parameterisation, for every law and not only for location-scale families.
    ``choose`` says how far each latent is rewritten: "all" as far as it goes; "advise" by how sharp prior and ``data`` are
    at a short pilot run; "learn" by a short variational run. The last two may leave a variable in its original form or stop
    half way, element by element; ``.choice`` holds the weights and a sentence for each variable.
    """
    if choose not in CHOICES:
        raise ModelError(f"choose is one of {', '.join(CHOICES)}, not {choose!r}")
    if choose == "all":
        return rewriting.auxiliary(as_model(model), _rules(rules), only, keep_roots, noise)
    from symaux.learn.choose.choose import choose_forms

    names = None if only is None else rewriting.latent_names(as_model(model), only)
    return choose_forms(as_model(model), as_data_by_name(data), choose, names, noise, seed)[0]


def apply_choice(model: Model, weights: Mapping[str, Any], reasons: Mapping[str, str], noise: str) -> Derivation:
    """Rewrite every latent to the form of its weight, by the default rules."""
    return rewriting.rewrite_by_weights(model, default_rules(), weights, reasons, noise)


def unconstrain(model: Model) -> Derivation:
    """Return the model with every bounded latent moved to the real line."""
    return rewriting.unconstrain(as_model(model))


def partial(
    model: Model, weights: Mapping[str, Any] | Iterable[Any], rules: Rules = None, *, closed: bool = False
) -> Derivation:
    r"""Return the model with some latents in partial form, between original (weight 1) and auxiliary form (weight 0).

    Weights are numbers or formulas by name; names alone make them inputs ``lambda_v``, of v's shape, given with the data.
    With a location and a scale, w = λ m + s**λ ε; where a shape depends on parents, w has the same law with its parameters to
    the power of λ. ``closed=True`` leaves out forms that solve equations, as those of gamma and beta laws do.
    """
    named = weights if isinstance(weights, Mapping) else dict.fromkeys(weights)
    return rewriting.partial(as_model(model), _rules(rules), {name_of(k): w for k, w in named.items()}, closed)


def verify(law: Law, form: Any) -> Verdict:
    """Return the verdict on whether a form has a law, by code that knows nothing of the rules."""
    from symaux.proof.verify import verify

    given, claim = as_law(law), as_form(form)
    named = (f for each in (given, *claim.noise) for f in named_formulas(each))
    if (clash := describe_clash((*named, claim.value))) is not None:
        return Verdict(Status.UNDECIDED, (clash,))
    return verify(given, claim)


def to_source(
    model: Model | Derivation | AuxiliaryForm,
    title: str = "",
    *,
    parallel: bool = False,
    checkpoint: bool = False,
    unroll: bool = False,
    drop_constants: bool = False,
) -> str:
    """Return the text of a module that imports only jax: prepare, log_density, value_and_grad, generate, sample_prior, …

    For a derivation, it is the module of the resulting model, and documents how every variable was rewritten and on what
    evidence; for the form of one law, it holds the generating function.
    ``parallel=True`` computes affine recursions over time as prefix sums, for devices with many units;
    ``checkpoint=True`` stores about √T steps of a recursion for the gradient and recomputes the others, and the terms that
    read them; ``unroll=True`` writes out all steps of short recursions, which may run faster and compiles slower the more
    there are. ``drop_constants=True`` leaves out terms that depend neither on a latent variable nor on an input.
    """
    recursions = _recursions(parallel, checkpoint, unroll)
    form = model.after if isinstance(model, Derivation) else model
    if isinstance(form, AuxiliaryForm):
        return form_source(form)
    final = as_final_model(model)
    dropped = frozenset(final.observed) if drop_constants else None
    if isinstance(model, Derivation):
        return _write_source(final, title, True, model, recursions, dropped)
    return _source(final, title, recursions=recursions, dropped=dropped)


def form_source(form: AuxiliaryForm) -> str:
    """Return the text of a module with the generating function of a form."""
    from symaux.codegen.runtime.form import to_source

    return to_source(form, form_simplifier())


@lru_cache(maxsize=1)
def form_simplifier() -> Any:
    """Return the default simplifications as one function of a formula."""
    from symaux.codegen.stabilise.simplify import simplifier

    return simplifier(default_simplifications())


def _recursions(parallel: bool, checkpoint: bool, unroll: bool) -> str:
    """Return the name of the way in which recursions over time are computed; raise DataError where two are asked for."""
    asked = [
        name for name, wanted in (("parallel", parallel), ("checkpoint", checkpoint), ("unrolled", unroll)) if wanted
    ]
    if len(asked) > 1:
        raise DataError(f"a recursion is computed in one way: choose one of {', '.join(asked)}")
    return asked[0] if asked else "scan"


def _source(
    model: Model, title: str = "", sampler: bool = True, recursions: str = "scan", dropped: frozenset[str] | None = None
) -> str:
    return _cached_source(model, title, sampler, recursions, dropped)


@lru_cache(maxsize=64)
def _cached_source(model: Model, title: str, sampler: bool, recursions: str, dropped: frozenset[str] | None) -> str:
    return _write_source(model, title, sampler, recursions=recursions, dropped=dropped)


def _write_source(
    model: Model,
    title: str,
    sampler: bool,
    derivation: Derivation | None = None,
    recursions: str = "scan",
    dropped: frozenset[str] | None = None,
) -> str:
    from symaux.codegen.module.source import to_source

    sampling = sampling_model(model, default_rules()) if sampler else None
    return to_source(
        model, default_simplifications(), sampling, title, derivation, recursions, default_collapses(), dropped
    )


def to_stablehlo(
    model: Model | Derivation, platforms: Sequence[str] = ("cpu", "cuda", "tpu"), dtype: str = "float32"
) -> dict[str, bytes]:
    """Export the functions of a module as ``jax.export`` artefacts, by name; open plates have symbolic lengths."""
    from symaux.codegen.runtime.stablehlo import export_artefacts

    final = as_final_model(model)
    return export_artefacts(final, _source(final, sampler=False), platforms, dtype)


def log_density(
    model: Model | Derivation,
    data: Data = None,
    *,
    mesh: Any = None,
    shard: str | None = None,
    parallel: bool = False,
    checkpoint: bool = False,
    unroll: bool = False,
    drop_constants: bool = False,
) -> Callable[[Mapping[str, Any]], Any]:
    """Return the function position -> log p(position, data), a scalar; it is pure, for jit, grad and vmap.

    For a derivation, it is that of the resulting model.
    With ``mesh=`` a jax mesh and ``shard=`` a plate, data and position are sharded over the devices along that plate.
    Compiled, a function of the position holds the data as constants; ``logp.of(position, logp.data)`` takes them as an
    argument, so that each device holds its own part only, and is the one to use on several hosts. ``parallel=True``
    computes affine recursions over time as prefix sums, ``checkpoint=True`` saves memory in long ones, and
    ``unroll=True`` writes out all steps of short ones, which may run faster and compiles longer.
    ``drop_constants=True`` leaves out every term that does not depend on the position: log p up to a constant.
    """
    from symaux.codegen.runtime.model import log_density

    final, given = as_final_model(model), as_data_by_name(data)
    dropped: frozenset[str] | None = frozenset({*final.observed, *(given or {})}) if drop_constants else None
    recursions = ("" if mesh is None else "spread ") + _recursions(parallel, checkpoint, unroll)
    source = _source(final, sampler=False, recursions=recursions, dropped=dropped)
    return log_density(final, source, given, mesh, shard)


def generate(model: Model | Derivation, data: Data = None) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return the function position -> the values of the model's own latent and deterministic variables."""
    from symaux.codegen.runtime.model import generate

    final = as_final_model(model)
    return generate(final, _source(final, sampler=False), as_data_by_name(data))


def sample_prior(model: Model | Derivation, data: Data = None) -> Callable[[Any], dict[str, Any]]:
    """Return the function key -> a draw of every variable of the model."""
    from symaux.codegen.runtime.model import sample_prior

    final = as_final_model(model)
    return sample_prior(final, _source(final), as_data_by_name(data))


def verify_derivation(derivation: Derivation) -> Verdict:
    """Return the verdict on a derivation, including its generated code."""
    from symaux.validate.verify_model import verify_derivation

    return verify_derivation(derivation, source_without_sampler)


def source_without_sampler(model: Model) -> str:
    """Return the generated module of a model without the sampler of its prior, which may need derivations of its own."""
    return _source(model, sampler=False)


def calibrate(
    derivation: Derivation, data: Data = None, *, replicates: int = 200, seed: int = 0, seconds: float = 600.0
) -> Any:
    """Run simulation-based calibration of a model's auxiliary form with BlackJAX, and report whether ranks are uniform.

    ``data`` holds inputs by name (observations are drawn); inputs that it does not hold are drawn too. The time limit is
    checked between rounds of replicates, and the result rests on the rounds done in time.
    """
    from symaux.validate.calibration import Uncalibratable, calibrate

    if not isinstance(derivation.before, Model) or not isinstance(derivation.after, Model):
        raise Uncalibratable("calibration is for models; sa.verify and form.verdict judge a law's form")
    after = rewriting.unconstrain(derivation.after).after
    return calibrate(
        derivation.before,
        after,
        source_without_sampler,
        _source,
        data=data,
        replicates=replicates,
        seed=seed,
        seconds=seconds,
    )
