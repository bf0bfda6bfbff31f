"""Read data files and write whole files.

A file is written next to its place and then renamed, so that nothing is left half-written. Read ``atomic_write.py``
first.
"""
