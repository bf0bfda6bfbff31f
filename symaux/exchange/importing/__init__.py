"""Read models of other libraries: NumPyro by its jaxprs, PyMC by its graph, sympy.stats by its formulas.

Their arrays become index notation: a *grid* knows its shape and the formula at any index. What cannot be read is
refused with its name. Read ``arrays/grid.py`` first, then ``numpyro/model.py``.
"""
