"""Define Bayesian networks: statements, nodes over plates, axes, and the checks of a model.

A model is a tuple of statements; nodes, edges and lengths of axes are read off their formulas and never declared. It
is immutable: a rewrite returns a new one. ``unroll`` expands plates into elements and ``roll`` finds plates again. Read
``model.py`` first, then ``statements.py``.
"""
