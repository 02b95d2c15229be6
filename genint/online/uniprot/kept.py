"""Answers of UniProt in the cache: under the question, its plan, and the release they are of.

A run of many proteins learns less of each than one of few. So an answer is kept as what the
plan of its run makes of it, and serves questions of that plan and of less thorough ones:
what was learned of a protein among thousands is never taken for all that there is.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from pydantic import TypeAdapter, ValidationError

from genint.cache.online import Kept, OnlineCache, OnlineKind
from genint.model.online import (
    AnswerState,
    OnlineQuestions,
    OnlineService,
    ProteinQuestion,
    UniProtAnswer,
    UniProtEntry,
)
from genint.online.uniprot.cases import Case
from genint.online.uniprot.plan import Plan, plan_of

_SERVICE: Final = OnlineService.UNIPROT.value
_KIND: Final = f"{OnlineKind.MD5.value}-question-2"
"""With the version of the format: what is kept in another one is not found. The plan follows."""
_ENTRIES: Final = TypeAdapter(tuple[UniProtEntry, ...])


class Shelf:
    """What the cache has for the questions of a run."""

    def __init__(self, cache: OnlineCache, questions: OnlineQuestions) -> None:
        self._cache = cache
        self._plan = plan_of(len(questions.proteins))
        self._keys = {one.md5: _key(one, questions.taxon_id) for one in questions.proteins}

    async def of(self, release: str | None) -> dict[str, UniProtAnswer]:
        """Answers by MD5.

        Args:
            release: Of today; None for the newest answers, which are marked as stale.
        """
        keys = list(self._keys.values())
        kept: dict[str, Kept] = {}
        for plan in self._plan.served_by:
            found = await asyncio.to_thread(self._cache.find, _SERVICE, _kind(plan), keys, release)
            kept = {**found, **kept} if release else _newest(kept, found)
        answers = {}
        for md5, key in self._keys.items():
            answer = _read(kept.get(key), is_stale=release is None)
            if answer is not None:
                answers[md5] = answer
        return answers

    async def keep(self, cases: Iterable[Case], answers: Mapping[str, UniProtAnswer]) -> None:
        """Keep answers, each under its own release."""
        rows: defaultdict[tuple[str, Plan], dict[str, tuple[AnswerState, str]]] = defaultdict(dict)
        for case in cases:
            md5 = case.question.md5
            answer = answers[md5]
            if answer.release and answer.state.is_answer:
                payload = _ENTRIES.dump_json(answer.entries).decode()
                plan = Plan.MANY if case.is_brief else self._plan
                rows[answer.release, plan][self._keys[md5]] = (answer.state, payload)
        for (release, plan), some in rows.items():
            await asyncio.to_thread(self._cache.keep, _SERVICE, _kind(plan), release, some)

    async def note(self, releases: Mapping[str, str]) -> None:
        """Remember releases, the last one as today's."""
        for release, date in releases.items():
            await asyncio.to_thread(self._cache.note_release, _SERVICE, release, date)


def _kind(plan: Plan) -> str:
    return f"{_KIND}-{plan.value}"


def _newest(some: Mapping[str, Kept], others: Mapping[str, Kept]) -> dict[str, Kept]:
    """Of two answers to a question the one that was fetched last, else the first."""
    newest = {**others, **some}
    for key in some.keys() & others.keys():
        newest[key] = max(some[key], others[key], key=lambda one: one.fetched_at)
    return newest


def _key(question: ProteinQuestion, taxon_id: int | None) -> str:
    """What is asked of a protein: with the plan, all that its answer depends on."""
    ids = ",".join((*question.refseq_ids, *question.cds_ids))
    return f"{question.md5}|{taxon_id or ''}|{ids}"


def _read(kept: Kept | None, *, is_stale: bool) -> UniProtAnswer | None:
    if kept is None:
        return None
    try:
        entries = _ENTRIES.validate_json(kept.payload)
    except ValidationError:
        return None
    return UniProtAnswer(kept.state, entries, kept.release or None, is_stale=is_stale)
