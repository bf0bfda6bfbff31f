"""Verify forms of vectors and matrices: linear maps, scale mixtures, simplexes, triangular maps, Wishart laws.

``verify.py`` tries the methods of its ``METHODS`` tuple in order; ``refute.py`` looks for a witness at random points.
Read ``verify.py`` first.
"""
