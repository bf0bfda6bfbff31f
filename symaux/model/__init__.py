"""Define Bayesian networks: statements, nodes over plates, axes, and the checks that make a model one.

A model is a tuple of statements; nodes, edges and lengths of axes are read off their formulas and never declared. It
is immutable: a rewrite returns a new one. ``unroll`` writes plates out and ``roll`` finds them again. Read
``model.py`` first, then ``statements.py``.
"""
