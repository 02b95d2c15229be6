"""What a result must not say of online services."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from genint.model.online import AnswerState, OnlineService
from genint.report.result import GeneItem, GenintResult, OnlineAnswerItem, OnlineUseItem


def contradictions_of_online(result: GenintResult) -> Iterator[tuple[str, str]]:
    """What contradicts itself, as the id of the item and what is wrong with it.

    Cost: O(answers + residues of the genes with one).
    """
    uses = {use.service: use for use in result.online}
    asked = frozenset(result.parameters.online_services)
    if result.parameters.mode != "online" and asked:
        yield "parameters", "services are asked in online mode only"
    if len(uses) != len(result.online) or uses.keys() != asked:
        yield "online", "tells of other services than the parameters name"
    for use in result.online:
        if use.answered > use.proteins:
            yield use.service, "answered for more proteins than it could be asked about"
    for gene in result.genes:
        for fault in _of_gene(gene, asked):
            yield gene.id, fault
    yield from _miscounted(result, uses)


def _of_gene(gene: GeneItem, asked: frozenset[OnlineService]) -> Iterator[str]:
    services = [answer.service for answer in gene.online]
    if len(services) != len(asked) or set(services) != asked:
        yield "does not tell of each service that was to be asked, once"
    for answer in gene.online:
        yield from _of_answer(answer)


def _of_answer(answer: OnlineAnswerItem) -> Iterator[str]:
    name = answer.service.label
    if (answer.state is AnswerState.HIT) != bool(answer.accessions):
        yield f"{name} knows something of it, but no accession is told, or the other way round"
    if not answer.state.is_answer and not answer.reason:
        yield f"{name} gave no answer about it, and no reason is told"


def _miscounted(
    result: GenintResult, uses: Mapping[OnlineService, OnlineUseItem]
) -> Iterator[tuple[str, str]]:
    """Genes of one sequence are one protein; frames that are no genes are asked about too."""
    for service, use in uses.items():
        states: dict[str, set[AnswerState]] = {}
        for gene in result.genes:
            for answer in gene.online:
                if answer.service is service:
                    states.setdefault(_residues(gene), set()).add(answer.state)
        answered = sum(any(state.is_answer for state in found) for found in states.values())
        failed = sum(AnswerState.ERROR in found for found in states.values())
        if any(len(found) > 1 for found in states.values()):
            yield service, "did not say the same of genes with one sequence"
        elif answered > use.answered or failed > use.proteins - use.answered:
            yield service, "answered about more proteins, or fewer, than by the genes"


def _residues(gene: GeneItem) -> str:
    return gene.translation.upper().removesuffix("*") or gene.id
