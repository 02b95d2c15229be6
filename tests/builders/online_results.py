"""Results of online mode, made as the library makes them, from answers that are given here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from genint.interpret import ScoringModel, ServiceNotes, interpret, novel_genes
from genint.knowledge import load_confidence, load_products, load_roles
from genint.model import (
    AnswerState,
    Evidence,
    EvidenceSource,
    EvidenceType,
    Genome,
    InterpretationSummary,
    Measurements,
    OnlineService,
    Parameters,
    ReferenceEntry,
    ServiceAnswer,
    ServiceUse,
    Specificity,
)
from genint.report import GenintResult, build_result
from genint.sources import annotation

UNIPROT_RELEASE = "2026_03"
INTERPRO_RELEASE = "109.0"
OUTAGE = "503 after 4 attempts"
BOTH = tuple(OnlineService)


def hit(service: OnlineService, *accessions: str, stale: bool = False) -> ServiceAnswer:
    return ServiceAnswer(
        service, AnswerState.HIT, release_of(service), is_stale=stale, accessions=accessions
    )


def known_without(service: OnlineService, *, stale: bool = False) -> ServiceAnswer:
    return ServiceAnswer(service, AnswerState.NO_MATCH, release_of(service), is_stale=stale)


def unknown(service: OnlineService) -> ServiceAnswer:
    return ServiceAnswer(service, AnswerState.NOT_IN_DATABASE, release_of(service))


def error(service: OnlineService, reason: str = OUTAGE) -> ServiceAnswer:
    return ServiceAnswer(service, AnswerState.ERROR, reason=reason)


def not_asked(service: OnlineService, reason: str = "the time was over") -> ServiceAnswer:
    return ServiceAnswer(service, AnswerState.NOT_ASKED, reason=reason)


def release_of(service: OnlineService) -> str:
    return UNIPROT_RELEASE if service is OnlineService.UNIPROT else INTERPRO_RELEASE


def uniprot_evidence(gene_id: str, accession: str = "P03641", **changes: object) -> Evidence:
    """A reviewed entry with the residues of the protein."""
    entry = ReferenceEntry(accession, "major coat protein", organism="a phage", length_aa=427)
    whole = Measurements(
        protein_coverage=1.0, target_coverage=1.0, identity=1.0, target_from=1, target_to=427
    )
    item = Evidence(
        gene_id=gene_id,
        source=EvidenceSource.UNIPROT,
        type=EvidenceType.HOMOLOGY,
        specificity=Specificity.PROTEIN,
        claim="major coat protein",
        subject="major coat protein",
        label=f"UniProtKB {accession} major coat protein",
        strength="uniprot_experiment",
        origin="protein:0123456789:major_coat_protein",
        eco="ECO:0000269",
        database=f"UniProt {UNIPROT_RELEASE}",
        accession=accession,
        measured=whole,
        similar=entry,
    )
    return replace(item, **changes)  # type: ignore[arg-type]


def interpro_evidence(gene_id: str, accession: str = "IPR008766", **changes: object) -> Evidence:
    """An entry of InterPro that the protein matches."""
    item = Evidence(
        gene_id=gene_id,
        source=EvidenceSource.INTERPRO,
        type=EvidenceType.DOMAIN,
        specificity=Specificity.FAMILY,
        claim="replication gene A protein",
        subject="replication gene A protein",
        label=f"InterPro {accession} Replication gene A protein",
        strength="interpro_family",
        origin=f"interpro:{accession}",
        eco="ECO:0000256",
        database=f"InterPro {INTERPRO_RELEASE}",
        accession=accession,
    )
    return replace(item, **changes)  # type: ignore[arg-type]


def online_summary(
    genome: Genome,
    answers: Sequence[Sequence[ServiceAnswer]],
    evidence: Sequence[Evidence] = (),
    *,
    services: Sequence[OnlineService] = BOTH,
    problems: Sequence[str] = ("", ""),
    timeout_s: float | None = None,
) -> InterpretationSummary:
    """A genome interpreted with what services said of it.

    Args:
        genome: With its genes.
        answers: For each gene, those of the services; the last ones stand for all further genes.
        evidence: That was read off the answers.
        services: That were to be asked.
        problems: With each of them.
        timeout_s: How long asking might take.
    """
    judgement = ScoringModel(load_confidence(), load_roles(), load_products())
    told = {
        gene.id: tuple(answers[min(at, len(answers) - 1)]) for at, gene in enumerate(genome.genes)
    }
    observed = (*annotation.observe(genome.genes), *evidence)
    notes = {gene_id: ServiceNotes(found) for gene_id, found in told.items()}
    results = interpret(genome, observed, (), judgement, services=notes)
    return InterpretationSummary(
        genome=genome,
        results=results,
        novel_gene_report=novel_genes(results),
        parameters=Parameters(
            "online", online_services=tuple(services), online_timeout_s=timeout_s
        ),
        databases=(),
        genint_version="0.0.0",
        online=tuple(
            _use(service, genome, told, problem)
            for service, problem in zip(services, problems, strict=False)
        ),
    )


def _use(
    service: OnlineService,
    genome: Genome,
    told: dict[str, tuple[ServiceAnswer, ...]],
    problem: str,
) -> ServiceUse:
    proteins = {gene.protein for gene in genome.genes}
    answered = {
        gene.protein
        for gene in genome.genes
        for answer in told[gene.id]
        if answer.service is service and answer.state.is_answer
    }
    return ServiceUse(
        service,
        releases=(release_of(service),) if answered else (),
        problem=problem,
        proteins=len(proteins),
        answered=len(answered),
        requests=7,
        retries=3,
        from_cache=2,
        seconds=1.5,
    )


def online_result(
    genome: Genome,
    answers: Sequence[Sequence[ServiceAnswer]],
    evidence: Sequence[Evidence] = (),
    **options: object,
) -> GenintResult:
    """The same as a result; see :func:`online_summary`."""
    summary = online_summary(genome, answers, evidence, **options)  # type: ignore[arg-type]
    return build_result(summary, load_confidence())
