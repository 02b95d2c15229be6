"""CRISPR arrays and the cas genes beside them as one system.

Arrays lie beside the cas genes that they work with; a locus without one of the two is said to
be without it. Types follow the gene that marks them (Makarova KS, et al. Nat Rev Microbiol
2020;18:67), or the definitions of an installed PADLOC-DB.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from genint.knowledge.defence_names import DefenceGroup
from genint.model.genome import CrisprArray
from genint.model.interval import Interval
from genint.model.overview import GeneRole, GenomeStatement, Topic
from genint.overview.defence_systems import FoundSystem, member_role, stretch
from genint.overview.record import Player, RecordView

_GROUP: Final = "CRISPR"
_NAMES: Final = "cas"
_BESIDE_BP: Final = 10_000
"""Between cas genes and arrays of one locus (Russel J, et al. CRISPR J 2020;3:462)."""
_BETWEEN: Final = 3
"""Genes of others between two cas genes of one locus, as in the definitions of PADLOC-DB."""
_FEW_SPACERS: Final = 3
"""Weak evidence of a CRISPR by themselves (Couvin D, et al. Nucleic Acids Res 2018;46:W246)."""
_TYPES: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (r"\bcsn2\b", "type II-A"),
        (r"\bcas9\b", "type II"),
        (r"\bcse[1-4]\b", "type I-E"),
        (r"\bcsy[1-4]\b", "type I-F"),
        (r"\bcas10\b|\bcsm\d|\bcmr\d", "type III"),
        (r"\bcas12", "type V"),
        (r"\bcas13", "type VI"),
        (r"\bcas3\b|\bcas8", "type I"),
    )
)


class _Gene(NamedTuple):
    """A cas gene with its number among the genes of the record."""

    place: int
    player: Player
    role: GeneRole

    @property
    def span(self) -> Interval:
        return self.player.result.gene.span


class _Locus(NamedTuple):
    """Cas genes close together and arrays beside them, each by position."""

    genes: Sequence[_Gene]
    arrays: Sequence[CrisprArray]

    @property
    def spans(self) -> list[Interval]:
        """Of genes and arrays, by position."""
        arrays = (array.location.span for array in self.arrays)
        return sorted((*(gene.span for gene in self.genes), *arrays))


def is_of_crispr(system: FoundSystem) -> bool:
    """Whether a system is one of CRISPR-Cas, which is described as a locus."""
    return system.definition.group == _GROUP


def crispr_statements(
    view: RecordView,
    named: Mapping[DefenceGroup, Sequence[Player]],
    systems: Iterable[FoundSystem],
) -> list[GenomeStatement]:
    """One statement for each locus of arrays and cas genes; a cas gene alone makes none.

    Args:
        view: The record.
        named: Genes by the group of their name.
        systems: Complete systems of PADLOC-DB.
    """
    cas = [system for system in systems if is_of_crispr(system) and system.gene_ids]
    roles = {
        player.gene_id: player.as_role()
        for group, players in named.items()
        if group.id == _NAMES
        for player in players
    }
    members = (member for system in cas for member in system.members if member.hit is not None)
    roles |= {member.id: member_role(member) for member in members}
    loci = [one for one in _loci(view, roles) if one.arrays or len(one.genes) > 1]
    return [
        _statement(view, locus, f"CRISPR-Cas {number}" if len(loci) > 1 else "CRISPR-Cas", cas)
        for number, locus in enumerate(loci, start=1)
    ]


def _loci(view: RecordView, roles: Mapping[str, GeneRole]) -> list[_Locus]:
    """Clusters of cas genes, each with the arrays that lie nearest to it; arrays without one."""
    clusters: list[list[_Gene]] = []
    for place, player in enumerate(view.players):
        if player.gene_id not in roles:
            continue
        gene = _Gene(place, player, roles[player.gene_id])
        if clusters and place - clusters[-1][-1].place <= _BETWEEN + 1:
            clusters[-1].append(gene)
        else:
            clusters.append([gene])
    beside: list[list[CrisprArray]] = [[] for _ in clusters]
    alone: list[list[CrisprArray]] = []
    for array in sorted(view.contig.crispr_arrays, key=lambda one: one.location.span):
        span = array.location.span
        nearest = min(
            range(len(clusters)), key=lambda at: _apart_bp(clusters[at], span), default=None
        )
        if nearest is not None and _apart_bp(clusters[nearest], span) <= _BESIDE_BP:
            beside[nearest].append(array)
        elif alone and span.start - alone[-1][-1].location.span.end <= _BESIDE_BP:
            alone[-1].append(array)
        else:
            alone.append([array])
    loci = [_Locus(genes, arrays) for genes, arrays in zip(clusters, beside, strict=True)]
    loci += (_Locus((), arrays) for arrays in alone)
    return sorted(loci, key=lambda one: one.spans[0])


def _apart_bp(genes: Sequence[_Gene], span: Interval) -> int:
    """Bases between a cluster and an array; negative where they overlap."""
    return max(genes[0].span.start - span.end, span.start - genes[-1].span.end)


def _statement(
    view: RecordView, locus: _Locus, subject: str, cas: Sequence[FoundSystem]
) -> GenomeStatement:
    kind, step = _kind(locus, cas)
    missing: tuple[str, ...] = ()
    title = f"CRISPR-Cas, {kind}" if kind else "CRISPR-Cas"
    repeats = sum(array.repeats for array in locus.arrays)
    arrays = f"{_count(len(locus.arrays), 'CRISPR array')} of {_count(repeats, 'repeat')}"
    spacers = sum(len(array.spacers) for array in locus.arrays)
    if not locus.genes:
        text = f"{arrays}, without cas genes within {_BESIDE_BP:,} bp."
        value, missing = "array without cas genes", ("cas genes",)
    elif not locus.arrays and not view.has_searched_arrays:
        text = f"{title}: {_count(len(locus.genes), 'cas gene')}; CRISPR arrays were not searched."
        value = kind or "cas genes"
    elif not locus.arrays:
        text = (
            f"{title}: {_count(len(locus.genes), 'cas gene')}, without a CRISPR array beside them."
        )
        value, missing = "cas genes without an array", ("CRISPR array",)
    else:
        text = f"{title}: {_count(len(locus.genes), 'cas gene')} and {arrays}."
        value = kind or "system"
    named = ", ".join(f"{gene.role.gene_id} ({gene.role.role})" for gene in locus.genes)
    reasoning = [
        *([f"Cas genes: {named}."] if named else []),
        *([step] if step else []),
        *(
            f"Array {array.id}: {array.repeats} repeats of {len(array.repeat)} bp ({array.repeat})."
            for array in locus.arrays
        ),
    ]
    doubts = ["Spacers were not compared with phages."] if spacers else []
    if locus.arrays and not locus.genes:
        doubts.append("Arrays without cas genes may work with those elsewhere in the genome.")
        if all(len(array.spacers) <= _FEW_SPACERS for array in locus.arrays):
            doubts.append(
                f"{_FEW_SPACERS} spacers or fewer without cas genes are weak evidence: other "
                "repeats of genomes look alike."
            )
    return GenomeStatement(
        Topic.DEFENCE,
        view.contig.id,
        subject,
        value,
        text,
        interval=stretch(view, locus.spans),
        genes=tuple(gene.role for gene in locus.genes),
        missing=missing,
        reasoning=tuple(reasoning),
        uncertainties=tuple(doubts),
    )


def _kind(locus: _Locus, cas: Sequence[FoundSystem]) -> tuple[str, str]:
    """The type of a locus and why; empty where nothing shows it."""
    ids = {gene.player.gene_id for gene in locus.genes}
    titles = dict.fromkeys(
        one.definition.title for one in cas if one.gene_ids & ids and not one.definition.is_other
    )
    if titles:
        kinds = ", ".join(
            title.removeprefix("CRISPR-Cas ").replace("Type ", "type ") for title in titles
        )
        return kinds, f"Complete by the definitions of PADLOC-DB: {', '.join(titles)}."
    for marker, kind in _TYPES:
        for gene in locus.genes:
            if marker.search(gene.role.role):
                return kind, f"{gene.role.gene_id} ({gene.role.role}) marks {kind}."
    return "", ""


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
