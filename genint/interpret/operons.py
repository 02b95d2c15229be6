"""Names that an operon completes: parts of one ABC transporter lie side by side.

Many proteins show that they are the permease, the ATP-binding or the substrate-binding protein of
an ABC transporter, and not of which one. The genes of one transporter follow one another on one
strand, and mostly one of them tells what is transported. A part that does not say it is named
after the nearest one that does.

Operons of ABC transporters: Tomii & Kanehisa 1998, doi:10.1101/gr.8.10.1048.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from genint.interpret.agreement import STRENGTH_OPERON
from genint.interpret.claims import ScoringModel
from genint.interpret.gene_context import name_by_place
from genint.interpret.scoring import Scored
from genint.knowledge.products import Product, ProductVocabulary
from genint.model.evidence import Evidence
from genint.model.genome import Contig, Gene, Topology
from genint.model.interpretation import Hypothesis
from genint.model.vocabulary import ConfidenceLevel, EvidenceType, Specificity

_MOST_BETWEEN_BP: Final = 150
"""Bases between two genes of an operon."""
_REACH: Final = 3
"""Genes on either side: a transporter has two to five parts."""
_SYSTEM: Final = "_abc_transporter_"
"""In the ids of terms: ``ribose_abc_transporter_permease`` is a part of ``ribose``."""
_SAY_NO_SUBSTRATE: Final = frozenset({Specificity.CATEGORY, Specificity.DOMAIN})


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of ABC transporters.

    Attributes:
        name: As ids of terms end.
        pfam: Families of Pfam by which one is known. Those of regulators too (Peripla_BP_1) are
            left out.
    """

    name: str
    pfam: frozenset[str]


def _part(name: str, pfam: str) -> _Part:
    return _Part(name, frozenset(pfam.split()))


_PARTS: Final = (
    _part("atp_binding_protein", "PF00005"),
    _part("permease", "PF00528 PF02653 PF00950"),
    _part(
        "substrate_binding_protein",
        "PF00496 PF00497 PF01297 PF01547 PF02608 PF03180 PF04069 PF09084 PF12849 PF12974 PF13343 "
        "PF13379 PF13407 PF13416 PF13433 PF13458 PF13531 PF16868",
    ),
)
_OTHER_TRANSPORTERS: Final = frozenset({"PF00664", "PF01061", "PF12698"})
"""Membrane domains of exporters: beside an ATPase in one protein, or of another kind of operon."""


_PART_NAMES: Final = frozenset(part.name for part in _PARTS)


class _Named(NamedTuple):
    """A gene that says of which transporter it is a part.

    Attributes:
        gene: With the name.
        hypothesis: The name.
        system: In the ids of terms; empty for a transporter without terms.
    """

    gene: Gene
    hypothesis: Hypothesis
    system: str


def operon_names(
    contig: Contig,
    evidence: Sequence[Sequence[Evidence]],
    alone: Sequence[Scored],
    model: ScoringModel,
) -> Mapping[int, tuple[Evidence, ...]]:
    """What the operon says of parts of ABC transporters that do not say which.

    Args:
        contig: Its genes, in any order.
        evidence: Of each gene, in the same order.
        alone: The hypotheses of each without its neighbours, likewise.
        model: The vocabulary.

    Returns:
        By the place of the gene among those of the contig: its evidence with the name, which is the
        last. Families of Pfam by which the part is known are classes there: those of
        substrate-binding proteins are called after one substrate of many. There is no name where
        both sides tell different transporters, where a nearer part is of one that the
        vocabulary does not know, nor for a name that is no term of it.

    Cost: 2 us a gene.
    """
    genes = contig.genes
    named = {
        at: found
        for at, scored in enumerate(alone)
        if (found := _named(genes[at], evidence[at], scored, model.products)) is not None
    }
    if not any(one.system for one in named.values()):
        return {}
    order = sorted(range(len(genes)), key=lambda at: genes[at].span)
    place = {at: position for position, at in enumerate(order)}
    names: dict[int, tuple[Evidence, ...]] = {}
    for at, scored in enumerate(alone):
        part = _part_without_substrate(genes[at], evidence[at], scored)
        if part is None:
            continue
        partners = [
            partner
            for step in (-1, 1)
            if (partner := _partner(contig, order, place[at], step, named)) is not None
        ]
        if len({partner.system for partner in partners}) != 1 or not partners[0].system:
            continue
        term = model.products.products.get(f"{partners[0].system}{_SYSTEM}{part.name}")
        if term is not None:
            own = (_as_class(item, part) for item in evidence[at])
            names[at] = (*own, _evidence(genes[at], term, partners))
    return names


def _named(
    gene: Gene, evidence: Sequence[Evidence], scored: Scored, products: ProductVocabulary
) -> _Named | None:
    """Of which transporter a gene is surely enough a part, by the term of its best name."""
    if gene.pseudo or not scored.hypotheses:
        return None
    best = scored.hypotheses[0]
    lead, term = best.evidence[0], products.products.get(best.evidence[0].product or "")
    if best.specificity in _SAY_NO_SUBSTRATE or not ConfidenceLevel.of(best.score).is_supported:
        return None
    if term is not None and term.vague:
        return None
    system, _, part = term.id.rpartition(_SYSTEM) if term is not None else ("", "", "")
    if system and part in _PART_NAMES:
        return _Named(gene, best, system)
    of_another = lead.type is not EvidenceType.DOMAIN and _parts_by_pfam(evidence)
    return _Named(gene, best, "") if of_another else None


def _part_without_substrate(
    gene: Gene, evidence: Sequence[Evidence], scored: Scored
) -> _Part | None:
    """The part of a transporter that a gene is, where no more than that is known of it."""
    if gene.pseudo or not scored.hypotheses:
        return None
    best = scored.hypotheses[0]
    lead = best.evidence[0]
    names_it = best.specificity not in _SAY_NO_SUBSTRATE and lead.type is not EvidenceType.DOMAIN
    if names_it and best.types:
        return None
    if _families(evidence) & _OTHER_TRANSPORTERS:
        return None
    parts = _parts_by_pfam(evidence)
    if best.specificity is Specificity.CATEGORY:
        parts += [
            part
            for part in _PARTS
            if lead.product == f"{_SYSTEM[1:]}{part.name}" and part not in parts
        ]
    return parts[0] if len(parts) == 1 else None


def _as_class(item: Evidence, part: _Part) -> Evidence:
    """The item; a family of Pfam that covers the protein only says that it is such a part."""
    of_part = item.pfam in part.pfam and item.specificity is Specificity.FAMILY
    return replace(item, specificity=Specificity.CATEGORY) if of_part else item


def _families(evidence: Sequence[Evidence]) -> frozenset[str]:
    return frozenset(item.pfam for item in evidence if item.pfam)


def _parts_by_pfam(evidence: Sequence[Evidence]) -> list[_Part]:
    pfam = _families(evidence)
    return [part for part in _PARTS if part.pfam & pfam]


def _partner(
    contig: Contig, order: Sequence[int], position: int, step: int, named: Mapping[int, _Named]
) -> _Named | None:
    """The nearest part on one side that says of which transporter it is."""
    for other in row(contig, order, position, step, _REACH):
        if other in named:
            return named[other]
    return None


def row(
    contig: Contig, order: Sequence[int], position: int, step: int, reach: int
) -> Iterator[int]:
    """Genes that follow one another closely on one strand, from a gene to one side.

    Args:
        contig: Its genes, in any order.
        order: Their places there, by position on the contig.
        position: Of the gene in ``order``.
        step: 1 to one side, -1 to the other.
        reach: Genes at most.
    """
    genes, size = contig.genes, len(order)
    circle_bp = len(contig) if contig.topology is Topology.CIRCULAR else 0
    for away in range(1, min(reach, size - 1) + 1):
        here, there = position + step * (away - 1), position + step * away
        if not circle_bp and not 0 <= there < size:
            return
        one, other = genes[order[here % size]], genes[order[there % size]]
        left, right = (one, other) if step > 0 else (other, one)
        between_bp = right.span.start - left.span.end
        if right.span.start < left.span.start:
            between_bp += circle_bp
        if one.strand is not other.strand or between_bp > _MOST_BETWEEN_BP:
            return
        yield order[there % size]


def _evidence(gene: Gene, term: Product, partners: Sequence[_Named]) -> Evidence:
    said = " and ".join(f"{one.gene.name}, {one.hypothesis.claim}" for one in partners)
    label = f"in one row with {said}: parts of one ABC transporter lie side by side"
    return name_by_place(gene, term, label, STRENGTH_OPERON, f"operon:{partners[0].gene.id}")
