"""All statements on a genome, record by record, in the order of their topics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from genint.knowledge.overview_tables import OverviewKnowledge
from genint.model.genome import Genome
from genint.model.interpretation import GeneResult
from genint.model.overview import GenomeStatement, MarkersFound, Outcome, Topic
from genint.model.vocabulary import GenomeKind
from genint.overview.bacteria import insertion_sequences, toxin_antitoxin, trna_complement
from genint.overview.dark import dark_genes
from genint.overview.defence import defence
from genint.overview.ends import ends
from genint.overview.interrupted import interrupted_genes
from genint.overview.kinds import kinds
from genint.overview.lifestyle import lifestyle
from genint.overview.modules import modules
from genint.overview.prophages import prophages
from genint.overview.receptors import receptor_binding
from genint.overview.record import RecordView, players_of
from genint.overview.relatives import relatives
from genint.overview.safety import safety
from genint.overview.universal import completeness_of_bacterium

Describer = Callable[[RecordView, OverviewKnowledge], Iterable[GenomeStatement]]

_DESCRIBERS: Final[tuple[Describer, ...]] = (
    lifestyle,
    ends,
    modules,
    receptor_binding,
    relatives,
    safety,
    defence,
    prophages,
    insertion_sequences,
    toxin_antitoxin,
    trna_complement,
    interrupted_genes,
    dark_genes,
)
"""One for each group of topics; each says nothing of records that it is not for. Records that are
no phage by their genes are none for them either."""
_ARRAYS: Final = "CRISPR arrays"
"""As searches call them."""
_OF_CELLS: Final = frozenset({"bacterium", "plasmid"})
_OF_PHAGES: Final = frozenset(
    {Topic.LIFESTYLE, Topic.COMPLETENESS, Topic.ENDS, Topic.MODULE, Topic.RELATIVE, Topic.SAFETY}
)
_UNKNOWN_KIND: Final = (
    "Whether the record is of a phage is not known (see its kind): this holds only if it is."
)
_ORDER: Final = {topic: at for at, topic in enumerate(Topic)}


def describe(
    genome: Genome,
    results: Sequence[GeneResult],
    knowledge: OverviewKnowledge,
    markers: MarkersFound,
    searched: tuple[str, ...],
) -> tuple[GenomeStatement, ...]:
    """What can be said of a genome as a whole.

    Args:
        genome: Its genes are final.
        results: One for each gene.
        knowledge: Tables.
        markers: What references of markers recognise, and which were searched.
        searched: What the run searched with, as reports name it.

    Returns:
        By record in the order of the file, then by topic.

    Cost: some 10 us a gene.
    """
    of_contig: dict[str, list[GeneResult]] = {contig.id: [] for contig in genome.contigs}
    for result in results:
        of_contig[result.gene.contig].append(result)
    arrays = any(one.what == _ARRAYS and one.method is None for one in genome.searches)
    views = [
        RecordView(
            contig,
            contig.kind or genome.kind,
            players_of(of_contig[contig.id], knowledge.roles),
            markers.hits,
            searched,
            markers.references,
            has_searched_arrays=not arrays,
        )
        for contig in genome.contigs
    ]
    together = tuple(completeness_of_bacterium(views, knowledge))
    found: list[GenomeStatement] = []
    for view in views:
        said = list(kinds(view, knowledge))
        if any(one.value in _OF_CELLS for one in said):
            view = replace(view, kind=GenomeKind.BACTERIUM)  # noqa: PLW2901 - by its genes
        of_view = [one for describer in _DESCRIBERS for one in describer(view, knowledge)]
        if not view.players:  # among no genes nothing was looked for
            of_view = [one for one in of_view if one.outcome is Outcome.FOUND]
        is_unknown = any(one.outcome is Outcome.CANNOT_TELL for one in said)
        said += map(_if_phage, of_view) if is_unknown else of_view
        said += [one for one in together if one.record == view.contig.id]
        found += sorted(said, key=lambda one: _ORDER[one.topic])
    return tuple(found)


def _if_phage(one: GenomeStatement) -> GenomeStatement:
    """What is said of phages, of a record of which it is not known whether it is one."""
    if one.topic not in _OF_PHAGES:
        return one
    return replace(one, uncertainties=(_UNKNOWN_KIND, *one.uncertainties))
