"""Write models as Stan programs.

``program.py`` is the entry; one module for each block or concern. Read ``program.py`` first.
"""
