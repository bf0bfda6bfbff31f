"""Symbolic calculus on densities: layers, charts, symmetries, antiderivatives, quantiles, signs, sums and series."""
