"""Fit piecewise Chebyshev polynomials to the quantile function of a law, at a point or over a box of parameters.

A fit is a proposal: its error is bounded by ``proof.certificates``, by other code. Quantiles are followed along a
differential equation in ball arithmetic, so that a table starts from correct digits. Read ``quantile_tables.py`` first.
"""
