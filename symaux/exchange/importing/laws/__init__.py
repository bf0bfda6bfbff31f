"""Recognise the laws of other libraries: by a table of their own classes, or by the density that they compute.

The tables are shared: NumPyro and PyMC name the same families, with other parameters. Read ``tables.py`` first.
"""
