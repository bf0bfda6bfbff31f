"""Read PyMC models by their PyTensor graphs.

``model.py`` reads the random variables with their data and dimensions; ``graph.py`` turns a graph into a grid of formulas, and
``array_ops.py`` has one translation for each PyTensor operation. PyMC is imported when a model is read, never at load time.
Read ``model.py`` first, then ``graph.py``.
"""
