"""Choose how far each latent is rewritten: by curvature at a pilot run, or by a variational bound.

Read ``choose.py`` first.
"""
