"""Calculate with the density of a law: charts, changes of variables, antiderivatives, quantiles and symmetries.

Each module answers one question about a law on an interval and returns None where the answer is not known. Nothing is
proved here: what is found is a proposal that ``proof`` verifies. Read ``change_of_variables.py`` first, then
``antiderivative.py``.
"""
