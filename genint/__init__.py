"""genint: what each gene of a phage or bacterium does, how sure that is, and why."""
