"""Define the records that travel: rules, rewrites, verdicts, steps, derivations, forms and choices.

A rule takes a law apart or answers None; it is an argument, never imported here. ``plugins.py`` finds the installed
rules by entry points. ``toolkit.py`` is the public module for authors of rules and re-exports only what stands above
this package. Read ``rule.py`` first, then ``verdict.py``.
"""
