"""Read NumPyro models by their jaxprs.

The model is traced by JAX: ``sites.py`` collects its sample sites, ``jaxpr.py`` turns the traced operations into grids of
formulas. A distribution that the tables do not list is read by its own log-density (``law_from_density.py``). Read ``model.py``
first, then ``jaxpr.py``.
"""
