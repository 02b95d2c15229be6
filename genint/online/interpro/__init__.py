"""Queries of InterPro: the signatures of proteins, and their terms of the Gene Ontology."""
