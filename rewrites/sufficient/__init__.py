"""Collapse sums over data to their sufficient statistics, one rule per file.

A rule sees one term of a sum over plates and knows which arrays are data; it returns a term with sums over data alone, which
generated code computes once, or None. ``product_of_residuals.py`` does so for linear regressions. Read ``total.py`` first.
"""
