"""Write the body of a function: names, shared sub-expressions, line breaks, escaped text.

The room gets lowered expressions and returns lines of text; a name or a formula of a user reaches them only through
``identifiers.py`` and ``escape.py``. Read ``writer.py`` first.
"""
