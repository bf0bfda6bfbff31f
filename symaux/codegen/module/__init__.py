"""Assemble the module of a model: log-density, generator, prior sampler, data preparation and docstring.

``source.py`` is the entry and returns text; nothing is executed here. Read ``source.py`` first, then
``log_density.py``.
"""
