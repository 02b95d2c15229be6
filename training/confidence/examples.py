"""Hypotheses of held-out genes as examples: what speaks for each, and whether it is true.

A claim for the whole protein, or of a class or a part of it, is true where it is what the record
says or something wider: it claims no more than it says. Pairs of names that were read are
believed first (:mod:`training.confidence.readings`), the judge of names tells the others.
Whether it is as narrow as the record is counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from genint.interpret.claims import ScoringModel, category_of
from genint.interpret.grouping import Group, class_group, group_evidence, rivals, supports
from genint.interpret.phage_context import in_their_place
from genint.knowledge.confidence import Part, Setting
from genint.knowledge.name_comparison import Verdict, compare_names
from genint.knowledge.products import ProductVocabulary
from genint.model.evidence import Evidence
from genint.model.vocabulary import Category, EvidenceType, GenomeKind, Specificity
from training.confidence.observations import Observed
from training.confidence.panel import Truth
from training.confidence.readings import Reading, is_part, reading_of

Around = Mapping[str, Mapping[Category, float]]
"""By gene: how much likelier its neighbours are beside a gene of each category, log-odds."""
NO_CONTEXT: Around = MappingProxyType({})


class Judged(NamedTuple):
    """Whether a claim is true, and whether it says as much as the record."""

    true: bool
    full: bool


@dataclass(frozen=True, slots=True)
class Example:
    """One hypothesis of a gene whose record says something.

    Attributes:
        group: Of genomes that are left out together.
        genome: Name of the genome.
        kind: Of the genome.
        gene: Id.
        terms: How often each addend of the score is there.
        judged: None where the record says nothing that it could be judged by.
    """

    group: str
    genome: str
    kind: GenomeKind
    gene: str
    terms: Mapping[str, float]
    judged: Judged | None


_READ = {
    Reading.RIGHT: Judged(true=True, full=True),
    Reading.WIDER: Judged(true=True, full=False),
    Reading.WRONG: Judged(true=False, full=False),
    Reading.NOTHING: None,
}


def judged(
    truth: Truth, claim: str, vocabulary: ProductVocabulary, ec: Iterable[str] = ()
) -> Judged | None:
    """Whether a claim holds: by reading where it was read, else by its words.

    A part of a protein ("contains a ...") is judged by its words alone: that the part is there
    held in nearly all cases that were read, and the score asks whether it tells the function.
    ``ec`` are enzyme numbers that the evidence gives beside the claim.
    """
    reading = None if is_part(claim) else reading_of(truth.product, claim)
    return judged_by_words(truth, claim, vocabulary, ec) if reading is None else _READ[reading]


def judged_by_words(
    truth: Truth, claim: str, vocabulary: ProductVocabulary, ec: Iterable[str] = ()
) -> Judged | None:
    """What the judge of names says of a claim; None where it cannot tell.

    One of the protein's names that bears it out is enough: records word one thing in many
    ways. None is borne out by a name that says nothing.
    """
    numbered = _with_numbers(claim, ec)
    verdicts = [_verdict(name, numbered, vocabulary) for name in truth.names]
    told = [verdict for verdict in verdicts if verdict is not Verdict.UNINFORMATIVE]
    if not told:
        return None
    full = any(verdict.right for verdict in told)
    return Judged(full or Verdict.VAGUER in told, full)


def _with_numbers(claim: str, ec: Iterable[str]) -> str:
    """A claim as records word an enzyme: its number behind it, unless that is open."""
    number = next((one for one in ec if not one.endswith("-")), None)
    return f"{claim} (EC {number})" if number and not is_part(claim) else claim


@lru_cache(maxsize=200_000)
def _verdict(truth: str, claim: str, vocabulary: ProductVocabulary) -> Verdict:
    return compare_names(truth, claim, vocabulary)


def evidence_in(mode: str, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Of all that was observed, what a mode has."""
    if mode == "local":
        return tuple(evidence)
    return tuple(item for item in evidence if item.type is not EvidenceType.HOMOLOGY)


def examples(
    observed: Observed, mode: str, judgement: ScoringModel, around: Around = NO_CONTEXT
) -> Iterator[Example]:
    """All hypotheses of the genes of a genome whose record says something.

    Args:
        observed: The genome.
        mode: What is known of it.
        judgement: Decides what is one hypothesis.
        around: What the neighbours of its genes say.
    """
    placed = _in_their_place(observed, mode, judgement)
    for gene_id, truth in observed.panel.truth.items():
        if not truth.telling:
            continue
        gene = _Gene(observed, gene_id, truth, around.get(gene_id, {}))
        yield from _of_gene(gene, placed.get(gene_id, ()), judgement)


def _in_their_place(
    observed: Observed, mode: str, judgement: ScoringModel
) -> dict[str, tuple[Evidence, ...]]:
    """The evidence of all genes; names of phages claim a region where no phage lies around."""
    panel = observed.panel
    of_kind = replace(judgement, setting=Setting(mode, panel.kind))
    seen = {gene: evidence_in(mode, evidence) for gene, evidence in observed.evidence.items()}
    placed: dict[str, tuple[Evidence, ...]] = {}
    for contig in panel.genome.contigs:
        placed |= in_their_place(contig, seen, of_kind)
    return placed


class _Gene(NamedTuple):
    """A gene, what is known of it, and what its neighbours say."""

    observed: Observed
    id: str
    truth: Truth
    near: Mapping[Category, float]


def _of_gene(
    gene: _Gene, evidence: Sequence[Evidence], judgement: ScoringModel
) -> Iterator[Example]:
    groups = group_evidence(evidence, judgement)
    for group in groups:
        yield _example(gene, group, groups, judgement)
        class_ = class_group(group, judgement)
        if class_ is not None:
            others = tuple(other for other in groups if other is not group)
            yield _example(gene, class_, others, judgement)


def _example(
    gene: _Gene, group: Group, groups: Sequence[Group], judgement: ScoringModel
) -> Example:
    terms = dict(terms_of(group, groups, judgement))
    category = category_of(group.lead)
    if category is not None and category in gene.near:
        terms["context"] = gene.near[category]
    if group.lead.evidence.original_name is not None:
        terms["wider"] = 1.0
    return Example(
        group=gene.observed.group,
        genome=gene.observed.panel.name,
        kind=gene.observed.panel.kind,
        gene=gene.id,
        terms=terms,
        judged=judged(
            gene.truth,
            group.lead.evidence.claim,
            judgement.products,
            group.lead.evidence.ec,
        ),
    )


def terms_of(group: Group, groups: Sequence[Group], judgement: ScoringModel) -> Mapping[str, float]:
    """The addends of a hypothesis by name, as ``genint.interpret.scoring`` makes them."""
    found: Counter[str] = Counter({prior(group.lead.specificity): 1})
    for claim, part in supports(group):
        item = claim.evidence
        found[addend(part, item.strength, item.type)] += 1
    against = rivals(group, groups)
    if against.differing:
        found["differing"] += 1
    return found


def prior(specificity: Specificity) -> str:
    """Name of the prior of what is claimed."""
    return f"prior.{specificity.value}"


def addend(part: Part, strength: str, type_: EvidenceType) -> str:
    """Name of the weight of a piece of evidence."""
    match part:
        case Part.LEADS:
            return f"leads.{strength}"
        case Part.AGREES:
            return f"agrees.{strength}"
        case Part.SAYS_LESS:
            return f"says_less.{type_.value}"
        case Part.AGAIN:
            return f"again.{type_.value}"
        case Part.FITS:
            return "fits"
