"""Which defence systems the genes of a record make, by the definitions of PADLOC-DB.

The rules are those of PADLOC (Payne LJ, et al. Nucleic Acids Res 2021;49:10868): for each system
a gene stands for its best hit among the system's proteins, core before secondary before neutral
before prohibited; genes with at most so many others between them are a cluster; a cluster with
enough different core proteins, enough of core and secondary ones, and none that is prohibited is
a system. Two things differ: a cluster may go over the end of a circular record, and what belongs
to no known type of a system ("other") is left out where, without the genes of known types, it is
not complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import groupby
from typing import Final, NamedTuple

from genint.knowledge.defence import CRISPR_ARRAY, DefenceDatabase, DefenceSystem
from genint.model.genome import CrisprArray
from genint.model.interval import Interval, Strand
from genint.model.overview import GeneRole, MarkerHit
from genint.model.vocabulary import ConfidenceLevel
from genint.overview.record import Player, RecordView

_ARRAY_STEP: Final = 0.01
"""How far behind its gene an array counts, in genes: it takes no place among them."""


class Duty(IntEnum):
    """What a protein is to a system; the first is looked for first."""

    CORE = 0
    SECONDARY = 1
    NEUTRAL = 2
    PROHIBITED = 3


class Member(NamedTuple):
    """A gene, or a CRISPR array, that stands for a protein of a system.

    Attributes:
        id: Of the gene or array.
        protein: As definitions call it.
        duty: What it is to the system.
        place: Number among the genes of the record; arrays in between.
        strand: None for arrays.
        span: Where it is.
        hit: What recognised it; None for arrays.
    """

    id: str
    protein: str
    duty: Duty
    place: float
    strand: Strand | None
    span: Interval
    hit: MarkerHit | None


@dataclass(frozen=True, slots=True)
class FoundSystem:
    """A system that is complete by its definition.

    Attributes:
        definition: Of the system.
        members: By place; behind the end of a circular record those from its beginning.
    """

    definition: DefenceSystem
    members: tuple[Member, ...]

    @property
    def gene_ids(self) -> frozenset[str]:
        """Genes, without arrays."""
        return frozenset(member.id for member in self.members if member.hit is not None)

    def count(self, *duties: Duty) -> int:
        """Different proteins of some duties."""
        return len({member.protein for member in self.members if member.duty in duties})

    @property
    def is_complete(self) -> bool:
        """Whether it is a system by its definition."""
        definition = self.definition
        return (
            self.count(Duty.CORE) >= definition.least_core
            and self.count(Duty.CORE) + self.count(Duty.SECONDARY) >= definition.least_total
            and not self.count(Duty.PROHIBITED)
        )


def find_systems(
    players: Sequence[Player],
    arrays: Iterable[CrisprArray],
    hits: Mapping[str, Sequence[MarkerHit]],
    database: DefenceDatabase,
    *,
    circular_genes: int = 0,
) -> tuple[FoundSystem, ...]:
    """All complete systems of a record, by place.

    Args:
        players: All genes of the record, by position.
        arrays: Its CRISPR arrays.
        hits: By gene id, within the limits of their profiles.
        database: Definitions.
        circular_genes: Number of genes of a circular record; 0 where it is linear.

    Cost: 10 us a system where a genome has hits of its proteins, less elsewhere.
    """
    recognised = [
        (place, player, hits[player.gene_id])
        for place, player in enumerate(players)
        if hits.get(player.gene_id)
    ]
    placed_arrays = tuple(_placed(players, arrays))
    found: list[FoundSystem] = []
    for definition in database.systems:
        members = _members(definition, recognised, placed_arrays, database)
        for cluster in _clusters(definition, members, circular_genes):
            system = FoundSystem(definition, cluster)
            if system.is_complete:
                found.append(system)
    kept = _without_others_of_known_types(found)
    return tuple(sorted(kept, key=lambda one: (one.members[0].place, one.definition.id)))


def _placed(players: Sequence[Player], arrays: Iterable[CrisprArray]) -> Iterator[Member]:
    """Arrays behind the gene in front of them."""
    starts = [player.result.gene.span.start for player in players]
    ordered = sorted(arrays, key=lambda one: one.location.span)
    for number, array in enumerate(ordered, start=1):
        span = array.location.span
        before = sum(start < span.start for start in starts) - 1
        place = before + min(number * _ARRAY_STEP, 1 - _ARRAY_STEP)
        yield Member(array.id, CRISPR_ARRAY, Duty.SECONDARY, place, None, span, None)


def _members(
    definition: DefenceSystem,
    recognised: Sequence[tuple[int, Player, Sequence[MarkerHit]]],
    arrays: Sequence[Member],
    database: DefenceDatabase,
) -> list[Member]:
    """What stands for proteins of a system, by place; one member a gene."""
    duties = _duties(definition, database)
    found = []
    for place, player, hits in recognised:
        choices = [
            (duties[protein], hit.evalue, -(hit.coverage + hit.target_coverage), at, protein, hit)
            for at, hit in enumerate(hits)
            for protein in database.profiles[hit.accession].proteins
            if protein in duties
        ]
        if choices:
            duty, _, _, _, protein, hit = min(choices, key=lambda one: one[:4])
            gene = player.result.gene
            found.append(Member(gene.id, protein, duty, place, gene.strand, gene.span, hit))
    if CRISPR_ARRAY in duties:
        found += (array._replace(duty=duties[CRISPR_ARRAY]) for array in arrays)
    return sorted(found, key=lambda member: member.place)


def _duties(definition: DefenceSystem, database: DefenceDatabase) -> Mapping[str, Duty]:
    """Duty of each protein; the first of several counts, but prohibited before secondary."""
    duties: dict[str, Duty] = {}
    for duty, names in (
        (Duty.NEUTRAL, definition.neutral),
        (Duty.SECONDARY, definition.secondary),
        (Duty.PROHIBITED, definition.prohibited),
        (Duty.CORE, definition.core),
    ):
        duties |= dict.fromkeys(database.proteins(names), duty)
    return duties


def _clusters(
    definition: DefenceSystem, members: Sequence[Member], circular_genes: int
) -> Iterator[tuple[Member, ...]]:
    """Members with at most so many other genes between one and the next."""
    strands: list[Sequence[Member]] = [members]
    if definition.is_one_strand:
        by_strand = sorted(members, key=_strand)
        strands = [list(group) for _, group in groupby(by_strand, _strand)]
    for ordered in strands:
        clusters: list[list[Member]] = []
        for member in ordered:
            if clusters and member.place - clusters[-1][-1].place <= definition.most_between + 1:
                clusters[-1].append(member)
            else:
                clusters.append([member])
        if circular_genes and len(clusters) > 1:
            over_the_end = clusters[0][0].place + circular_genes - clusters[-1][-1].place
            if over_the_end <= definition.most_between + 1:
                clusters[0] = clusters.pop() + clusters[0]
        yield from map(tuple, clusters)


def _strand(member: Member) -> int:
    return 0 if member.strand is None else member.strand


def _without_others_of_known_types(found: Sequence[FoundSystem]) -> Iterator[FoundSystem]:
    """Systems of no known type keep the genes that no known type of their family has."""
    for system in found:
        definition = system.definition
        if not definition.is_other:
            yield system
            continue
        taken = frozenset[str]().union(
            *(
                other.gene_ids
                for other in found
                if not other.definition.is_other and other.definition.family == definition.family
            )
        )
        left = tuple(member for member in system.members if member.id not in taken)
        rest = FoundSystem(definition, left)
        if rest.is_complete:
            yield rest


def figures(hit: MarkerHit) -> str:
    """What a hit rests on, as reports say it."""
    return (
        f"{hit.database} profile {hit.accession}, E-value {hit.evalue:.1e}, "
        f"{hit.target_coverage:.0%} of the profile and {hit.coverage:.0%} of the protein"
    )


def member_role(member: Member) -> GeneRole:
    """A gene of a system for a statement."""
    reason = "" if member.hit is None else figures(member.hit)
    return GeneRole(member.id, member.protein, ConfidenceLevel.NONE, reason)


def stretch(view: RecordView, spans: Sequence[Interval]) -> Interval:
    """From the first to the last of some spans in their order, over the end of a circle."""
    length_bp = len(view.contig)
    start, end = spans[0].start, spans[-1].end
    if end <= start:
        end += length_bp
    return Interval(start, min(max(end, *(span.end for span in spans)), start + length_bp))
