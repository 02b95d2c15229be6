"""Queries of UniProt about the proteins of a genome, with few requests."""
