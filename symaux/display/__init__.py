"""Formulas, statements and derivations for readers: text, LaTeX, HTML, MathML, notebooks."""
