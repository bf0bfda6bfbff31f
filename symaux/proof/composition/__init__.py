"""Verify forms with several noises: the density of z is the integral over all noises but one.

``verify.py`` tries the methods of its ``METHODS`` tuple in order; ``joint.py`` sets up the integral and
``integration_limits.py`` its limits. Read ``verify.py`` first.
"""
