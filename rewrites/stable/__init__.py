"""Equal formulas that lose no digits: expression-to-expression rules for code generation, one a file."""
