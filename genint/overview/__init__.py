"""From the genes of a genome to statements on the genome as a whole; pure."""

from genint.overview.pipeline import describe

__all__ = ["describe"]
