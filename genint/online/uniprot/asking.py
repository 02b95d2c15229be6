"""UniProt asked about the proteins of a genome, each step only for what is still open.

1. What the cache has of today's release.
2. All entries of the taxon, where they are few: matched by MD5, then by protein ids.
3. ID mapping, where many proteins are open.
4. UniParc by MD5, and the entries that it names.
5. A search by protein ids, where few are open.

The very sequence (equal MD5) is the proof; an entry that was found by an id and has another
one is told apart. Which calls are made, and how many: :mod:`genint.online.uniprot.plan`.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from genint.cache.online import OnlineCache
from genint.model.online import (
    AnswerState,
    OnlineQuestions,
    OnlineService,
    ServiceUse,
    UniProtAnswer,
    UniProtFindings,
)
from genint.online.ports import Caller, CallLost, Host
from genint.online.uniprot.cases import Cases, answer_of, is_complete
from genint.online.uniprot.checksum import ask_by_checksum
from genint.online.uniprot.desk import UniProtDesk, Wait
from genint.online.uniprot.ids import ask_by_ids
from genint.online.uniprot.kept import Shelf
from genint.online.uniprot.mapping import map_ids
from genint.online.uniprot.plan import FEW, is_taxon_small, most_calls, plan_of
from genint.online.uniprot.taxon import SEARCH, count_of_taxon, read_taxon

_SOME_ENTRY: Final = ("query", "accession:P19926")
"""For a call that is to tell no more than the release."""


class _Today(NamedTuple):
    """What one call tells before anything is asked.

    Attributes:
        release: Of UniProt; None where it is not known yet.
        taxon_entries: Of the taxon; 0 where there is none.
        lost: Why the call brought no answer.
    """

    release: str | None = None
    taxon_entries: int = 0
    lost: CallLost | None = None


async def ask_uniprot(
    questions: OnlineQuestions, caller: Caller, cache: OnlineCache, *, wait: Wait = asyncio.sleep
) -> UniProtFindings:
    """Ask UniProt about all proteins.

    Args:
        questions: What to ask; ids that have not the form of one are not sent.
        caller: Sends the calls of the run.
        cache: Of earlier answers; complete new ones are kept.
        wait: Between two looks at a job of ID mapping; tests give their own.

    Returns:
        An answer for every protein. Calls that are lost cost the answers that they would have
        brought, and earlier ones of whatever release take their place where there are any.

    Cost: a call where all is in the cache; else up to 7 for 150 proteins, up to 114 for 4,300.
    """
    started_s, sent_before = time.monotonic(), _sent(caller)
    desk = UniProtDesk(caller, wait)
    shelf = Shelf(cache, questions)
    newest = await shelf.of(None)
    today = await _today(questions, desk, is_worth_it=bool(newest))
    kept = dict(newest) if today.release is None else await shelf.of(today.release)
    cases = Cases(one for one in questions.proteins if one.md5 not in kept)
    await _ask(cases, questions, today, desk)
    asked = {case.question.md5: answer_of(case, questions.taxon_id) for case in cases.all}
    await shelf.keep((case for case in cases.all if is_complete(case)), asked)
    await shelf.note(desk.releases)
    answers = _together(questions, kept, asked, newest)
    requests, retries = (now - then for now, then in zip(_sent(caller), sent_before, strict=True))
    use = ServiceUse(
        OnlineService.UNIPROT,
        releases=tuple(sorted({one.release for one in answers.values() if one.release})),
        problem=_problem(answers, asked, today.lost),
        proteins=len(answers),
        answered=sum(one.state.is_answer for one in answers.values()),
        requests=requests,
        retries=retries,
        from_cache=sum(answers[md5] is not asked.get(md5) for md5 in answers),
        seconds=round(time.monotonic() - started_s, 3),
    )
    return UniProtFindings(answers, use)


def _sent(caller: Caller) -> tuple[int, int]:
    return caller.requests(Host.UNIPROT), caller.retries(Host.UNIPROT)


async def _today(questions: OnlineQuestions, desk: UniProtDesk, *, is_worth_it: bool) -> _Today:
    """The release, and with a taxon how many entries it has.

    Without a taxon only where the cache may have answers of that release: else the first call
    for answers tells it just as well.
    """
    try:
        if questions.taxon_id is not None:
            answer = await count_of_taxon(questions.taxon_id, desk)
            return _Today(answer.release, answer.total or 0)
        if is_worth_it:
            answer = await desk.page(SEARCH, _SOME_ENTRY, ("size", "0"))
            return _Today(answer.release)
    except CallLost as lost:
        return _Today(next(iter(desk.releases), None), lost=lost)
    return _Today()


async def _ask(cases: Cases, questions: OnlineQuestions, today: _Today, desk: UniProtDesk) -> None:
    """Ask for what is open, step by step."""
    if not cases.all:
        return
    most = most_calls(len(cases.all))
    taxon_id = questions.taxon_id
    if taxon_id is not None and is_taxon_small(today.taxon_entries, len(cases.all)):
        await read_taxon(taxon_id, cases, desk, most)
    if len(cases.open) > FEW:
        await map_ids(cases, desk, most)
    # A reviewed entry of the same sequence in another taxon is worth a few calls.
    unreviewed = cases.unreviewed
    asked = unreviewed if len(unreviewed) <= FEW else cases.open
    if asked:
        each = plan_of(len(questions.proteins)).entries_each
        await ask_by_checksum(asked, cases, desk, most, each)
    unnamed = [case for case in cases.open if not (case.entries or case.ids_asked)]
    if unnamed:
        await ask_by_ids(unnamed, cases, desk, most - desk.calls)


def _together(
    questions: OnlineQuestions,
    kept: Mapping[str, UniProtAnswer],
    asked: Mapping[str, UniProtAnswer],
    newest: Mapping[str, UniProtAnswer],
) -> dict[str, UniProtAnswer]:
    """One answer for each protein; what was lost is taken from earlier runs."""
    answers = {}
    for question in questions.proteins:
        md5 = question.md5
        answer = kept[md5] if md5 in kept else asked[md5]
        answers[md5] = answer if answer.state.is_answer else newest.get(md5, answer)
    return answers


def _problem(
    answers: Mapping[str, UniProtAnswer],
    asked: Mapping[str, UniProtAnswer],
    lost_at_first: CallLost | None,
) -> str:
    """What did not work, in words that follow the service's name; empty where all did."""
    stale = sum(one.is_stale for one in answers.values())
    answered = sum(one.state.is_answer for one in answers.values())
    if answered == len(answers) and not stale:
        return ""
    lost = [one for one in asked.values() if not one.state.is_answer]
    tried = [one for one in lost if one.state is AnswerState.ERROR]
    reasons = Counter(one.reason for one in tried or lost)
    if not reasons:
        reasons[lost_at_first.reason if lost_at_first else "its release is not known"] = 1
    reason = reasons.most_common(1)[0][0]
    if answered > stale:
        words = f"answered for {answered - stale} of {len(answers)} proteins only: {reason}"
    else:
        words = f"could not be asked: {reason}"
    if not stale:
        return words
    of_how_many = "" if stale == len(answers) else f" of {stale} of {len(answers)} proteins"
    return f"{words}; what it said earlier{of_how_many} is used"
