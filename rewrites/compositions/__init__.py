"""State laws as classical compositions of several noises: each rule undoes an integral over one of them.

A Student t is a normal over the root of a gamma, an ex-Gaussian a normal and an exponential added. A rule recognises the
density that is left after the integration, from the formula alone, and proposes the noises of ``noises.py`` with a generating
function; as everywhere, it is the proof that decides. Each file has one rule. Read ``student.py`` first.
"""
