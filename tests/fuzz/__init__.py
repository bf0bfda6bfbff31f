"""Fuzzed texts, claims by construction, mutants, random models, a soak: bounded runs are tests, long ones ``make fuzz``."""
