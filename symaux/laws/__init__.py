"""Define conditional densities of one variable: value, log-density, support and conditions on the parameters.

``family.py`` declares named families and ``families.py`` lists them; ``kernel.py`` abstracts the parents' formulas into
parameters, so that equal laws share one derivation; ``validity.py`` rejects formulas that are not densities. ``densities``
holds calculus on a law, ``approximation`` fits quantile functions. Read ``law.py`` first.
"""
