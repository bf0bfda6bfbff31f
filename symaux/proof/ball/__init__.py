"""Ball arithmetic by python-flint: formulas on whole intervals, integrals with proved tails, distances between laws."""
