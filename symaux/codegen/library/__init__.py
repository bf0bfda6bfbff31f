"""Hold the JAX functions that generated modules carry with them.

Generated modules import nothing but jax, so that the text of these functions is copied into them; only what is used
is taken (``codegen/library_text.py``). Distribution functions are integrals over one tail by a fixed rule of Gauss
and Legendre, in a coordinate in which the density is log-concave; their inverses solve for the logarithm of the tail,
and take their gradients from the implicit function theorem, never from the iteration. Read ``normal.py`` first.
"""
