"""Translate array computations of other libraries to index notation: broadcasting, gathers, scans, branches.

A ``Grid`` is an array of formulas over plates. Read ``grid.py`` first.
"""
