"""Verify forms with one noise: a monotone map, a residual of zero, and a support that is met.

``claim.py`` states what is to be shown, ``monotone.py`` and ``residual.py`` show it, ``refute.py`` looks for a
witness against it in high precision. Read ``claim.py`` first, then ``monotone.py``.
"""
