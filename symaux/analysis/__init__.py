"""What a model lets a gradient see: Markov blankets, factor graphs, information distance and flow."""
