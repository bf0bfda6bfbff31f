"""Fuzzing of the parser, mutants of true claims, random models and a soak: bounded runs are tests, long ones ``make fuzz``."""
