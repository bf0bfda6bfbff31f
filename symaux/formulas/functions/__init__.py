"""Define the functions that sympy lacks, and record what is known of every function that formulas may contain.

A special function is a sympy class with a derivative and a value by mpmath; ``registry.py`` lists them all. How a
function is spelled in a target language or computed by generated code is not decided here, only recorded. Read
``special_function.py`` first, then ``registry.py``.
"""
