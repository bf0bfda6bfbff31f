"""Benchmarks of generated code beside hand-written JAX and the peers: ``make bench``."""
