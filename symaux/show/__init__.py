"""Show models, derivations and laws to readers: pictures, typeset formulas, notebook views and report pages.

``drawing`` makes diagrams, ``display`` formulas and explanations, ``reporting`` HTML pages out of both. Everything
returns text or bytes; only the command line writes files. Read ``drawing/render.py`` first.
"""
