"""Turn formulas into equal formulas, and decide facts about them: signs, limits, monotonicity, linearity.

Everything here is about one formula and its symbols; densities and laws come later. Slow calls of sympy run in the
sandbox with a limit. Read ``signs.py`` first, then ``monotone_map.py``.
"""
