"""Replace formulas by equal ones that lose no digits where a parameter is small or large.

Their quotients and differences vanish together with the parameter, which may be zero in generated code. The rules
have the form of those in the package above: one formula in, an equal one out. Read ``relative_exponential.py`` first.
"""
