"""One run's questions to both services, side by side."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

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
_BROKEN: Final = f"could not be asked: {_REASON}"
"""Problem of a service where querying it failed by a fault of genint's own."""
_LOG = logging.getLogger("genint.online")
_Findings = TypeVar("_Findings")


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
    wanted = frozenset(services) if questions.proteins else frozenset[OnlineService]()
    interpro, uniprot = await asyncio.gather(
        _attempted(
            partial(query_interpro, questions, client, cache, installed_go=installed_go)
            if OnlineService.INTERPRO in wanted
            else None
        ),
        _attempted(
            partial(query_uniprot, questions, client, cache)
            if OnlineService.UNIPROT in wanted
            else None
        ),
    )
    return OnlineFindings(
        questions,
        uniprot=uniprot or _no_uniprot(questions) if OnlineService.UNIPROT in services else None,
        interpro=interpro or _no_interpro(questions)
        if OnlineService.INTERPRO in services
        else None,
    )


async def _attempted(query: Callable[[], Awaitable[_Findings]] | None) -> _Findings | None:
    """Findings of a service; None where it is not queried, or by a fault of our own.

    Such a fault costs the service's answers and is logged: neither the other service
    nor the report is to suffer from it.
    """
    if query is None:
        return None
    try:
        return await query()
    except Exception:  # noqa: BLE001 - the report is worth more than one service
        _LOG.exception("a service could not be asked", extra={"event": "online_failed"})
        return None


def _no_uniprot(questions: OnlineQuestions) -> UniProtFindings:
    answer = UniProtAnswer(AnswerState.ERROR, reason=_REASON)
    return UniProtFindings(
        {one.md5: answer for one in questions.proteins}, _unused(OnlineService.UNIPROT, questions)
    )


def _no_interpro(questions: OnlineQuestions) -> InterProFindings:
    answer = InterProAnswer(AnswerState.ERROR, reason=_REASON)
    return InterProFindings(
        {one.md5: answer for one in questions.proteins}, _unused(OnlineService.INTERPRO, questions)
    )


def _unused(service: OnlineService, questions: OnlineQuestions) -> ServiceUse:
    number = len(questions.proteins)
    return ServiceUse(service, problem=_BROKEN if number else "", proteins=number)
