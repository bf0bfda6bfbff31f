"""Rewrite formulas so that floating-point arithmetic keeps their digits.

The simplification rules are an argument; ``tail_forms.py`` chooses among equal formulas by their measured error in both
tails. Read ``simplify.py`` first, then ``model.py``.
"""
