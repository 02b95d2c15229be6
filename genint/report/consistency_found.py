"""What a result must not say of rescued genes, other starts and products, and searches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from genint.report.result import (
    AlternativeProductItem,
    AlternativeStartItem,
    GeneItem,
    GenintResult,
    RescueItem,
)

_ROUNDING: Final = 0.005
"""By how much the probability may differ from that of the sum of the rounded addends."""
_ARRAYS: Final = "CRISPR"
"""What the search for arrays is called after; all others are for RNA genes."""


def contradictions_of_found(result: GenintResult) -> Iterator[tuple[str, str]]:
    """What contradicts itself, as the id of the item and what is wrong with it.

    Cost: O(items).
    """
    genes = {gene.id: gene for gene in result.genes}
    known = genes.keys() | {frame.id for frame in result.rejected}
    for gene in result.genes:
        if gene.rescue is not None:
            yield from _of_rescue(gene.id, gene.rescue, known)
    for frame in result.rejected:
        if frame.rescue is not None:
            yield from _of_rescue(frame.id, frame.rescue, known)
    for start in result.alternative_starts:
        yield from _of_start(start, genes)
    for product in result.alternative_products:
        yield from _of_product(product, genes)
    yield from _of_searches(result)


def _of_rescue(name: str, rescue: RescueItem, known: set[str]) -> Iterator[tuple[str, str]]:
    if rescue.host is not None and rescue.host not in known:
        yield name, "shares bases with a gene that is not there"
    if rescue.terms:
        total = sum(term.log_odds for term in rescue.terms)
        if abs(_probability(total) - rescue.probability) > _ROUNDING:
            yield name, "the addends of its probability do not give it"


def _probability(log_odds: float) -> float:
    """The same as ``1 / (1 + exp(-x))``, without overflow."""
    return 0.5 * (1.0 + math.tanh(0.5 * log_odds))


def _of_start(
    start: AlternativeStartItem, genes: Mapping[str, GeneItem]
) -> Iterator[tuple[str, str]]:
    gene = genes.get(start.gene)
    if gene is None:
        yield start.gene, "an alternative start is of a gene that is not there"
        return
    same = (gene.record, gene.strand) == (start.record, start.strand)
    stops = (gene.end, start.end) if gene.strand == "+" else (gene.start, start.start)
    if not same or stops[0] != stops[1]:
        yield start.gene, "an alternative start does not lead to the stop of its gene"
    elif start.length_aa > gene.length_aa:
        yield start.gene, "an alternative start makes more than the whole gene"


def _of_product(
    product: AlternativeProductItem, genes: Mapping[str, GeneItem]
) -> Iterator[tuple[str, str]]:
    gene = genes.get(product.gene)
    if gene is None or (product.joined is not None and product.joined not in genes):
        yield product.id, "is a product of genes that are not there"
    elif gene.record != product.record:
        yield product.id, "lies on another record than its gene"
    if product.length_aa != len(product.translation):
        yield product.id, "its length is not that of its translation"


def _of_searches(result: GenintResult) -> Iterator[tuple[str, str]]:
    """What was found is listed, unless the user's file has it in the same place."""
    for search in result.searches:
        if (search.method is None) != (search.found is None):
            yield search.what, "was searched and was not searched"
    if not result.searches:
        return
    arrays = sum(s.found or 0 for s in result.searches if _ARRAYS in s.what)
    genes = sum(s.found or 0 for s in result.searches if _ARRAYS not in s.what)
    listed = sum(gene.method is not None for gene in result.rna_genes)
    if arrays != len(result.crispr_arrays):
        yield "searches", f"found {arrays} CRISPR arrays, {len(result.crispr_arrays)} are listed"
    # what the file has in the same place is found, but not listed again
    known = any(gene.method is None for gene in result.rna_genes)
    if genes < listed or (genes > listed and not known):
        yield "searches", f"found {genes} RNA genes, {listed} are listed"
