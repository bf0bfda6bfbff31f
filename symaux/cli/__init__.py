"""Offer symaux on the command line: one module a command, and what all commands share.

Only this room prints and writes files. Help texts load neither sympy nor jax, so that they appear at once; what a
command needs is imported when it runs. Read ``main.py`` first, then ``options.py``.
"""
