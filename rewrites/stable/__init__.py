"""Replace formulas by equal ones that lose no digits: expression-to-expression rules for code generation, one per file.

A rule sees one formula and its symbols, never a law or a model, and returns an equal formula, or None. Each file begins
with its identity and says where the left side loses digits. The order in which rules are tried is the tuple ``SIMPLIFICATIONS``
of the package above. Read ``log_plus_one.py`` first, then ``normal_tail.py``.
"""
