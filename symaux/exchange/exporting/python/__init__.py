"""Write models as NumPyro and PyMC programs.

``source.py`` is the entry, ``formulas.py`` prints formulas as array expressions. Read ``source.py`` first.
"""
