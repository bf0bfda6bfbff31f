"""Record how functions and families are spelled in each target, and what replaces those that a target lacks.

Read ``tables.py`` first.
"""
