"""Lower formulas in index notation to JAX expressions on whole arrays.

``expression.py`` is the entry: sums become einsums, elements become slices and gathers, functions are looked up in
tables. A function that has no implementation is refused here, not when the code runs. Read ``expression.py`` first,
then ``array_code.py``.
"""
