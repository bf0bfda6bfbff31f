"""Evidence for a whole model: its structure, its density at random points, and its forward draws."""
