"""From formulas to JAX: names, the table of functions, lowering of index notation, modules, and running them.

Only this package knows jax, and only :mod:`symaux.codegen.execute` runs generated source.
"""
