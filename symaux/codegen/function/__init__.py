"""Write the body of a function: names, shared sub-expressions, line breaks, escaped text.

Read ``writer.py`` first.
"""
