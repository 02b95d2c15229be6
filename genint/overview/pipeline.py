"""All statements on a genome, record by record, in the order of their topics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from genint.model.genome import Genome
from genint.model.interpretation import GeneResult
from genint.model.overview import GenomeStatement, MarkerHit, Topic
from genint.overview.defence import defence
from genint.overview.modules import modules
from genint.overview.record import OverviewKnowledge, RecordView, players_of

Describer = Callable[[RecordView, OverviewKnowledge], Iterable[GenomeStatement]]

_DESCRIBERS: Final[tuple[Describer, ...]] = (modules, defence)
"""One for each group of topics; each says nothing of records that it is not for."""
_ORDER: Final = {topic: at for at, topic in enumerate(Topic)}


def describe(
    genome: Genome,
    results: Sequence[GeneResult],
    knowledge: OverviewKnowledge,
    markers: Mapping[str, Sequence[MarkerHit]],
    searched: tuple[str, ...],
) -> tuple[GenomeStatement, ...]:
    """What can be said of a genome as a whole.

    Args:
        genome: Its genes are final.
        results: One for each gene.
        knowledge: Tables.
        markers: By gene id, what references of markers recognise.
        searched: What the run searched with, as reports name it.

    Returns:
        By record in the order of the file, then by topic.

    Cost: some 10 us a gene.
    """
    of_contig: dict[str, list[GeneResult]] = {contig.id: [] for contig in genome.contigs}
    for result in results:
        of_contig[result.gene.contig].append(result)
    found: list[GenomeStatement] = []
    for contig in genome.contigs:
        players = players_of(of_contig[contig.id], knowledge.roles)
        view = RecordView(contig, contig.kind or genome.kind, players, markers, searched)
        said = [one for describer in _DESCRIBERS for one in describer(view, knowledge)]
        found += sorted(said, key=lambda one: _ORDER[one.topic])
    return tuple(found)
