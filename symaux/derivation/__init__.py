"""Search for auxiliary forms (non-centred parameterisations): apply rules to laws and models, and keep what is verified.

``law.py`` derives the form of one law by the best-first search of ``search.py``; ``model.py`` rewrites the latents of
a model; ``partial.py`` builds the forms between the original and the auxiliary one, and ``unconstrain.py`` moves bounded
variables to the real line. Rules are an argument. Read ``law.py`` first, then ``model.py``.
"""
