"""Decide what may be called proved: facts about formulas by inference rules, and the same claims examined in ball arithmetic.

The room knows formulas and nothing of laws, rules or models. ``checker/`` infers facts about formulas, each made by a rule
with stated premises, from axioms that are listed; its proofs are data. ``shadow.py`` examines a claim at points of its
region (``region.py``) by balls alone: ``mass_bound.py`` and ``tail_bound.py`` enclose integrals, ``cover.py`` and ``fold.py``
changes of variables, ``positive.py`` signs. Read ``checker/rules.py`` and ``shadow.py`` first.
"""
