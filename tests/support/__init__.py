"""What several test files share: independent oracles, catalogues of models and claims, bad inputs, and paths."""
