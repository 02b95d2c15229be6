"""Contigs in which no frame that the gene finder leaves out is a gene, by construction.

* *Codon-shuffled*: the codons of every gene change places within it, start and stop codon kept.
  Proteins keep their length and composition, codon usage stays, and what lay in other frames is
  gone, real nested genes and shorter forms too. Bases that two genes share, and the 25 bases
  before a start, stay as they are, so that every gene keeps its ends and its ribosome binding
  site. Bases between genes change places within their stretch.
* *Reversed*: the bases from last to first, not complemented. It has the composition and the
  repeats of the genome, codes for nothing, and has no gene at all.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from genint.model.genome import Contig, Gene, Topology
from genint.model.interval import Strand
from genint.model.sequence import reverse_complement

UPSTREAM_BP = 25
"""Kept before every start: a ribosome binding site and what lies around it."""


def shuffled(contig: Contig, chance: random.Random) -> Contig:
    """Codons of genes and bases between them in another order; it has the genes that it keeps.

    Cost: O(length).
    """
    genes = outer_genes(contig)
    return replace(contig, bases=_shuffled(contig, genes, chance), genes=tuple(genes))


def turned_round(contig: Contig) -> Contig:
    """The bases from last to first, without any gene."""
    return replace(contig, bases=contig.bases[::-1], genes=())


def outer_genes(contig: Contig) -> list[Gene]:
    """Genes that a decoy keeps: of one part, whole codons, inside no other such gene."""
    genes: list[Gene] = []
    for gene in sorted(contig.genes, key=lambda gene: -len(gene.span)):
        whole = len(gene.location.parts) == 1 and len(gene.span) % 3 == 0 and gene.codon_start == 1
        inside = any(
            other.span.overlap_on_circle_bp(gene.span, len(contig)) == len(gene.span)
            for other in genes
        )
        if whole and not inside and not gene.pseudo:
            genes.append(gene)
    return sorted(genes, key=lambda gene: gene.span)


def _shuffled(contig: Contig, genes: Sequence[Gene], chance: random.Random) -> str:
    length = len(contig)
    bases = list(contig.bases)
    covered = Counter(place for gene in genes for place in _places(gene, length))
    guarded = {place for gene in genes for place in _upstream(gene, contig)}
    for gene in genes:
        fixed = guarded | {place for place in _places(gene, length) if covered[place] > 1}
        codons = [
            codon
            for codon in _inner_codons(gene, length)
            if not any(place in fixed for place in codon)
        ]
        words = ["".join(bases[place] for place in codon) for codon in codons]
        chance.shuffle(words)
        for codon, word in zip(codons, words, strict=True):
            for place, base in zip(codon, word, strict=True):
                bases[place] = base
    for stretch in _between(length, covered.keys() | guarded):
        moved = [bases[place] for place in stretch]
        chance.shuffle(moved)
        for place, base in zip(stretch, moved, strict=True):
            bases[place] = base
    return "".join(bases)


def _places(gene: Gene, length: int) -> list[int]:
    return [at % length for at in range(gene.span.start, gene.span.end)]


def _inner_codons(gene: Gene, length: int) -> Iterator[list[int]]:
    """Places of every codon but the first and the last, on the forward strand."""
    places = _places(gene, length)
    for at in range(3, len(places) - 3, 3):
        yield places[at : at + 3]


def _upstream(gene: Gene, contig: Contig) -> Iterable[int]:
    """The bases before a start, over the origin of a circle too."""
    span, length = gene.span, len(contig)
    if gene.strand is Strand.FORWARD:
        places = range(span.start - UPSTREAM_BP, span.start)
    else:
        places = range(span.end, span.end + UPSTREAM_BP)
    if contig.topology is Topology.CIRCULAR:
        return (place % length for place in places)
    return (place for place in places if 0 <= place < length)


def _between(length: int, taken: set[int]) -> Iterator[list[int]]:
    """Stretches of bases that are not taken."""
    for is_taken, places in groupby(range(length), lambda place: place in taken):
        if not is_taken:
            yield list(places)


def codon_counts(contig: Contig, gene: Gene) -> Counter[str]:
    """How often a gene has each codon."""
    bases = gene.span.slice(contig.bases)
    if gene.strand is Strand.REVERSE:
        bases = reverse_complement(bases)
    return Counter(bases[at : at + 3] for at in range(0, len(bases), 3))
