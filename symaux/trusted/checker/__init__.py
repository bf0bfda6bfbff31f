"""Check claims about laws by inference rules over facts about formulas.

A fact is a value that only a rule can make, with its hypotheses and its derivation; a proof is stored as JSON and replayed.
Trusted are the rules and what they call (``rules.py``, ``map_rules.py``, ``mass_rules.py``, ``premises.py``, ``signs.py`` with
``sign_sets.py``, ``levels.py``, ``linear.py`` and ``numbers.py``, ``continuity.py``, ``limits.py``, ``monotone.py``,
``normal_form.py``, ``spellings.py``, ``facts.py``, ``proofs.py``), the integrals of ``axioms.py``, the records of functions,
ball arithmetic for numbers, and sympy's polynomial arithmetic and automatic evaluation. ``strategy.py``, ``mass_strategy.py``,
``charts.py``, ``antiderivatives.py`` and ``unwind.py`` only propose. Read ``check.py`` first.
"""
