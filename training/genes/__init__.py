"""Models of genes that gene finders leave out: fitted and measured on annotated genomes."""
