"""Which genes there are in the end, and what is known of them.

:func:`observe` brings gene calls, candidates and the local search together;
:func:`service_evidence` reads what online services answered for the genes that resulted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from genint.interpret.scoring import ServiceNotes
from genint.knowledge.catalogue import Knowledge, load_knowledge
from genint.knowledge.interpro_names import is_signature
from genint.knowledge.named_domains import DomainNames
from genint.model.evidence import Evidence, SequenceFeature, by_gene
from genint.model.genome import Gene, Genome
from genint.model.imported import ReadPeptide
from genint.model.interpretation import DatabaseUsed
from genint.model.online import (
    AnswerState,
    InterProAnswer,
    OnlineFindings,
    OnlineService,
    ServiceAnswer,
    ServiceUse,
    UniProtAnswer,
)
from genint.model.overview import MarkerHit
from genint.model.vocabulary import GenomeKind
from genint.online.identifiers import md5_of
from genint.pipeline.gene_calling import Called
from genint.pipeline.resources import Resources
from genint.pipeline.rna import first_ids, found_by, with_rna
from genint.pipeline.searches import Findings
from genint.sources import annotation, families, interpro, pfam

if TYPE_CHECKING:
    from genint.knowledge.rescue import RescueParameters

_LICENCES: Final = {
    OnlineService.UNIPROT: "CC BY 4.0",
    OnlineService.INTERPRO: "CC0 1.0",
}
_LATE: Final = "its protein was not among those queried"
_Answer = TypeVar("_Answer", UniProtAnswer, InterProAnswer)


class Observations(NamedTuple):
    """What the file and the local search say of the genes; large, so it stays in its process.

    Attributes:
        annotated: As the file has it.
        genome: With its final genes.
        annotations: What the file says.
        families: What families of genint's own say.
        similar: What similar proteins say.
        domains: What the profile search says.
        unknown_domains: Families of unknown function, never a claim.
        features: By gene id, what the sequence itself shows.
        knowledge: The tables that were read for it.
        markers: By gene id, what references of markers recognise.
    """

    annotated: Genome
    genome: Genome
    annotations: Sequence[Evidence]
    families: Sequence[Evidence]
    similar: Sequence[Evidence]
    domains: Sequence[Evidence]
    unknown_domains: Sequence[Evidence]
    features: Mapping[str, tuple[SequenceFeature, ...]]
    knowledge: Knowledge
    markers: Mapping[str, Sequence[MarkerHit]] = {}


def observe(called: Called, findings: Findings, resources: Resources) -> Observations:
    """Fix the gene set and collect the evidence.

    Args:
        called: Genes and candidates.
        findings: What was found for their proteins.
        resources: What was used.

    Raises:
        UnavailableError: an installed database is gone.

    Cost: about 0.3 ms a gene.
    """
    from genint.sources.sequence.features import observe_features  # noqa: PLC0415 - loads numpy

    knowledge = load_knowledge(resources.folders.families, resources.installed_tables)
    products = knowledge.products
    peptides = resources.imported.all_peptides
    genome = decided(called, findings, knowledge, peptides=peptides)
    phages = _phages(genome)
    of_families = families.observe(
        genome.genes, findings.profiles, knowledge.own_families, products, phages
    )
    names = DomainNames(knowledge.own_families, products)
    seen = pfam.observe(
        genome.genes, findings.profiles, knowledge.families, names, of_families, phages=phages
    )
    return Observations(
        called.annotated,
        genome,
        annotations=annotation.observe(genome.genes, products, knowledge.terms),
        families=of_families,
        similar=_similar(genome, findings, knowledge, of_families),
        domains=seen.evidence,
        unknown_domains=seen.unknown_domains,
        features=observe_features(genome.genes),
        knowledge=knowledge,
        markers=by_gene(findings.markers),
    )


def _similar(
    genome: Genome, findings: Findings, knowledge: Knowledge, of_families: Sequence[Evidence]
) -> tuple[Evidence, ...]:
    """What similar proteins say; most runs have no reference to search."""
    if not findings.similar:
        return ()
    from genint.sources import homology  # noqa: PLC0415 - loads HMMER

    return homology.observe(
        genome.genes,
        findings.similar,
        knowledge.own_families,
        knowledge.products,
        knowledge.terms,
        families=of_families,
    )


def decided(
    called: Called,
    findings: Findings,
    knowledge: Knowledge,
    rescue: RescueParameters | None = None,
    *,
    peptides: Sequence[ReadPeptide] = (),
) -> Genome:
    """The genome with the genes that are to be interpreted.

    Genes of the user's file stay as they are. Where genes were predicted, candidates
    are accepted or refused by what was found for them, RNA genes are added, and predicted
    genes that lie in those are left out.

    Args:
        called: Genes and candidates.
        findings: What was found for their proteins.
        knowledge: What families are called.
        rescue: Of the models that judge frames; default: what ships.
        peptides: Of mass spectrometry; each gene gets those of its protein.

    Cost: O(genes + hits); with peptides some us a base.
    """
    if called.calls is None:
        kept = replace(called.annotated, searches=found_by(findings.rna))
        return _with_seen(kept, peptides, are_fixed=True)
    from genint.genes import decide  # noqa: PLC0415 - loads numpy
    from genint.genes.frameshift import family_name, with_alternative_products  # noqa: PLC0415

    genome = decide(
        called.calls,
        findings.profiles,
        lambda accession: family_name(accession, knowledge),
        rescue,
        similar=findings.similar,
    )
    genome = _with_seen(genome, peptides, are_fixed=False)
    evidenced = frozenset(hit.gene_id for hit in findings.profiles)
    evidenced |= {gene.id for gene in genome.genes if gene.peptides}
    genome = with_rna(genome, findings.rna, first_ids(called), evidenced)
    return with_alternative_products(genome, findings.profiles, findings.similar, knowledge)


def _with_seen(genome: Genome, peptides: Sequence[ReadPeptide], *, are_fixed: bool) -> Genome:
    if not peptides:
        return genome
    from genint.genes import with_seen_peptides  # noqa: PLC0415 - loads numpy

    return with_seen_peptides(genome, peptides, are_fixed=are_fixed)


def _phages(genome: Genome) -> frozenset[str]:
    """Ids of the records that are taken for phages."""
    kinds = ((contig.id, contig.kind or genome.kind) for contig in genome.contigs)
    return frozenset(name for name, kind in kinds if kind is GenomeKind.PHAGE)


class ServiceEvidence(NamedTuple):
    """What services add to a genome.

    Attributes:
        evidence: Functional claims.
        unknown_domains: Families of unknown function, never a claim.
        notes: By gene id, the answers, and what is no claim.
        uses: How each service that was to be queried answered.
        unavailable: The same for those that did not answer in full, in words.
        databases: What the answers are from.
    """

    evidence: tuple[Evidence, ...] = ()
    unknown_domains: tuple[Evidence, ...] = ()
    notes: Mapping[str, ServiceNotes] = {}
    uses: tuple[ServiceUse, ...] = ()
    unavailable: tuple[str, ...] = ()
    databases: tuple[DatabaseUsed, ...] = ()


def service_evidence(observed: Observations, findings: OnlineFindings) -> ServiceEvidence:
    """Read the answers of services for the genes of a genome.

    Args:
        observed: The final genes, and what counts once with what the services say.
        findings: What was answered.

    Cost: some 0.3 ms a gene.
    """
    from genint.sources import uniprot  # noqa: PLC0415 - loads HMMER

    genome, knowledge = observed.genome, observed.knowledge
    md5s = _md5s(genome.genes)
    of_uniprot = _by_gene(md5s, findings.uniprot.answers) if findings.uniprot else {}
    of_interpro = _by_gene(md5s, findings.interpro.answers) if findings.interpro else {}
    named = uniprot.observe(
        genome.genes,
        of_uniprot,
        knowledge.own_families,
        knowledge.products,
        knowledge.terms,
        families=observed.families,
        annotations=observed.annotations,
    )
    signed = interpro.observe(
        genome.genes,
        of_interpro,
        findings.interpro.go if findings.interpro else {},
        knowledge.families,
        observed.domains,
    )
    spurious = by_gene(signed.spurious)
    notes = {
        gene.id: ServiceNotes(
            answers=tuple(_answers(findings, gene, of_uniprot, of_interpro)),
            spurious=spurious.get(gene.id, ()),
            remarks=tuple(signed.predictions.get(gene.id, ())),
        )
        for gene in genome.genes
    }
    uses = tuple(found.use for found in (findings.uniprot, findings.interpro) if found)
    return ServiceEvidence(
        (*named, *signed.evidence),
        signed.unknown_domains,
        notes,
        uses,
        tuple(_unavailable(findings, uses)),
        tuple(_database(use) for use in uses if use.releases and use.answered),
    )


def _md5s(genes: Iterable[Gene]) -> dict[str, str]:
    """By gene; of the final protein, whichever start or frame it came to have."""
    return {gene.id: md5_of(gene.protein.upper().removesuffix("*")) for gene in genes}


def _by_gene(md5s: Mapping[str, str], answers: Mapping[str, _Answer]) -> dict[str, _Answer]:
    return {gene_id: answers[md5] for gene_id, md5 in md5s.items() if md5 in answers}


def _answers(
    findings: OnlineFindings,
    gene: Gene,
    of_uniprot: Mapping[str, UniProtAnswer],
    of_interpro: Mapping[str, InterProAnswer],
) -> Iterator[ServiceAnswer]:
    """What each service that was queried answered for a gene."""
    not_asked = findings.questions.left_out.get(gene.id, _LATE)
    if findings.uniprot is not None:
        yield _answer(OnlineService.UNIPROT, of_uniprot.get(gene.id), not_asked)
    if findings.interpro is not None:
        yield _answer(OnlineService.INTERPRO, of_interpro.get(gene.id), not_asked)


def _answer(
    service: OnlineService, answer: UniProtAnswer | InterProAnswer | None, not_asked: str
) -> ServiceAnswer:
    if answer is None:
        return ServiceAnswer(service, AnswerState.NOT_ASKED, reason=not_asked)
    found = dict.fromkeys(_accessions(answer)) if answer.state is AnswerState.HIT else ()
    # What came through UniParc is of a release of UniProt, which is none of InterPro's.
    through_uniparc = isinstance(answer, InterProAnswer) and answer.through_uniparc
    release = None if through_uniparc else answer.release
    return ServiceAnswer(
        service, answer.state, release, answer.reason, answer.is_stale, tuple(found)
    )


def _accessions(answer: UniProtAnswer | InterProAnswer) -> Iterator[str]:
    if isinstance(answer, UniProtAnswer):
        yield from (entry.accession for entry in answer.entries)
        return
    for match in filter(is_signature, answer.matches):
        yield match.entry.accession if match.entry else match.accession


def _unavailable(findings: OnlineFindings, uses: Iterable[ServiceUse]) -> Iterable[str]:
    """What was to be used and was not, in words."""
    yield from (f"{use.service.label} {use.problem}" for use in uses if use.problem)
    if findings.interpro is not None and findings.interpro.go_note:
        yield findings.interpro.go_note


def _database(use: ServiceUse) -> DatabaseUsed:
    name = f"{use.service.label} (online)"  # names and GO terms of InterPro entries ship too
    return DatabaseUsed(name, ", ".join(use.releases), _LICENCES[use.service])
