"""Read NumPyro models by their jaxprs.

Read ``model.py`` first.
"""
