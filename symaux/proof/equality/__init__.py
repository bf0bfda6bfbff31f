"""Decide that two formulas with special functions are equal, by their derivatives and known identities.

Read ``special_functions.py`` first.
"""
