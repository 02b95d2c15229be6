"""UniProt asked about the proteins of a genome, each step only for what is still open.

1. What the cache has of today's release.
2. All entries of the taxon, where they are few: matched by MD5, then by protein ids.
3. ID mapping, where many proteins are open.
4. UniParc by MD5, and the entries that it names.
5. A search by protein ids, where few are open.

The very sequence (equal MD5) is the proof; an entry that was found by an id and has another
one is told apart. Which calls are made, and how many: :mod:`genint.online.uniprot.state`.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Final, NamedTuple

from genint.cache.online import OnlineCache
from genint.http_errors import RequestFailed
from genint.model.online import (
    AnswerState,
    OnlineQuestions,
    OnlineService,
    ServiceUse,
    UniProtAnswer,
    UniProtFindings,
)
from genint.online.client import RunClient
from genint.online.identifiers import unversioned
from genint.online.protocol import Host, MalformedResponse, in_batches
from genint.online.uniprot.client import UniProtClient, UniProtResponse, Wait
from genint.online.uniprot.id_mapping import map_ids
from genint.online.uniprot.records import FIELDS, read_entries
from genint.online.uniprot.state import (
    FEW,
    PAGE,
    ProteinLookup,
    ProteinLookups,
    UniProtCache,
    answer_of,
    calls_needed,
    is_complete,
    is_taxon_small,
    max_calls,
    plan_of,
)
from genint.online.uniprot.uniparc import query_by_checksum

SEARCH: Final = "/uniprotkb/search"


async def count_of_taxon(taxon_id: int, uniprot: UniProtClient) -> UniProtResponse:
    """Number of entries of a taxon, and today's release; one call, no entry.

    Raises:
        RequestFailed: it brought no answer.
    """
    return await uniprot.page(SEARCH, ("query", f"organism_id:{taxon_id:d}"), ("size", "0"))


async def read_taxon(
    taxon_id: int, lookups: ProteinLookups, uniprot: UniProtClient, max_calls: int
) -> None:
    """Read entries of a taxon while that is worth its calls.

    See :mod:`genint.online.uniprot.state`.

    What is lost here is asked for by checksum afterwards.
    """
    query = ("query", f"organism_id:{taxon_id:d}")
    page: UniProtResponse | None = None
    with suppress(RequestFailed):
        page = await uniprot.page(SEARCH, query, ("size", str(PAGE)), fields=FIELDS)
        while page is not None:
            await take_page(page, lookups)
            still_open = len(lookups.open)
            if still_open == 0 or max_calls - uniprot.calls - 1 < calls_needed(still_open):
                return
            page = await uniprot.next_page(page)


async def take_page(page: UniProtResponse, lookups: ProteinLookups) -> int:
    """Put the entries of a page to the proteins that they tell of.

    Returns:
        Number of records that could not be read.

    Raises:
        RequestFailed: it is no page.
    """
    read = await asyncio.to_thread(read_entries, page.results)
    lookups.take(read.found, page.release)
    return read.unreadable


_MOST_PAGES: Final = 4
"""Of one query: some ids stand for thousands of entries, of which the first say enough."""

_MORE_IDS: Final = RequestFailed("it has more ids than are asked for", was_sent=False)
_MORE_ENTRIES: Final = RequestFailed("its ids have more entries than were read", was_sent=True)


async def query_by_ids(
    asked: Sequence[ProteinLookup], lookups: ProteinLookups, uniprot: UniProtClient, calls: int
) -> None:
    """Search for entries that stand for protein ids: same locus, other sequence.

    One id of each protein comes first, so that most proteins have one that is asked for.
    Where ids are left over, or entries, that is noted for the proteins that have them.

    Args:
        asked: Proteins without an entry.
        lookups: Where entries are put.
        uniprot: Sends the calls.
        calls: That may be made.
    """
    owners = _owners(asked)
    terms = list(owners)
    fitting = max(0, calls) * uniprot.max_terms
    for lookup in asked:
        lookup.lost_ids = None  # whatever was lost of them before is asked for anew
    search = _Search(lookups, uniprot, calls - math.ceil(len(terms[:fitting]) / uniprot.max_terms))

    async def ask(batch: Sequence[str]) -> bool:
        lost: RequestFailed | None
        try:
            lost = await search.ask(batch)
        except RequestFailed as why:
            if uniprot.is_too_wide(why, len(batch)):
                return False
            lost = why
        _note(lost, batch, owners)
        return True

    await in_batches(terms[:fitting], lambda: uniprot.max_terms, ask)
    _note(_MORE_IDS, terms[fitting:], owners)


@dataclass(slots=True)
class _Search:
    """Queries and their pages.

    Attributes:
        lookups: Where entries are put.
        uniprot: Sends the calls.
        spare: Calls that are not needed for first pages.
    """

    lookups: ProteinLookups
    uniprot: UniProtClient
    spare: int

    async def ask(self, batch: Sequence[str]) -> RequestFailed | None:
        """Ask one query; why not all of its entries were read, None where they were.

        Raises:
            RequestFailed: a page brought none.
        """
        query = ("query", " OR ".join(batch))
        size = ("size", str(PAGE))
        first = await self.uniprot.page(SEARCH, query, size, fields=FIELDS)
        page: UniProtResponse | None = first
        unread, came, total, left = 0, 0, first.total or 0, _MOST_PAGES
        while page is not None:
            unread += await take_page(page, self.lookups)
            came += len(page.results)
            left -= 1
            if page.link is not None and (left == 0 or self.spare <= 0):
                return _MORE_ENTRIES
            self.spare -= page.link is not None
            page = await self.uniprot.next_page(page)
        if unread:
            return MalformedResponse()
        return _MORE_ENTRIES if came < total else None


def _owners(asked: Iterable[ProteinLookup]) -> dict[str, list[ProteinLookup]]:
    """Terms of queries and whose they are: the first ones of all proteins, then the others."""
    owners: dict[str, list[ProteinLookup]] = {}
    lookups = list(asked)
    for turn in zip_longest(*map(_terms, lookups)):
        for lookup, term in zip(lookups, turn, strict=True):
            if term is not None:
                owners.setdefault(term, []).append(lookup)
    return owners


def _note(
    lost: RequestFailed | None, terms: Iterable[str], owners: dict[str, list[ProteinLookup]]
) -> None:
    if lost is not None:
        for lookup in chain.from_iterable(owners[term] for term in terms):
            lookup.lost_ids = lost


def _terms(lookup: ProteinLookup) -> list[str]:
    """Cross-references are found by ids without a version whatever theirs is."""
    refseq = (f"xref:refseq-{unversioned(id_)}" for id_ in lookup.refseq_ids)
    cds = (f"xref:embl-{unversioned(id_)}" for id_ in lookup.cds_ids)
    return list(dict.fromkeys((*refseq, *cds)))


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
    lost: RequestFailed | None = None


async def query_uniprot(
    questions: OnlineQuestions, client: RunClient, cache: OnlineCache, *, wait: Wait = asyncio.sleep
) -> UniProtFindings:
    """Ask UniProt about all proteins.

    Args:
        questions: What to ask; ids that have not the form of one are not sent.
        client: Sends the calls of the run.
        cache: Of earlier answers; complete new ones are kept.
        wait: Between two looks at a job of ID mapping; tests give their own.

    Returns:
        An answer for every protein. Calls that are lost cost the answers that they would have
        brought, and earlier ones of whatever release take their place where there are any.

    Cost: a call where all is in the cache; else up to 7 for 150 proteins, up to 114 for 4,300.
    """
    started_s, sent_before = time.monotonic(), _sent(client)
    uniprot = UniProtClient(client, wait)
    kept_answers = UniProtCache(cache, questions)
    newest = await kept_answers.of(None)
    today = await _today(questions, uniprot, is_worth_it=bool(newest))
    kept = dict(newest) if today.release is None else await kept_answers.of(today.release)
    lookups = ProteinLookups(one for one in questions.proteins if one.md5 not in kept)
    await _ask(lookups, questions, today, uniprot)
    asked = {lookup.question.md5: answer_of(lookup, questions.taxon_id) for lookup in lookups.all}
    await kept_answers.keep((lookup for lookup in lookups.all if is_complete(lookup)), asked)
    await kept_answers.note(uniprot.releases)
    answers = _together(questions, kept, asked, newest)
    requests, retries = (now - then for now, then in zip(_sent(client), sent_before, strict=True))
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


def _sent(client: RunClient) -> tuple[int, int]:
    return client.requests(Host.UNIPROT), client.retries(Host.UNIPROT)


async def _today(
    questions: OnlineQuestions, uniprot: UniProtClient, *, is_worth_it: bool
) -> _Today:
    """The release, and with a taxon how many entries it has.

    Without a taxon only where the cache may have answers of that release: else the first call
    for answers tells it just as well.
    """
    try:
        if questions.taxon_id is not None:
            answer = await count_of_taxon(questions.taxon_id, uniprot)
            return _Today(answer.release, answer.total or 0)
        if is_worth_it:
            answer = await uniprot.page(SEARCH, _SOME_ENTRY, ("size", "0"))
            return _Today(answer.release)
    except RequestFailed as lost:
        return _Today(next(iter(uniprot.releases), None), lost=lost)
    return _Today()


async def _ask(
    lookups: ProteinLookups, questions: OnlineQuestions, today: _Today, uniprot: UniProtClient
) -> None:
    """Ask for what is open, step by step."""
    if not lookups.all:
        return
    most = max_calls(len(lookups.all))
    taxon_id = questions.taxon_id
    if taxon_id is not None and is_taxon_small(today.taxon_entries, len(lookups.all)):
        await read_taxon(taxon_id, lookups, uniprot, most)
    if len(lookups.open) > FEW:
        await map_ids(lookups, uniprot, most)
    # A reviewed entry of the same sequence in another taxon is worth a few calls.
    unreviewed = lookups.unreviewed
    asked = unreviewed if len(unreviewed) <= FEW else lookups.open
    if asked:
        each = plan_of(len(questions.proteins)).entries_each
        await query_by_checksum(asked, lookups, uniprot, most, each)
    unnamed = [lookup for lookup in lookups.open if not (lookup.entries or lookup.ids_asked)]
    if unnamed:
        await query_by_ids(unnamed, lookups, uniprot, most - uniprot.calls)


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
    lost_at_first: RequestFailed | None,
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
