r"""Sufficient statistics, found from formulas: $\sum_n \log p(y_n \mid \theta) = \sum_i h_i(\theta) \sum_n t_i(y_n)$.

What runs over data alone is summed once; products of residuals that are linear in data become those of a few rows.
"""
