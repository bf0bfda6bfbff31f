"""Formulas as numbers: at any precision, at points that honour assumptions, and integrated."""
