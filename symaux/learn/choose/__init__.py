"""Choose how far each latent is rewritten: by curvature at a pilot run, or by a variational bound.

A weight between 0 (auxiliary form) and 1 (original form) is measured for each element, and the model is then rewritten by
``derivation/partial.py`` and verified as any other. The weights change how fast a sampler moves, never the posterior.
Read ``choose.py`` first, then ``curvature.py``.
"""
