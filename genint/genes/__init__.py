"""Contig to genes: gene finding, genetic codes, circles, nested genes."""

from genint.genes.calling import call_genes, is_bacterium, needs_calling
from genint.genes.calls import Candidate, ContigCalls, GeneCalls
from genint.genes.rescue import decide

__all__ = [
    "Candidate",
    "ContigCalls",
    "GeneCalls",
    "call_genes",
    "decide",
    "is_bacterium",
    "needs_calling",
]
