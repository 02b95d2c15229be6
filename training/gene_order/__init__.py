"""Learn what the order of genes says of their categories: ``python -m training.gene_order``."""
