"""What services answered, as evidence and remarks for the genes that there are in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple, TypeVar

from genint.interpret.scoring import ServiceNotes
from genint.model.evidence import Evidence
from genint.model.genome import Gene
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
from genint.pipeline.observe import Observations

_LICENCES: Final = {
    OnlineService.UNIPROT: "CC BY 4.0",
    OnlineService.INTERPRO: "CC0 1.0",
}
_LATE: Final = "its protein was not among those that were asked about"
_Answer = TypeVar("_Answer", UniProtAnswer, InterProAnswer)


class ServiceEvidence(NamedTuple):
    """What services add to a genome.

    Attributes:
        evidence: Functional claims.
        unknown_domains: Families of unknown function, never a claim.
        notes: By gene id, what became of asking, and what is no claim.
        uses: How each service that was to be asked answered.
        unavailable: The same for those that did not answer in full, in words.
        databases: What the answers are from.
    """

    evidence: tuple[Evidence, ...] = ()
    unknown_domains: tuple[Evidence, ...] = ()
    notes: Mapping[str, ServiceNotes] = {}
    uses: tuple[ServiceUse, ...] = ()
    unavailable: tuple[str, ...] = ()
    databases: tuple[DatabaseUsed, ...] = ()


NO_SERVICE_EVIDENCE: Final = ServiceEvidence()


def service_evidence(observed: Observations, findings: OnlineFindings) -> ServiceEvidence:
    """Read the answers for the genes of a genome.

    Args:
        observed: The final genes, and what counts once with what the services say.
        findings: What was answered.

    Cost: some 0.3 ms a gene.
    """
    from genint.sources import interpro, uniprot  # noqa: PLC0415 - lazy

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
    spurious = _grouped(signed.spurious)
    left_out = findings.questions.left_out
    notes = {
        gene.id: ServiceNotes(
            answers=(
                *_uniprot_answer(findings, gene, of_uniprot, left_out),
                *_interpro_answer(findings, gene, of_interpro, left_out),
            ),
            spurious=tuple(spurious.get(gene.id, ())),
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
    from genint.online.identifiers import md5_of  # noqa: PLC0415 - lazy

    return {gene.id: md5_of(gene.protein.upper().removesuffix("*")) for gene in genes}


def _by_gene(md5s: Mapping[str, str], answers: Mapping[str, _Answer]) -> dict[str, _Answer]:
    return {gene_id: answers[md5] for gene_id, md5 in md5s.items() if md5 in answers}


def _uniprot_answer(
    findings: OnlineFindings,
    gene: Gene,
    answers: Mapping[str, UniProtAnswer],
    left_out: Mapping[str, str],
) -> tuple[ServiceAnswer, ...]:
    if findings.uniprot is None:
        return ()

    def accessions(answer: UniProtAnswer) -> Iterable[str]:
        return (entry.accession for entry in answer.entries)

    return (_told(OnlineService.UNIPROT, gene, answers, left_out, accessions),)


def _interpro_answer(
    findings: OnlineFindings,
    gene: Gene,
    answers: Mapping[str, InterProAnswer],
    left_out: Mapping[str, str],
) -> tuple[ServiceAnswer, ...]:
    if findings.interpro is None:
        return ()
    from genint.knowledge.interpro_names import is_signature  # noqa: PLC0415 - lazy

    def accessions(answer: InterProAnswer) -> Iterable[str]:
        signatures = filter(is_signature, answer.matches)
        return (match.entry.accession if match.entry else match.accession for match in signatures)

    return (_told(OnlineService.INTERPRO, gene, answers, left_out, accessions),)


def _told(
    service: OnlineService,
    gene: Gene,
    answers: Mapping[str, _Answer],
    left_out: Mapping[str, str],
    accessions: Callable[[_Answer], Iterable[str]],
) -> ServiceAnswer:
    answer = answers.get(gene.id)
    if answer is None:
        return ServiceAnswer(service, AnswerState.NOT_ASKED, reason=left_out.get(gene.id, _LATE))
    found = dict.fromkeys(accessions(answer)) if answer.state is AnswerState.HIT else ()
    # What came through UniParc is of a release of UniProt, which is none of this service's.
    through = isinstance(answer, InterProAnswer) and answer.through_uniparc
    release = None if through else answer.release
    return ServiceAnswer(
        service, answer.state, release, answer.reason, answer.is_stale, tuple(found)
    )


def _grouped(items: Iterable[Evidence]) -> dict[str, list[Evidence]]:
    grouped: dict[str, list[Evidence]] = {}
    for item in items:
        grouped.setdefault(item.gene_id, []).append(item)
    return grouped


def _unavailable(findings: OnlineFindings, uses: Iterable[ServiceUse]) -> Iterable[str]:
    """What was to be used and was not, in words."""
    yield from (f"{use.service.label} {use.problem}" for use in uses if use.problem)
    if findings.interpro is not None and findings.interpro.go_note:
        yield findings.interpro.go_note


def _database(use: ServiceUse) -> DatabaseUsed:
    name = f"{use.service.label} (online)"  # names and GO terms of InterPro entries ship too
    return DatabaseUsed(name, ", ".join(use.releases), _LICENCES[use.service])
