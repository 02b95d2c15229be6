"""Asking InterPro for the signatures of proteins, and for what they mean in the Gene Ontology."""
