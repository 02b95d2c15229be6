"""Queries of UniProt and InterPro: politely paced, and never a reason for a run to fail."""
