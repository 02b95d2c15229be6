"""Why there is a gene, how sure that is, and what else it may make: in plain words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from genint.model.genome import CalledBy, Contig, Gene
from genint.model.interval import Strand
from genint.model.rescue import AlternativeProduct, AlternativeStart, Rescue
from genint.model.rescue_words import place_words, probability_words, shift_words, start_words

_OF_FILE: Final = frozenset({CalledBy.GENBANK, CalledBy.GENBANK_GENE})
_DOUBTFUL_CALL: Final = 0.9
"""Gene finder's own probability below which the gene itself is in doubt."""
_DOUBTFUL_RESCUE: Final = 0.8
"""The same of a gene that the gene finder leaves out: one of five such is none."""
_MOST_STARTS: Final = 3


def call_step(gene: Gene) -> list[str]:
    """How the gene was called; nothing for genes of the user's file."""
    if gene.called_by in _OF_FILE:
        return []
    if gene.rescue is not None:
        return [f"Gene call: {_rescue_sentence(gene.rescue)}"]
    if gene.note:
        return [f"Gene call: {gene.note}"]
    scores = gene.scores
    if scores is None:
        return []
    site = (
        f"ribosome binding site {scores.rbs_motif}"
        if scores.rbs_motif
        else "no ribosome binding site seen"
    )
    return [
        f"Gene call: {gene.called_by.value} predicts {len(gene.protein)} amino acids, start codon "
        f"{scores.start_codon}, {site}, total score {scores.total:.1f}."
    ]


def _rescue_sentence(rescue: Rescue) -> str:
    """What was seen, the addends, their sum, and what that means."""
    place = place_words(
        rescue.kind, rescue.host_id, rescue.host_overlap, same_strand=rescue.same_strand
    )
    addends = "".join(
        f" {'-' if term.log_odds < 0 else '+'} {abs(term.log_odds):.2f} ({term.reason})"
        for term in rescue.terms
    ).lstrip(" +")
    # The sum of what is printed, so that a reader can check it.
    total = sum(round(term.log_odds, 2) for term in rescue.terms)
    return (
        f"{place}; gene finders leave such frames out. {addends} = {total:.2f} log-odds that it "
        f"is a gene: {probability_words(rescue.probability, rescue.held_out)}; from"
        f" {rescue.threshold:.2f} on it is called one."
    )


def call_doubts(gene: Gene) -> list[str]:
    """Whether the gene itself is in doubt."""
    if gene.rescue is not None:
        sure = gene.rescue.probability
        if sure < _DOUBTFUL_RESCUE:
            return [f"the gene itself may not be there (probability {sure:.2f} that it is one)"]
        return []
    if gene.scores is not None and gene.scores.confidence < _DOUBTFUL_CALL:
        return [f"the gene finder is unsure of the gene ({gene.scores.confidence:.2f})"]
    return []


def other_products(contig: Contig) -> Mapping[str, tuple[str, ...]]:
    """What genes may make besides their protein, by gene id: other starts, slipping ribosomes.

    Cost: O(alternative starts and products of the contig).
    """
    starts: defaultdict[str, list[AlternativeStart]] = defaultdict(list)
    for start in contig.alternative_starts:
        starts[start.gene_id].append(start)
    told: defaultdict[str, list[str]] = defaultdict(list)
    for gene_id, found in starts.items():
        told[gene_id].append(_starts_sentence(found, contig))
    for product in contig.alternative_products:
        told[product.gene_id].append(_product_sentence(product))
    return {gene_id: tuple(sentences) for gene_id, sentences in told.items()}


def _starts_sentence(starts: list[AlternativeStart], contig: Contig) -> str:
    """The most probable ones, those left out counted."""
    ranked = sorted(starts, key=lambda one: (-one.probability, one.interval))
    told = [_start_words(one, contig) for one in ranked[:_MOST_STARTS]]
    left = len(ranked) - _MOST_STARTS
    if left > 0:
        told.append(f"and {left} more")
    return f"a shorter product may be made too, from {'; '.join(told)}"


def _start_words(start: AlternativeStart, contig: Contig) -> str:
    first, last = start.interval.one_based(len(contig))
    base = first if start.strand is Strand.FORWARD else last
    length_aa = len(start.interval) // 3 - 1
    words = start_words(base, length_aa, start.codon, start.rbs_motif, start.share)
    return f"{words}, probability {start.probability:.2f}"


def _product_sentence(product: AlternativeProduct) -> str:
    on = f" and go on in the frame of {product.joined_id}" if product.joined_id else ""
    return (
        f"some ribosomes may slip {shift_words(product.shift)} at {product.heptamer}{on}: another "
        f"product of {len(product.protein)} amino acids, probability {product.probability:.2f}"
    )
