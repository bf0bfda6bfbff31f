"""Hold the mathematics of formulas, which knows no law and no model.

``symbols`` has the objects that formulas are made of, ``functions`` one record for every function that they may
contain, ``numeric`` turns a formula into a number or a ball, ``algebra`` into an equal formula. Each of the four may
import those named before it. Read ``symbols/indices.py`` first, then ``functions/registry.py``.
"""
