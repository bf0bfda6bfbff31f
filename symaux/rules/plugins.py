"""Load the default rules from the entry-point group ``symaux.rules``: the library ``rewrites`` first, then plugins by name.

A plugin names a module there that defines RULES and, if it has any, APPROXIMATIONS, SIMPLIFICATIONS and COLLAPSES.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from symaux.errors import SymauxError
from symaux.rules.rule import Rule, as_rule

GROUP = "symaux.rules"
FIRST = "rewrites"


class PluginError(SymauxError):
    """A package of rules is missing or cannot be loaded."""

    code = "plugin"


def installed_rule_packages() -> tuple[EntryPoint, ...]:
    """Return the installed packages of rules, in the order in which their rules are tried.

    >>> installed_rule_packages()[0].name
    'rewrites'
    """
    found = {member.name: member for member in entry_points(group=GROUP)}
    if not found:
        raise PluginError(
            f"no rules are installed: the entry-point group {GROUP} is empty; reinstall symaux (make venv)"
        )
    return tuple(sorted(found.values(), key=lambda member: (member.name != FIRST, member.name)))


@cache
def default_rules() -> tuple[Rule, ...]:
    """Return every installed rule, in order."""
    return tuple(as_rule(rule) for member in installed_rule_packages() for rule in _attribute(member, "RULES"))


@cache
def default_approximations() -> tuple[Rule, ...]:
    """Return every installed rule whose forms are only approximate: these are tried last, and only on request."""
    return tuple(as_rule(rule) for member in installed_rule_packages() for rule in _attribute(member, "APPROXIMATIONS"))


@cache
def default_simplifications() -> tuple[Any, ...]:
    """Return every installed expression-to-expression rule that code generation uses, in order."""
    return tuple(rule for member in installed_rule_packages() for rule in _attribute(member, "SIMPLIFICATIONS"))


@cache
def default_collapses() -> tuple[Any, ...]:
    """Return every installed rule that collapses sums over data to statistics, in order."""
    return tuple(rule for member in installed_rule_packages() for rule in _attribute(member, "COLLAPSES"))


def _attribute(member: EntryPoint, name: str) -> tuple[Any, ...]:
    try:
        return tuple(getattr(member.load(), name, ()))
    except (ImportError, AttributeError) as failure:
        raise PluginError(f"the rules of {member.name} ({member.value}) cannot be loaded: {failure}") from failure
