"""Special functions that jax lacks, with exact gradients in every argument; generated modules carry those they use.

One family a file. Distribution functions are integrals over one tail, by a fixed rule of Gauss and Legendre, in a
coordinate in which the density is log-concave; their inverses solve for the logarithm of the tail, and take their
gradients from the implicit function theorem, never from the iteration.
"""
