"""Rules that collapse sums over data to their sufficient statistics, one a file."""
