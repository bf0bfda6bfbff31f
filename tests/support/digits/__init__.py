"""Measure the digits of generated quantile functions, over a catalogue of laws with independent references.

``laws.py`` is the catalogue: families, laws with unbounded support (``tails.py``), and bounded or truncated ones
(``cuts.py``), each with a quantile by mpmath (``references.py``). ``measure.py`` compares.
"""
