"""Generate JAX source from a model or a form, and run it.

A formula is lowered to an array expression (``lower``), rewritten for floating-point arithmetic (``stabilise``),
written into functions (``function``, ``recursion``) and modules (``module``) and run (``runtime``), in this order.
Only this room imports jax at load time; others do so inside functions. Only ``load.py`` executes generated source. Read
``module/source.py`` first.
"""
