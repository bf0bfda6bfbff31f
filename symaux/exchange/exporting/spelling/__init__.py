"""Record how functions and families are spelled in each target, and what replaces those that a target lacks.

``tables.py`` names the families of each target, ``fallbacks.py`` has equal formulas for functions that a target lacks,
``domains.py`` writes conditions on parameters into formulas, and ``natural_coordinates.py`` says what cannot be exported.
Writers look things up here; nothing here writes a program. Read ``tables.py`` first.
"""
