"""Make report pages: self-contained HTML with diagrams, formulas, plots and evidence.

``report.py`` is the entry; ``html.py`` escapes, ``sections.py`` has what pages share. Read ``report.py`` first.
"""
