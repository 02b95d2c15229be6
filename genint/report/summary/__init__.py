"""Many results as one: a table of genomes, a matrix of families, and dark genes that recur."""
