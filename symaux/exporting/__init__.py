"""Models written as source for the users of NumPyro, PyMC and Stan: readable, and equal in log-density.

Noise is sampled, latents are formulas of it; variables that were kept are sampled as they were written, since those libraries
move bounded ones to the real line themselves.
"""
