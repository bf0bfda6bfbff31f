"""Vectors and matrices: their functions, laws, forms and charts."""
