"""Evaluate formulas in ball arithmetic by python-flint, so that every rounding error is counted.

A ball is an interval that surely contains the value; functions on whole cells go by Taylor expansion with a rigorous
remainder. What cannot be enclosed raises ``Undecided``, never a guess. Read ``signs.py`` first, then ``evaluate.py``.
"""
