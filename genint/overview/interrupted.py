"""Genes in two pieces: frames that a frameshift or a stop codon parts, and stops that are read.

Two neighbours on one strand that match one family or domain, each a part of it and together about
all, are one gene whose reading frame is broken: a pseudogene, an error of the sequence, or, where
the stop is TGA, the record has a tRNA for selenocysteine and the name is one of selenoproteins, a
selenoprotein (Böck A, et al. Mol Microbiol 1991;5:515).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from genint.knowledge.overview_tables import OverviewKnowledge
from genint.model.evidence import Evidence
from genint.model.genome import Contig
from genint.model.interval import Interval, Strand
from genint.model.overview import GenomeStatement, Topic
from genint.model.vocabulary import EvidenceType, GenomeKind
from genint.overview.record import Player, RecordView

_MOST_APART_BP: Final = 150
"""Between both pieces, or in common: more is another gene's place."""
_MOST_OF_ONE: Final = 0.8
"""Share of a family that a piece matches at most; more of it is a whole relative."""
_OF_BOTH: Final = (0.6, 1.15)
"""Shares of both pieces together: most of the family, and hardly a part of it twice."""
_CODON_BP: Final = 3
_SELENOCYSTEINE_STOP: Final = "TGA"
_SELENOCYSTEINE_TRNA: Final = "trna-sec"
_SELENOPROTEIN: Final = re.compile(
    r"formate dehydrogenase|(?:glycine|proline|betaine|sarcosine) reductase|hydrogenase"
    r"|selenophosphate|selenide|molybdopterin oxidoreductase",
    re.IGNORECASE,
)
"""Names of those that many bacteria have."""
_RECOGNISING: Final = frozenset({EvidenceType.FAMILY, EvidenceType.DOMAIN})


class _Pieces(NamedTuple):
    """Two neighbours that match parts of one family.

    Attributes:
        first, second: In the direction of reading.
        before, behind: What recognises them, of one accession.
    """

    first: Player
    second: Player
    before: Evidence
    behind: Evidence

    @property
    def is_in_frame(self) -> bool:
        """Whether both are read in the same frame, so that only a stop codon parts them."""
        one, other = self.first.result.gene.span, self.second.result.gene.span
        if self.first.result.gene.strand is Strand.FORWARD:
            return (other.start - one.start) % _CODON_BP == 0
        return (one.end - other.end) % _CODON_BP == 0


def interrupted_genes(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """One statement for each pair of pieces of a bacterium's gene.

    Args:
        view: A record; phages, which have introns and split genes of other kinds, are left out.
        knowledge: Not used.
    """
    del knowledge
    if view.kind is not GenomeKind.BACTERIUM:
        return
    has_trna = any(
        _SELENOCYSTEINE_TRNA in (gene.product or "").lower() for gene in view.contig.rna_genes
    )
    numbers = {Topic.RECODING: 0, Topic.PSEUDOGENE: 0}
    for one, other in pairwise(view.players):
        pieces = _pieces(one, other)
        if pieces is None:
            continue
        stop = _stop_of(view.contig, pieces) if pieces.is_in_frame else None
        is_read = (
            has_trna
            and stop == _SELENOCYSTEINE_STOP
            and _SELENOPROTEIN.search(_name(pieces)) is not None
        )
        topic = Topic.RECODING if is_read else Topic.PSEUDOGENE
        numbers[topic] += 1
        make = _selenoprotein if is_read else _broken
        yield make(view, pieces, stop, numbers[topic])


def _pieces(one: Player, other: Player) -> _Pieces | None:
    """Neighbours as pieces of one gene; None where they are none."""
    gene, behind = one.result.gene, other.result.gene
    apart_bp = behind.span.start - gene.span.end
    if gene.strand is not behind.strand or not -_MOST_APART_BP <= apart_bp <= _MOST_APART_BP:
        return None
    first, second = (one, other) if gene.strand is Strand.FORWARD else (other, one)
    left, right = _parts_matched(first), _parts_matched(second)
    for accession in left:
        if accession not in right:
            continue
        shares = left[accession][1], right[accession][1]
        if max(shares) < _MOST_OF_ONE and _OF_BOTH[0] <= sum(shares) <= _OF_BOTH[1]:
            return _Pieces(first, second, left[accession][0], right[accession][0])
    return None


def _parts_matched(player: Player) -> Mapping[str, tuple[Evidence, float]]:
    """By accession, what recognises a gene, and the share of the family that it matches."""
    found = player.result.interpretation
    return {
        item.accession: (item, item.measured.target_coverage)
        for item in (found.evidence if found else ())
        if item.type in _RECOGNISING
        and item.accession is not None
        and item.measured.target_coverage is not None
    }


def _stop_of(contig: Contig, pieces: _Pieces) -> str | None:
    """The stop codon of the first piece; None where it runs out of the record without one."""
    gene = pieces.first.result.gene
    if gene.location.partial_3:
        return None
    return contig.coding_bases(gene)[-_CODON_BP:]


def _selenoprotein(
    view: RecordView, pieces: _Pieces, stop: str | None, number: int
) -> GenomeStatement:
    found = _of_one_gene(view, pieces, Topic.RECODING, number)
    return replace(
        found,
        value="selenocysteine",
        text=f"{found.text}: its {stop} codon can be read as selenocysteine.",
        reasoning=(*found.reasoning, "The record has a tRNA for selenocysteine."),
        uncertainties=(
            "Whether the codon is read is not shown; the element of the mRNA behind it was not "
            "looked for.",
        ),
    )


def _broken(view: RecordView, pieces: _Pieces, stop: str | None, number: int) -> GenomeStatement:
    found = _of_one_gene(view, pieces, Topic.PSEUDOGENE, number)
    if pieces.is_in_frame:
        cause = f"stop codon {stop}" if stop else "stop codon"
        step = "Both are read in one frame: a stop codon parts them."
    else:
        cause = "frameshift"
        step = "They are read in different frames: bases were lost or gained between them."
    return replace(
        found,
        value=cause,
        text=f"{found.text}, broken by a {cause}.",
        reasoning=(*found.reasoning, step),
        uncertainties=(
            "An error of the sequence looks the same, and so does a gene that its organism has in "
            "two pieces.",
        ),
    )


def _of_one_gene(view: RecordView, pieces: _Pieces, topic: Topic, number: int) -> GenomeStatement:
    """What both kinds of statement have in common; the text has no end yet."""
    first, second = pieces.first, pieces.second
    spans = [player.result.gene.span for player in (first, second)]
    shares = [item.measured.target_coverage or 0.0 for item in (pieces.before, pieces.behind)]
    matched = f"Both match {pieces.before.accession}: {shares[0]:.0%} and {shares[1]:.0%} of it."
    return GenomeStatement(
        topic,
        view.contig.id,
        f"gene {number}",
        value="",
        text=f"{first.gene_id} and {second.gene_id} are probably one gene ({_name(pieces)})",
        interval=Interval(min(one.start for one in spans), max(one.end for one in spans)),
        genes=(first.as_role("5' piece"), second.as_role("3' piece")),
        reasoning=(matched,),
    )


def _name(pieces: _Pieces) -> str:
    """The name of the piece that is surer."""
    order = sorted(
        (pieces.first, pieces.second),
        key=lambda player: (player.is_domain, -_score(player)),
    )
    return order[0].name


def _score(player: Player) -> float:
    found = player.result.interpretation
    return found.confidence_score if found else 0.0
