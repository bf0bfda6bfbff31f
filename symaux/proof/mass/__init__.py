"""Show that a density integrates to one, in closed form and for all parameters.

``mass.py`` is the entry and tries the methods in order: recognised derivatives, definite integrals, tables, Mellin
transforms, sums term by term. Read ``mass.py`` first, then ``recognise.py``.
"""
