"""RNA genes and CRISPR arrays: what is found on bases without any protein.

Each search is one module and one function from a contig to what it found; they know
nothing of one another. :mod:`genint.rna.merge` brings them together: one gene a place.

    trna: tRNA and tmRNA (ARAGORN)      rrna: rRNA (HMMER with the models of Rfam)
    crispr: CRISPR arrays (MinCED)      rfam: all else (Infernal with an installed Rfam)
"""

from genint.rna.merge import FoundArray, FoundRna, ResolvedRna, SearchedContig, resolve_overlaps

__all__ = ["FoundArray", "FoundRna", "ResolvedRna", "SearchedContig", "resolve_overlaps"]
