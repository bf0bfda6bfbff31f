"""Verify forms with one noise: a monotone map, a residual of zero, and a support that is met.

``claim.py`` states what is to be shown, ``methods.py`` lists the ways to prove it (by ``monotone.py`` and ``residual.py``,
or by ``folded.py``), ``refute.py`` looks for a witness against it in high precision. Read ``claim.py`` first, then
``methods.py``.
"""
