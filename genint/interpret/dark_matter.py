"""Dark matter: genes that the databases used do not recognise, ranked as research targets.

A gene that is missing here may be well known elsewhere. The ranking asks what is unknown to
science, and its priority is a ranking aid, not a probability: the logistic of three addends,
fitted on twelve annotated phages (among them lambda, T7, K, L5, B3 and Apostate) whose own
proteins and annotation were hidden. Of 824 genes that were dark then, those without a function
in the record were mostly short (short genes between early genes); long ones, and gaps between
genes of the virion, mostly had a name. A domain of unknown function says so outright.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from genint.interpret.claims import UNINFORMATIVE
from genint.interpret.explain import call_uncertainties
from genint.interpret.scoring import NO_SERVICE_NOTES, ServiceNotes, spurious_uncertainties
from genint.interpret.uncertainty import gene_uncertainties, joined_end_uncertainties
from genint.knowledge.confidence import logistic
from genint.model.evidence import Evidence
from genint.model.genome import Contig, Gene, Topology
from genint.model.interpretation import FOLDSEEK, HHPRED, GeneResult, Novelty
from genint.model.interval import Strand
from genint.model.vocabulary import Category

_NEIGHBOURS_PER_SIDE = 4
_SHOWN_PER_SIDE = 2
_START: Final = 6.0
_PER_LOG_LENGTH: Final = -1.2
_OF_VIRION: Final = -1.2
_CONSERVED: Final = 1.0
"""Log-odds that a dark gene is unknown to science: the start, for each natural logarithm of its
residues, where all its neighbours are genes of the virion, and where it has a domain of unknown
function. The last was set: too few of the dark genes have one."""
_SHORTEST_AA: Final = 50
"""Genes shorter than this are no more unknown, but less certain to be genes."""
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
    local: bool = False,
) -> list[GeneResult]:
    """Results of a contig, those of dark genes with their novelty.

    Args:
        contig: Where the genes are.
        results: Of all its genes.
        unknown: Hits of families of unknown function, by gene id.
        products: What genes may make besides their protein, by gene id.
        services: What online services report, by gene id.
        local: Similar proteins were searched for too.
    """
    order = sorted(range(len(results)), key=lambda at: results[at].gene.span)
    rank = {at: position for position, at in enumerate(order)}
    completed = []
    for at, result in enumerate(results):
        if not result.is_dark:
            completed.append(result)
            continue
        circular = contig.topology is Topology.CIRCULAR
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
            _neighbours(order, rank[at], results, circular=circular),
            uncertainties,
            may_be_none=bool(notes.spurious),
            searched=Searched(local, any(answer.state.is_answer for answer in notes.answers)),
        )
        completed.append(replace(result, novelty=found))
    return completed


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
    may_be_none: bool = False,
    searched: Searched = OFFLINE,
) -> Novelty:
    """Describe and rank one dark gene. A pseudogene has priority 0 whatever else it has.

    Args:
        gene: The gene.
        unknown: Hits of families of unknown function.
        neighbours: Genes on either side, nearest first on each side.
        uncertainties: About the gene, besides those that it shows itself.
        may_be_none: Something says that it is no gene.
        searched: Where else it was searched for.
    """
    length_aa = len(gene.protein)
    virion = sum(one.category in _VIRION for one in neighbours)
    log_odds = _START + _PER_LOG_LENGTH * math.log(max(length_aa, _SHORTEST_AA))
    log_odds += _OF_VIRION * virion / max(len(neighbours), 1)
    log_odds += _CONSERVED if unknown else 0.0
    priority = logistic(log_odds)
    if gene.pseudo:
        priority = 0.0
    elif may_be_none or "*" in gene.protein or call_uncertainties(gene):
        priority *= _UNCERTAIN_FACTOR
    steps = _next_steps(gene, unknown, _module(neighbours), may_be_none, searched)
    return Novelty(
        priority=round(priority, 3),
        reasons=tuple(_reasons(gene, unknown, virion, len(neighbours))),
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
    found = [item.label for item in unknown]
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
    if may_be_none or len(gene.protein) < _SMALL_AA:
        return "confirm by mass spectrometry or ribosome profiling that it is translated"
    if unknown:
        return "test the conserved residues of the domain; its family has no known function"
    if module is not None:
        return f"knock it out and test for a defect in {module.value}, the module it lies in"
    return "knock it out and compare growth, lysis and particles with the wild type"
