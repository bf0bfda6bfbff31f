"""Define conditional densities of one variable: value, log-density, support and conditions on the parameters.

``family.py`` declares named families and ``families.py`` lists them; ``kernel.py`` pulls parents out of a law so that
equal laws share one derivation; ``validity.py`` refuses densities that are none. ``densities`` is calculus on a law,
``approximation`` fits quantile functions. Read ``law.py`` first.
"""
