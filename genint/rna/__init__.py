"""RNA genes and CRISPR arrays: what is found on bases without any protein.

Each search is one module with one function from a contig to its hits; they are independent
of one another. :mod:`genint.rna.merge` resolves their overlaps: one gene at a place.

    trna: tRNA and tmRNA (ARAGORN)      rrna: rRNA (HMMER with the models of Rfam)
    crispr: CRISPR arrays (MinCED)      rfam: all else (Infernal with an installed Rfam)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
