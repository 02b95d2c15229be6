"""What a result must not say of itself; the schema cannot ask for it.

A result that was edited by hand is told so when it is read. Renderers may then rely on it
that records are known, places lie on them and positions of evidence are positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from genint.report.result import GeneItem, GenintResult, OtherFeatureItem, RnaGeneItem
from genint.report.texts import shown_text

_LONGEST_SHOWN: Final = 60


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
    others: tuple[RnaGeneItem | OtherFeatureItem, ...] = (
        *result.rna_genes,
        *result.other_features,
    )
    for other in others:
        yield from _misplaced(other, lengths, [])


def _repeated(kind: str, ids: Iterator[str]) -> Iterator[str]:
    for name, count in Counter(ids).items():
        if count > 1:
            yield f"{kind} {_shown(name)} is there {count} times"


def _misplaced(
    item: GeneItem | RnaGeneItem | OtherFeatureItem,
    lengths: Mapping[str, int],
    parts: list[tuple[int, int]],
) -> Iterator[str]:
    length = lengths.get(item.record)
    if length is None:
        yield f"{_shown(item.id)} lies on {_shown(item.record)}, which is not among the records"
        return
    for start, end in ((item.start, item.end), *parts):
        if not (1 <= start <= length and 1 <= end <= length):
            yield f"{_shown(item.id)} does not lie on {_shown(item.record)}"
            return


def _shown(name: str) -> str:
    return shown_text(name)[:_LONGEST_SHOWN]
