"""Recognise the laws of other libraries: by a table of their own classes, or by the density that they compute.

Read ``tables.py`` first.
"""
