"""Define the records that travel: rules, rewrites, verdicts, steps, derivations, forms and choices.

This room holds records, not mathematics: the rule library is in ``/rewrites``, whose first file is
``rewrites/location_scale.py``. A rule maps a law to a rewrite or returns None; rules are arguments and are never imported here.
``plugins.py`` finds the installed rules by entry points. ``toolkit.py`` is the public module for authors of rules and
re-exports only what lies above this package. Read ``rule.py`` first, then ``verdict.py``.
"""
