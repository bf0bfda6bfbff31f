"""Decide whether z = g(eps) has a law, without knowing which rule proposed it.

``verify.py`` is the entry. One noise goes to ``scalar``, several to ``composition``, vectors to ``vectors``; ``mass``
shows that a density integrates to one, ``equality`` that two formulas with special functions are equal, and
``certificates`` bounds distances in ball arithmetic. PROVED needs an argument for all parameters, REFUTED a witness.

The methods of proof are the ordered ``METHODS`` tuples of ``verify.py``, ``scalar/methods.py``, ``composition/verify.py``,
``vectors/verify.py``, ``mass/mass.py`` and ``mass/recognise.py``. Read ``verify.py`` first.
"""
