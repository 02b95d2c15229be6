"""Dark matter: genes that the databases used do not recognise, ranked as research targets.

A gene that is missing here may be well known elsewhere. The ranking asks what is unknown to
science, and its priority is a ranking aid: the logistic of a few addends, fitted on annotated
phages whose own proteins and annotation were hidden (:mod:`genint.knowledge.dark_ranking`). Those
without a function in the record were mostly short (short genes between early genes); long ones,
and gaps between genes of the virion, mostly had a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from genint.interpret.claims import UNINFORMATIVE, ScoringModel
from genint.interpret.explain import call_uncertainties, peptide_step
from genint.interpret.scoring import NO_SERVICE_NOTES, ServiceNotes, spurious_uncertainties
from genint.interpret.uncertainty import gene_uncertainties, joined_end_uncertainties
from genint.knowledge.confidence import logistic
from genint.knowledge.dark_ranking import DarkRanking, DarkTraits
from genint.model.evidence import Evidence
from genint.model.genome import Contig, Gene, Topology
from genint.model.interpretation import FOLDSEEK, HHPRED, GeneResult, Novelty
from genint.model.interval import Strand
from genint.model.vocabulary import Category

_NEIGHBOURS_PER_SIDE = 4
_SHOWN_PER_SIDE = 2
_LENGTHS: Final = ((100, "short"), (200, "of medium length"))
_VIRION: Final = frozenset(
    {Category.PACKAGING, Category.HEAD, Category.CONNECTOR, Category.TAIL, Category.LYSIS}
)
"""Modules whose genes are known of many phages: what is missing there is mostly known."""
_UNCERTAIN_FACTOR = 0.5
"""A gene that may be none is half the target; a pseudogene is none."""
_SMALL_AA = 60


class Searched(NamedTuple):
    """Where a gene was searched for besides what ships.

    Attributes:
        local: In installed or own similarity references.
        online: A service answered about it.
    """

    local: bool = False
    online: bool = False


OFFLINE: Final = Searched()


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A gene beside a dark one: its name, what it does, its category.

    Attributes:
        side: ``upstream`` or ``downstream`` of the dark gene.
        distance: 1 for the gene next to it.
    """

    name: str
    claim: str | None
    category: Category | None
    side: str
    distance: int = 1


def add_novelty(  # noqa: PLR0913 - one argument for each kind of finding
    contig: Contig,
    results: Sequence[GeneResult],
    unknown: Mapping[str, tuple[Evidence, ...]],
    products: Mapping[str, tuple[str, ...]],
    services: Mapping[str, ServiceNotes],
    *,
    model: ScoringModel,
) -> list[GeneResult]:
    """Results of a contig, those of dark genes with their novelty.

    Args:
        contig: Where the genes are.
        results: Of all its genes.
        unknown: Hits of families of unknown function, by gene id.
        products: What genes may make besides their protein, by gene id.
        services: What online services report, by gene id.
        model: How dark genes are ranked, and whether similar proteins were searched for too.
    """
    local = model.setting.mode == "local"
    completed = list(results)
    for at, neighbours in _dark_in_place(contig, results):
        result = results[at]
        notes = services.get(result.gene_id, NO_SERVICE_NOTES)
        uncertainties = (
            *spurious_uncertainties(notes.spurious),
            *joined_end_uncertainties(contig, result.gene),
            *products.get(result.gene_id, ()),
            *notes.remarks,
        )
        found = novelty(
            result.gene,
            unknown.get(result.gene_id, ()),
            neighbours,
            uncertainties,
            ranking=model.dark_ranking,
            may_be_none=bool(notes.spurious),
            searched=Searched(local, any(answer.state.is_answer for answer in notes.answers)),
        )
        completed[at] = replace(result, novelty=found)
    return completed


def _dark_in_place(
    contig: Contig, results: Sequence[GeneResult]
) -> Iterator[tuple[int, list[Neighbour]]]:
    """Where the dark genes are among the results, and the genes around each."""
    order = sorted(range(len(results)), key=lambda at: results[at].gene.span)
    circular = contig.topology is Topology.CIRCULAR
    for position, at in enumerate(order):
        if results[at].is_dark:
            yield at, _neighbours(order, position, results, circular=circular)


def dark_traits(
    contig: Contig, results: Sequence[GeneResult], unknown: Mapping[str, Sequence[Evidence]]
) -> Iterator[tuple[str, DarkTraits]]:
    """What the ranking sees of the dark genes of a contig, by id: to fit and to measure it.

    Args:
        contig: Where the genes are.
        results: Of all its genes.
        unknown: Hits of families of unknown function, by gene id.
    """
    for at, neighbours in _dark_in_place(contig, results):
        gene = results[at].gene
        yield gene.id, _traits(gene, unknown.get(gene.id, ()), neighbours)


def _traits(gene: Gene, unknown: Sequence[Evidence], neighbours: Sequence[Neighbour]) -> DarkTraits:
    of_virion = _of_virion(neighbours) / max(len(neighbours), 1)
    return DarkTraits(len(gene.protein), of_virion, bool(unknown))


def _of_virion(neighbours: Sequence[Neighbour]) -> int:
    return sum(one.category in _VIRION for one in neighbours)


def _neighbours(
    order: Sequence[int], position: int, results: Sequence[GeneResult], *, circular: bool
) -> list[Neighbour]:
    """Up to four genes on either side, by coordinates, nearest first."""
    found: dict[int, Neighbour] = {}
    reverse = results[order[position]].gene.strand is Strand.REVERSE
    for step in (-1, 1):
        side = "upstream" if (step < 0) != reverse else "downstream"
        for distance in range(1, _NEIGHBOURS_PER_SIDE + 1):
            index = position + step * distance
            if circular:
                index %= len(order)
            if not 0 <= index < len(order) or index == position or index in found:
                break
            other = results[order[index]]
            claim = other.interpretation.hypothesis if other.interpretation else None
            # The category of a dark gene comes from its own neighbours, so it is no clue here.
            category = None if other.is_dark else other.classification.category
            found[index] = Neighbour(other.gene.name, claim, category, side, distance)
    return list(found.values())


def novelty(  # noqa: PLR0913 - one argument for each kind of finding
    gene: Gene,
    unknown: Sequence[Evidence],
    neighbours: Sequence[Neighbour],
    uncertainties: Sequence[str] = (),
    *,
    ranking: DarkRanking,
    may_be_none: bool = False,
    searched: Searched = OFFLINE,
) -> Novelty:
    """Describe and rank one dark gene. A pseudogene has priority 0 whatever else it has.

    Args:
        gene: The gene.
        unknown: Hits of families of unknown function.
        neighbours: Genes on either side, nearest first on each side.
        uncertainties: About the gene, besides those that it shows itself.
        ranking: How likely such a gene is unknown to science.
        may_be_none: Something says that it is no gene.
        searched: Where else it was searched for.
    """
    priority = logistic(ranking.log_odds(_traits(gene, unknown, neighbours)))
    reasons = _reasons(gene, unknown, _of_virion(neighbours), len(neighbours))
    if gene.pseudo:
        priority = 0.0
    elif priority < ranking.target_from:
        reasons.append("its function is probably known elsewhere, so it is no research target yet")
    if may_be_none or "*" in gene.protein or call_uncertainties(gene):
        priority *= _UNCERTAIN_FACTOR
        if not gene.pseudo:
            reasons.append("may be no gene: no research target before that is settled")
    steps = _next_steps(gene, unknown, _module(neighbours), may_be_none, searched)
    return Novelty(
        priority=round(priority, 3),
        reasons=tuple(reasons),
        observations=(*_observations(gene, unknown), *gene_uncertainties(gene), *uncertainties),
        neighbours=tuple(
            f"{one.side}: {one.name} ({one.claim or 'unknown function'})"
            for one in neighbours
            if one.distance <= _SHOWN_PER_SIDE
        ),
        next_step=steps[0],
        next_steps=steps,
    )


def _reasons(gene: Gene, unknown: Sequence[Evidence], virion: int, around: int) -> list[str]:
    """What makes it likely, or unlikely, that nobody knows its function."""
    length_aa = len(gene.protein)
    size = next((word for below, word in _LENGTHS if length_aa < below), "long")
    found = [f"{size} ({length_aa} amino acids)"]
    if unknown:
        names = ", ".join(dict.fromkeys(item.accession or item.subject for item in unknown))
        found.append(f"conserved: contains {names}, a domain of unknown function")
    if virion:
        found.append(f"{virion} of {around} neighbours are genes of packaging, virion or lysis")
    if gene.pseudo:
        found.insert(0, "annotated as a pseudogene: ranked last")
    return found


def _observations(gene: Gene, unknown: Sequence[Evidence]) -> list[str]:
    found = [*peptide_step(gene), *(item.label for item in unknown)]
    if gene.product is not None:
        found.insert(0, f"the file calls it “{gene.product}”, which names no function")
    return found


def _module(neighbours: Sequence[Neighbour]) -> Category | None:
    """Module of the nearest neighbours with a known one, where both sides have the same."""
    nearest: dict[str, Category] = {}
    for neighbour in neighbours:
        if neighbour.category is not None and neighbour.category not in UNINFORMATIVE:
            nearest.setdefault(neighbour.side, neighbour.category)
    modules = set(nearest.values())
    return modules.pop() if len(modules) == 1 else None


def _next_steps(
    gene: Gene,
    unknown: Sequence[Evidence],
    module: Category | None,
    may_be_none: bool,
    searched: Searched,
) -> tuple[str, ...]:
    """Searches that were not made yet, the cheapest first; then the experiment that tells most."""
    if gene.pseudo:
        return ("check the reading frame by resequencing before any work on function",)
    steps = []
    if not searched.local:
        steps.append("search Swiss-Prot and all of Pfam (genint db install, then --mode local)")
    if not searched.online:
        steps.append("query UniProt and InterPro (--mode online)")
    steps.append(
        f"search its sequence for remote relatives with HHpred ({HHPRED}), and its predicted "
        f"structure with Foldseek ({FOLDSEEK})"
    )
    steps.append(f"only if nothing is found: {_experiment(gene, unknown, module, may_be_none)}")
    return tuple(steps)


def _experiment(
    gene: Gene, unknown: Sequence[Evidence], module: Category | None, may_be_none: bool
) -> str:
    if (may_be_none or len(gene.protein) < _SMALL_AA) and not gene.peptides:
        return "confirm by mass spectrometry or ribosome profiling that it is translated"
    if unknown:
        return "test the conserved residues of the domain; its family has no known function"
    if module is not None:
        return f"knock it out and test for a defect in {module.value}, the module it lies in"
    return "knock it out and compare growth, lysis and particles with the wild type"
