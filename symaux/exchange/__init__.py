"""Exchange models and evidence with others: Stan, PyMC, NumPyro, sympy.stats, and JSON records.

``exporting`` writes programs, ``importing`` reads models, ``archive`` stores evidence that can be checked again. What
cannot be translated is refused with a reason. Read ``exporting/export.py`` first.
"""
