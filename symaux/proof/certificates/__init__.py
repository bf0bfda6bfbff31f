"""Bound the distance between two laws in ball arithmetic: total variation, or Kolmogorov for approximations.

A certificate holds for stated parameters or boxes of them, with every rounding and every tail counted. Read
``total_variation.py`` first, then ``symaux/trusted/cover.py``.
"""
