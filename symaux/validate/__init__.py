"""Check whole models numerically: structure, log-density at random points, forward draws, calibration.

``reference.py`` evaluates a model by mpmath, independently of code generation; generated code must agree with it.
These checks can refute a derivation and never prove one. Read ``verify_model.py`` first, then ``pointwise.py``.
"""
