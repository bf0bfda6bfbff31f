"""Analyse what a gradient sees of a model: Markov blankets, factor graphs, information distance and gradient flow.

Everything here reads the structure of a model and changes nothing. Before and after a rewrite the same questions are
asked, and ``gain.py`` compares the answers. Read ``blanket.py`` first.
"""
