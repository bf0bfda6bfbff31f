"""Turn formulas into numbers: at any precision, at points that satisfy assumptions, with plates, and by balls.

Evaluation by mpmath (``evaluate.py``), by ball arithmetic (``balls``) and by generated JAX code (elsewhere) are three
separate answers on purpose: their agreement is evidence. Nothing here knows a law. Read ``evaluate.py`` first, then
``points.py``.
"""
