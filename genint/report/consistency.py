"""What a result must not say of itself; the schema cannot ask for it.

A result that was edited by hand is told so when it is read. Renderers may then rely on it
that records are known, places lie on them and positions of evidence are positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from genint.model.genome import Topology
from genint.model.vocabulary import ConfidenceLevel
from genint.report.consistency_found import contradictions_of_found
from genint.report.consistency_online import contradictions_of_online
from genint.report.result import (
    AlternativeProductItem,
    Counts,
    CrisprArrayItem,
    GeneItem,
    GenintResult,
    OtherFeatureItem,
    RejectedItem,
    RnaGeneItem,
)
from genint.report.texts import shown_text

_LONGEST_SHOWN: Final = 60
_Placed: TypeAlias = GeneItem | RnaGeneItem | OtherFeatureItem | RejectedItem | CrisprArrayItem


def contradictions(result: GenintResult) -> Iterator[str]:
    """Everything in a result that contradicts the rest of it, in words.

    Cost: about 5 microseconds a gene.
    """
    lengths = {record.id: record.length for record in result.records}
    yield from _repeated("record", (record.id for record in result.records))
    yield from _repeated("gene", (gene.id for gene in result.genes))
    for gene in result.genes:
        yield from _misplaced(gene, lengths, [(part.start, part.end) for part in gene.parts])
        if any(not 0 <= at < len(gene.evidence) for h in gene.hypotheses for at in h.evidence):
            yield f"gene {_shown(gene.id)}: a hypothesis rests on evidence that is not there"
        if gene.audit and any(not 0 <= at < len(gene.evidence) for at in gene.audit.evidence):
            yield f"gene {_shown(gene.id)}: its audit rests on evidence that is not there"
        yield from _half_dark(gene)
        yield from _disordered(gene)
    yield from _misplaced_others(result, lengths)
    for name, fault in (*contradictions_of_found(result), *contradictions_of_online(result)):
        yield f"{_shown(name)}: {fault}"
    yield from _turned(result)
    if any(not 0 <= one.terminal_repeat_bp < max(one.length, 1) for one in result.records):
        yield "a terminal repeat is not shorter than its record"
    yield from _misranked(result.genes)
    yield from _miscounted(result.summary, result.genes)


def _turned(result: GenintResult) -> Iterator[str]:
    """Only on a circle does anything end before it starts."""
    lines = {record.id for record in result.records if record.topology is Topology.LINEAR}
    placed: tuple[GeneItem | RnaGeneItem | CrisprArrayItem | RejectedItem, ...] = (
        *result.genes,
        *result.rna_genes,
        *result.crispr_arrays,
        *result.rejected,
    )
    for item in placed:
        if item.record in lines and item.end < item.start:
            yield f"{_shown(item.id)} ends before it starts, on a record that is a line"
    for array in result.crispr_arrays:
        if array.repeats != len(array.spacers) + 1:
            yield f"{_shown(array.id)} has {array.repeats} repeats, {len(array.spacers)} spacers"
    for gene in result.genes:
        if gene.rescue is not None and gene.rescue.probability < gene.rescue.threshold:
            yield f"gene {_shown(gene.id)} is less probable than a gene has to be"


def _repeated(kind: str, ids: Iterator[str]) -> Iterator[str]:
    for name, count in Counter(ids).items():
        if count > 1:
            yield f"{kind} {_shown(name)} is there {count} times"


def _misplaced_others(result: GenintResult, lengths: Mapping[str, int]) -> Iterator[str]:
    """All that is no gene; names of what genint itself found are not given twice."""
    others: tuple[_Placed, ...] = (
        *result.rna_genes,
        *result.other_features,
        *result.crispr_arrays,
        *result.rejected,
    )
    for other in others:
        yield from _misplaced(other, lengths, [])
    for start in result.alternative_starts:
        name = f"alternative start of {start.gene}"
        yield from _beyond(name, start.record, lengths, [(start.start, start.end)])
    for product in result.alternative_products:
        yield from _beyond(product.id, product.record, lengths, _places(product))
    yield from _repeated("CRISPR array", (array.id for array in result.crispr_arrays))
    yield from _repeated("product", (product.id for product in result.alternative_products))


def _places(product: AlternativeProductItem) -> list[tuple[int, int]]:
    parts = [(part.start, part.end) for part in product.parts]
    return [(product.site_start, product.site_end), *parts]


def _misplaced(
    item: _Placed, lengths: Mapping[str, int], parts: list[tuple[int, int]]
) -> Iterator[str]:
    yield from _beyond(item.id, item.record, lengths, [(item.start, item.end), *parts])


def _beyond(
    name: str, record: str, lengths: Mapping[str, int], places: list[tuple[int, int]]
) -> Iterator[str]:
    length = lengths.get(record)
    if length is None:
        yield f"{_shown(name)} lies on {_shown(record)}, which is not among the records"
    elif any(not (1 <= start <= length and 1 <= end <= length) for start, end in places):
        yield f"{_shown(name)} does not lie on {_shown(record)}"


def _half_dark(gene: GeneItem) -> Iterator[str]:
    """A gene is dark, has no level and has no function all at once, or none of these."""
    has_no_level = gene.confidence is ConfidenceLevel.NONE
    has_no_function = gene.function is None
    if not gene.is_dark == has_no_level == has_no_function:
        yield (
            f"gene {_shown(gene.id)}: is_dark, confidence and function do not say the same"
            " of whether anything is known of it"
        )
    elif gene.is_dark and gene.score:
        yield f"gene {_shown(gene.id)}: nothing is known of it, but it has a score"


def _disordered(gene: GeneItem) -> Iterator[str]:
    if gene.part_order and sorted(gene.part_order) != list(range(len(gene.parts))):
        yield f"gene {_shown(gene.id)}: part_order is no order of its parts"


def _misranked(genes: Sequence[GeneItem]) -> Iterator[str]:
    ranks = sorted(gene.novelty.rank for gene in genes if gene.novelty is not None)
    if ranks != list(range(1, len(ranks) + 1)):
        yield f"the ranks of its dark genes are not 1 to {len(ranks)}, each once"


def _miscounted(told: Counts, genes: Sequence[GeneItem]) -> Iterator[str]:
    levels = Counter(gene.confidence for gene in genes)
    counted = Counts(
        total_genes=len(genes),
        interpreted_genes=len(genes) - levels[ConfidenceLevel.NONE],
        high=levels[ConfidenceLevel.HIGH],
        moderate=levels[ConfidenceLevel.MODERATE],
        low=levels[ConfidenceLevel.LOW],
        speculative=levels[ConfidenceLevel.SPECULATIVE],
        dark=levels[ConfidenceLevel.NONE],
    )
    for (name, said), (_, found) in zip(told, counted, strict=True):
        if said != found:
            yield f"summary.{name} is {said}, but by its genes it is {found}"


def _shown(name: str) -> str:
    return shown_text(name)[:_LONGEST_SHOWN]
