"""Read PyMC models by their PyTensor graphs.

Read ``model.py`` first.
"""
