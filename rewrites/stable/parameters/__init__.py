"""Equal formulas that lose no digits where a parameter is small or large: quotients and differences that vanish with it."""
