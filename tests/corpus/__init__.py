"""Corpora of densities, each with parameter points and a reference that owes nothing to the engine.

``sympy_stats``: the 53 continuous distributions of sympy.stats. ``scipy_catalogue``: SciPy's, with location and scale, also
rearranged. ``unnamed``: densities that nobody has named, made from a seed. The engine is given formulas, never names.
"""
