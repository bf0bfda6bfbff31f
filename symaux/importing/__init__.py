"""Models of other libraries read into symaux: NumPyro by its jaxprs, PyMC by its graph, sympy.stats by its formulas.

Their arrays become index notation: a *grid* knows its shape and the formula that stands at any index.
"""
