"""Define what formulas are made of: plates, elements of arrays, supports, and functions of whole arrays.

Nothing here knows how a formula is evaluated, simplified or printed. A plate is a sympy ``Idx`` with a length; an
element is an ``Indexed``; a support says which values a variable may take. Read ``indices.py`` first, then
``support.py``.
"""
