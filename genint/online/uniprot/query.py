"""Queries of UniProt about the proteins of a genome, each step only for what is still open.

1. The cache, for answers of today's release.
2. All entries of the taxon, where they are few: matched by MD5, then by protein ids.
3. ID mapping, where many proteins are open.
4. UniParc by MD5, and the entries that it names.
5. A search by protein ids, where few are open.

Equal MD5 is the proof; an entry that was found by an id and has another sequence is marked.
Which requests are sent, and how many: :mod:`genint.online.uniprot.lookups`.
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
from genint.online.uniprot.lookups import (
    FEW,
    PAGE,
    ProteinLookup,
    ProteinLookups,
    UniProtCache,
    answer_of,
    is_complete,
    is_taxon_small,
    max_calls,
    plan_of,
)
from genint.online.uniprot.records import FIELDS, read_entries
from genint.online.uniprot.uniparc import query_by_checksum

SEARCH: Final = "/uniprotkb/search"


async def read_taxon(taxon_id: int, lookups: ProteinLookups, uniprot: UniProtClient) -> None:
    """Read entries of a taxon while that saves requests; see :mod:`genint.online.uniprot.lookups`.

    What is lost here is looked up by checksum afterwards.
    """
    page: UniProtResponse | None = None
    with suppress(RequestFailed):
        page = await uniprot.page(SEARCH, _of_taxon(taxon_id), ("size", str(PAGE)), fields=FIELDS)
        while page is not None:
            await take_page(page, lookups)
            if not lookups.open or lookups.spare(uniprot.left) < 1:
                return
            page = await uniprot.next_page(page)


def _of_taxon(taxon_id: int) -> tuple[str, str]:
    return "query", f"organism_id:{taxon_id:d}"


async def take_page(page: UniProtResponse, lookups: ProteinLookups) -> int:
    """Put the entries of a page to their proteins.

    Returns:
        Number of records that could not be read.

    Raises:
        RequestFailed: it is no page.
    """
    read = await asyncio.to_thread(read_entries, page.results)
    lookups.take(read.found, page.release)
    return read.unreadable


_MOST_PAGES: Final = 4
"""Of one query: some ids lead to thousands of entries; the first ones say enough."""

_MORE_IDS: Final = RequestFailed("it has more ids than are searched for", was_sent=False)
_MORE_ENTRIES: Final = RequestFailed("its ids have more entries than were read")


async def query_by_ids(
    wanted: Sequence[ProteinLookup], lookups: ProteinLookups, uniprot: UniProtClient
) -> None:
    """Search for entries by protein ids: same locus, other sequence.

    One id of each protein comes first, so that most proteins have one that is searched for.
    Where ids are left over, or entries, that is noted for the proteins that have them.

    Args:
        wanted: Proteins without an entry.
        lookups: Where entries are put.
        uniprot: Sends the requests, as many as are left.
    """
    owners = _owners(wanted)
    terms = list(owners)
    fitting = max(0, uniprot.left) * uniprot.max_terms
    for lookup in wanted:
        lookup.lost_ids = None  # whatever was lost of them before is searched for anew
    first_pages = math.ceil(len(terms[:fitting]) / uniprot.max_terms)
    search = _Search(lookups, uniprot, spare=uniprot.left - first_pages)

    async def send(batch: Sequence[str]) -> bool:
        lost: RequestFailed | None
        try:
            lost = await search.run(batch)
        except RequestFailed as failure:
            if uniprot.is_too_wide(failure, len(batch)):
                return False
            lost = failure
        _note(lost, batch, owners)
        return True

    await in_batches(terms[:fitting], lambda: uniprot.max_terms, send)
    _note(_MORE_IDS, terms[fitting:], owners)


@dataclass(slots=True)
class _Search:
    """Queries and their pages.

    Attributes:
        lookups: Where entries are put.
        uniprot: Sends the requests.
        spare: Requests that are not needed for first pages.
    """

    lookups: ProteinLookups
    uniprot: UniProtClient
    spare: int

    async def run(self, batch: Sequence[str]) -> RequestFailed | None:
        """Send one query; why not all of its entries were read, None where they were.

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


def _owners(wanted: Iterable[ProteinLookup]) -> dict[str, list[ProteinLookup]]:
    """Terms of queries and whose they are: the first ones of all proteins, then the others."""
    owners: dict[str, list[ProteinLookup]] = {}
    lookups = list(wanted)
    for column in zip_longest(*map(_terms, lookups)):
        for lookup, term in zip(lookups, column, strict=True):
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
"""For a request that is to show the release only."""


class _Today(NamedTuple):
    """What one request shows before the others.

    Attributes:
        release: Of UniProt; None where it is not known yet.
        taxon_entries: Of the taxon; 0 where there is none.
        lost: Why the request brought no answer.
    """

    release: str | None = None
    taxon_entries: int = 0
    lost: RequestFailed | None = None


async def query_uniprot(
    questions: OnlineQuestions, client: RunClient, cache: OnlineCache, *, wait: Wait = asyncio.sleep
) -> UniProtFindings:
    """Query UniProt about all proteins.

    Args:
        questions: What to query; ids that have not the form of one are not sent.
        client: Sends the requests of the run.
        cache: Of earlier answers; complete new ones are kept.
        wait: Between two looks at a job of ID mapping.

    Returns:
        An answer for every protein. Requests that are lost cost the answers that they would have
        brought, and earlier ones of whatever release take their place where there are any.

    Cost: a request where all is in the cache; else up to 7 for 150 proteins, up to 114 for 4,300.
    """
    started_s, sent_before = time.monotonic(), _sent(client)
    uniprot = UniProtClient(client, wait)
    stored = UniProtCache(cache, questions)
    newest = await stored.of(None)
    today = await _today(questions, uniprot, has_stored=bool(newest))
    kept = newest if today.release is None else await stored.of(today.release)
    lookups = ProteinLookups(one for one in questions.proteins if one.md5 not in kept)
    await _look_up(lookups, questions, today, uniprot)
    fresh = {lookup.question.md5: answer_of(lookup, questions.taxon_id) for lookup in lookups.all}
    await stored.keep((lookup for lookup in lookups.all if is_complete(lookup)), fresh)
    answers = _merged(questions, kept, fresh, newest)
    requests, retries = (now - then for now, then in zip(_sent(client), sent_before, strict=True))
    use = ServiceUse(
        OnlineService.UNIPROT,
        releases=tuple(sorted({one.release for one in answers.values() if one.release})),
        problem=_problem(answers, fresh, today.lost),
        proteins=len(answers),
        answered=sum(one.state.is_answer for one in answers.values()),
        requests=requests,
        retries=retries,
        from_cache=sum(answers[md5] is not fresh.get(md5) for md5 in answers),
        seconds=round(time.monotonic() - started_s, 3),
    )
    return UniProtFindings(answers, use)


def _sent(client: RunClient) -> tuple[int, int]:
    return client.requests(Host.UNIPROT), client.retries(Host.UNIPROT)


async def _today(questions: OnlineQuestions, uniprot: UniProtClient, *, has_stored: bool) -> _Today:
    """The release, and with a taxon how many entries it has.

    Without a taxon only where the cache may have answers of that release: else the first request
    for answers shows it just as well.
    """
    try:
        if questions.taxon_id is not None or has_stored:
            query = _SOME_ENTRY if questions.taxon_id is None else _of_taxon(questions.taxon_id)
            answer = await uniprot.page(SEARCH, query, ("size", "0"))
            entries = 0 if questions.taxon_id is None else answer.total or 0
            return _Today(answer.release, entries)
    except RequestFailed as lost:
        return _Today(uniprot.release, lost=lost)
    return _Today()


async def _look_up(
    lookups: ProteinLookups, questions: OnlineQuestions, today: _Today, uniprot: UniProtClient
) -> None:
    """Look up what is open, step by step."""
    if not lookups.all:
        return
    uniprot.left += max_calls(len(lookups.all))
    taxon_id = questions.taxon_id
    if taxon_id is not None and is_taxon_small(today.taxon_entries, len(lookups.all)):
        await read_taxon(taxon_id, lookups, uniprot)
    if len(lookups.open) > FEW:
        await map_ids(lookups, uniprot)
    # A reviewed entry of the same sequence in another taxon justifies a few requests.
    unreviewed = lookups.unreviewed
    wanted = unreviewed if len(unreviewed) <= FEW else lookups.open
    if wanted:
        each = plan_of(len(questions.proteins)).entries_each
        await query_by_checksum(wanted, lookups, uniprot, each)
    unnamed = [lookup for lookup in lookups.open if not (lookup.entries or lookup.ids_searched)]
    if unnamed:
        await query_by_ids(unnamed, lookups, uniprot)


def _merged(
    questions: OnlineQuestions,
    kept: Mapping[str, UniProtAnswer],
    fresh: Mapping[str, UniProtAnswer],
    newest: Mapping[str, UniProtAnswer],
) -> dict[str, UniProtAnswer]:
    """One answer for each protein; what was lost is taken from earlier runs."""
    answers = {}
    for question in questions.proteins:
        md5 = question.md5
        answer = kept[md5] if md5 in kept else fresh[md5]
        answers[md5] = answer if answer.state.is_answer else newest.get(md5, answer)
    return answers


def _problem(
    answers: Mapping[str, UniProtAnswer],
    fresh: Mapping[str, UniProtAnswer],
    lost_at_first: RequestFailed | None,
) -> str:
    """What did not work, in words that follow the service's name; empty where all did."""
    stale = sum(one.is_stale for one in answers.values())
    answered = sum(one.state.is_answer for one in answers.values())
    if answered == len(answers) and not stale:
        return ""
    lost = [one for one in fresh.values() if not one.state.is_answer]
    tried = [one for one in lost if one.state is AnswerState.ERROR]
    reasons = Counter(one.reason for one in tried or lost)
    if not reasons:
        reasons[lost_at_first.reason if lost_at_first else "its release is not known"] = 1
    reason = reasons.most_common(1)[0][0]
    if answered > stale:
        words = f"answered for {answered - stale} of {len(answers)} proteins only: {reason}"
    else:
        words = f"could not be queried: {reason}"
    if not stale:
        return words
    which = (
        "its cached answers"
        if stale == len(answers)
        else f"cached answers for {stale} of {len(answers)} proteins"
    )
    return f"{words}; {which} are used"
