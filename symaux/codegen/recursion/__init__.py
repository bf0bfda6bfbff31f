"""Generate code for recursions over time: ``lax.scan``, ``associative_scan``, checkpointing, and their derivatives.

``scan.py`` writes the loop, ``hoist.py`` moves out of it what does not depend on the carry, ``custom_jvp.py`` gives
it a derivative whose parameter part is outside of the loop. Read ``chains.py`` first, then ``scan.py``.
"""
