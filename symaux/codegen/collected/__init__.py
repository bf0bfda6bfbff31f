"""Statistics in generated code: ``prepare`` makes them where that pays, and ``log_density`` uses them where they are."""
