"""Offer symaux on the command line: one module per command, and what all commands share.

Commands print and write files by ``terminal.py``; the rooms that they call return text or bytes. Help texts load neither
sympy nor jax, so that they appear at once; what a command needs is imported when it runs. Read ``main.py`` first, then
``options.py``.
"""
