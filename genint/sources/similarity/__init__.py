"""Search for similar proteins: prefilter by shared words, alignment, E-values."""
