"""Present formulas, statements and derivations to readers: text, LaTeX, HTML, MathML, notebooks.

Formulas are typeset from sympy objects; names of users are escaped. Read ``latex.py`` first, then ``explain.py``.
"""
