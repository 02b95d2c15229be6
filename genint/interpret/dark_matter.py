"""Dark matter: genes without any known function, ranked as research targets.

The priority is a ranking aid of our own, not a probability. It adds up what makes an answer
likely and useful: length (a long conserved frame is a real protein), a conserved domain of
unknown function, and a place between genes of one known module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from genint.interpret.claims import UNINFORMATIVE
from genint.interpret.scoring import NO_SERVICE_NOTES, ServiceNotes, spurious_uncertainties
from genint.interpret.uncertainty import gene_uncertainties, joined_end_uncertainties
from genint.model.evidence import Evidence
from genint.model.genome import Contig, Gene, Topology
from genint.model.interpretation import GeneResult, Novelty
from genint.model.interval import Strand
from genint.model.vocabulary import Category

_NEIGHBOURS_PER_SIDE = 2
_LENGTH_SHARE = 0.35
_FULL_LENGTH_AA = 300
"""Length from which more residues make no better target."""
_CONSERVED_SHARE = 0.35
_NEIGHBOUR_SHARE = 0.30
_UNCERTAIN_FACTOR = 0.5
"""A gene that may be none is half the target; a pseudogene is none."""
_SMALL_AA = 60


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A gene beside a dark one: its name, what it does, its category.

    Attributes:
        side: ``upstream`` or ``downstream`` of the dark gene.
    """

    name: str
    claim: str | None
    category: Category | None
    side: str


def add_novelty(
    contig: Contig,
    results: Sequence[GeneResult],
    unknown: Mapping[str, tuple[Evidence, ...]],
    products: Mapping[str, tuple[str, ...]],
    services: Mapping[str, ServiceNotes],
) -> list[GeneResult]:
    """Results of a contig, those of dark genes with their novelty.

    Args:
        contig: Where the genes are.
        results: Of all its genes.
        unknown: Hits of families of unknown function, by gene id.
        products: What genes may make besides their protein, by gene id.
        services: What online services report, by gene id.
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
        )
        completed.append(replace(result, novelty=found))
    return completed


def _neighbours(
    order: Sequence[int], position: int, results: Sequence[GeneResult], *, circular: bool
) -> list[Neighbour]:
    """Up to two genes on either side, by coordinates, nearest first."""
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
            found[index] = Neighbour(other.gene.name, claim, category, side)
    return list(found.values())


def novelty(
    gene: Gene,
    unknown: Sequence[Evidence],
    neighbours: Sequence[Neighbour],
    uncertainties: Sequence[str] = (),
    *,
    may_be_none: bool = False,
) -> Novelty:
    """Describe and rank one dark gene. A pseudogene has priority 0 whatever else it has.

    Args:
        gene: The gene.
        unknown: Hits of families of unknown function.
        neighbours: Up to two genes on either side, nearest first on each side.
        uncertainties: About the gene, besides those that it shows itself.
        may_be_none: Something says that it is no gene.
    """
    length_aa = len(gene.protein)
    priority = _LENGTH_SHARE * min(length_aa / _FULL_LENGTH_AA, 1.0)
    reasons = [f"{length_aa} amino acids"]
    if unknown:
        priority += _CONSERVED_SHARE
        names = ", ".join(dict.fromkeys(item.accession or item.subject for item in unknown))
        reasons.append(f"conserved: contains {names}, a domain of unknown function")
    module, flanked = _module(neighbours)
    if module is not None:
        priority += _NEIGHBOUR_SHARE * (1.0 if flanked else 0.5)
        where = "between" if flanked else "next to"
        reasons.append(f"lies {where} genes of one module ({module.value})")
    if gene.pseudo:
        priority = 0.0
        reasons.insert(0, "annotated as a pseudogene: ranked last")
    elif may_be_none or "*" in gene.protein:
        priority *= _UNCERTAIN_FACTOR
    return Novelty(
        priority=round(priority, 3),
        reasons=tuple(reasons),
        observations=(*_observations(gene, unknown), *gene_uncertainties(gene), *uncertainties),
        neighbours=tuple(
            f"{one.side}: {one.name} ({one.claim or 'unknown function'})" for one in neighbours
        ),
        next_step=_next_step(
            length_aa, unknown, module, pseudo=gene.pseudo, may_be_none=may_be_none
        ),
    )


def _observations(gene: Gene, unknown: Sequence[Evidence]) -> list[str]:
    found = [item.label for item in unknown]
    if gene.product is not None:
        found.insert(0, f"the file calls it “{gene.product}”, which names no function")
    return found


def _module(neighbours: Sequence[Neighbour]) -> tuple[Category | None, bool]:
    """Module of the nearest neighbours with a known one, and whether both sides share it."""
    nearest: dict[str, Category] = {}
    for neighbour in neighbours:
        if neighbour.category is not None and neighbour.category not in UNINFORMATIVE:
            nearest.setdefault(neighbour.side, neighbour.category)
    modules = set(nearest.values())
    return (modules.pop(), len(nearest) > 1) if len(modules) == 1 else (None, False)


def _next_step(
    length_aa: int,
    unknown: Sequence[Evidence],
    module: Category | None,
    *,
    pseudo: bool,
    may_be_none: bool,
) -> str:
    """The experiment or analysis that would tell most, given what is known."""
    if pseudo:
        return "check the reading frame by resequencing before any work on function"
    if may_be_none or length_aa < _SMALL_AA:
        return "confirm by mass spectrometry or ribosome profiling that it is translated"
    if unknown:
        return "predict its structure and compare folds; the family is conserved but unexplained"
    if module is not None:
        return f"knock it out and test for a defect in {module.value}, the module it lies in"
    return "search for remote relatives by profile-profile and structure comparison"
