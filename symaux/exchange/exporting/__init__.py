"""Write models as programs for NumPyro, PyMC and Stan: readable, and equal in log-density.

Noise is sampled and latents are formulas of it. Variables that were kept are sampled as they were written, since those
libraries move bounded ones to the real line themselves. Read ``export.py`` first, then ``stan/program.py``.
"""
