"""Draw graphs and Markov blankets: SVG, PDF, PNG, TikZ and DOT, laid out by Graphviz.

A model becomes a ``Diagram``, Graphviz places its nodes, ``picture.py`` arranges before and after, and one module a
format writes it. Nothing here imports jax. Read ``render.py`` first, then ``diagram.py``.
"""
