"""One run's questions to both services, side by side."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from genint.cache.online import OnlineCache
from genint.model.evidence import GoTerm
from genint.model.online import (
    AnswerState,
    InterProAnswer,
    InterProFindings,
    OnlineFindings,
    OnlineQuestions,
    OnlineService,
    ServiceUse,
    UniProtAnswer,
    UniProtFindings,
)
from genint.online.client import RunClient
from genint.online.interpro.query import query_interpro
from genint.online.uniprot.query import query_uniprot

FEW_PROTEINS: Final = 200
BUDGET_FEW_S: Final = 60.0
BUDGET_MANY_S: Final = 300.0
_REASON: Final = "its answers were not understood"
_BROKEN: Final = f"could not be queried: {_REASON}"
"""Problem of a service where querying it failed by a fault of genint's own."""
_LOG = logging.getLogger("genint.online")


def budget_s(questions: OnlineQuestions, chosen_s: float | None = None) -> float:
    """How long the queries of a run may take: the user's choice, else by the number of proteins."""
    if chosen_s is not None:
        return chosen_s
    return BUDGET_FEW_S if len(questions.proteins) <= FEW_PROTEINS else BUDGET_MANY_S


async def query_services(
    questions: OnlineQuestions,
    services: Collection[OnlineService],
    client: RunClient,
    *,
    cache_folder: Path | None,
    installed_go: Mapping[str, tuple[GoTerm, ...]] | None = None,
) -> OnlineFindings:
    """Query the services about all proteins; whatever happens to one, the other goes on.

    Args:
        questions: What to query.
        services: Which ones; others are None in the findings.
        client: Sends the requests of this run, within its time.
        cache_folder: Where answers are kept; None keeps none.
        installed_go: Terms of InterPro entries that need not be fetched.

    Returns:
        An answer of each service for every protein: what it has, or why it gave none.
        Nothing is raised but the cancelling of the call.

    Cost: 2 to 11 requests for a phage, up to 160 for a bacterium, none but one or two where
    all is in the cache.
    """
    cache = OnlineCache(cache_folder)
    uniprot, interpro = await asyncio.gather(
        _query_uniprot(questions, client, cache) if OnlineService.UNIPROT in services else _none(),
        _query_interpro(questions, client, cache, installed_go)
        if OnlineService.INTERPRO in services
        else _none(),
    )
    return OnlineFindings(questions, uniprot=uniprot, interpro=interpro)


async def _none() -> None:
    """A service that is not queried."""


async def _query_uniprot(
    questions: OnlineQuestions, client: RunClient, cache: OnlineCache
) -> UniProtFindings:
    with _faults_logged():
        if questions.proteins:
            return await query_uniprot(questions, client, cache)
    answer = UniProtAnswer(AnswerState.ERROR, reason=_REASON)
    answers = {one.md5: answer for one in questions.proteins}
    return UniProtFindings(answers, _unused(OnlineService.UNIPROT, len(answers)))


async def _query_interpro(
    questions: OnlineQuestions,
    client: RunClient,
    cache: OnlineCache,
    installed_go: Mapping[str, tuple[GoTerm, ...]] | None,
) -> InterProFindings:
    with _faults_logged():
        if questions.proteins:
            return await query_interpro(questions, client, cache, installed_go=installed_go)
    answer = InterProAnswer(AnswerState.ERROR, reason=_REASON)
    answers = {one.md5: answer for one in questions.proteins}
    return InterProFindings(answers, _unused(OnlineService.INTERPRO, len(answers)))


@contextmanager
def _faults_logged() -> Iterator[None]:
    """Log a fault of our own and go on: the other service and the report do not suffer."""
    try:
        yield
    except Exception:  # noqa: BLE001 - the report matters more than one service
        _LOG.exception("a service could not be queried", extra={"event": "online_failed"})


def _unused(service: OnlineService, proteins: int) -> ServiceUse:
    return ServiceUse(service, problem=_BROKEN if proteins else "", proteins=proteins)
