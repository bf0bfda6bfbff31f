"""Show that a density integrates to one, in closed form and for all parameters.

``mass.py`` is the entry and tries the methods of its ``METHODS`` tuple in order; the first of them is the ``METHODS`` tuple of
``recognise.py``: recognised derivatives, reflection, Mellin transforms, sums, tables. Read ``mass.py`` first, then
``recognise.py``.
"""
