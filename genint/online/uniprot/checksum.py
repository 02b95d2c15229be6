"""The certain way: UniParc by checksum, then the entries that have the sequence."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

from genint.online.ports import CallLost
from genint.online.turns import in_turns
from genint.online.uniprot.cases import Case, Cases
from genint.online.uniprot.desk import UniProtDesk, unreadable
from genint.online.uniprot.entries import FIELDS, read_entries
from genint.online.uniprot.plan import ACCESSIONS, entries_each
from genint.online.uniprot.uniparc import ask_uniparc

_PATH: Final = "/uniprotkb/accessions"
_SHORT: Final = 6
_MOST_PAGES: Final = 1 + ACCESSIONS // 25
"""Of one call; a server that pages although it was not asked to has pages of 25."""


async def ask_by_checksum(
    asked: Sequence[Case], cases: Cases, desk: UniProtDesk, most_calls: int, wanted_each: int
) -> None:
    """Ask UniParc, and fetch entries that were not seen so far: up to ``wanted_each``."""
    found = await ask_uniparc([case.question.md5 for case in asked], desk)
    for case in asked:
        md5 = case.question.md5
        case.lost = found.lost.get(md5)
        if case.lost is None:
            record = found.records.get(md5)
            case.in_uniparc = record is not None
            case.accessions = record.accessions if record else ()
            case.note(found.releases.get(md5))
    unseen = {case.question.md5: likeliest_first(_unseen(case)) for case in asked}
    each = entries_each(map(len, unseen.values()), most_calls - desk.calls, wanted_each)
    for case in asked:
        case.is_brief = each < min(wanted_each, len(unseen[case.question.md5]))
    owners = {accession: case for case in asked for accession in unseen[case.question.md5][:each]}
    await _fetch(owners, cases, desk)


def _unseen(case: Case) -> Iterable[str]:
    return (one for one in case.accessions if one not in case.entries)


def likeliest_first(accessions: Iterable[str]) -> list[str]:
    """Those first that are most often reviewed: short ones, and of them the oldest series."""
    return sorted(accessions, key=lambda one: (len(one) != _SHORT, one[0] not in "OPQ", one))


async def _fetch(owners: dict[str, Case], cases: Cases, desk: UniProtDesk) -> None:
    """Get entries; what is lost is lost to the proteins that have them."""

    async def ask(batch: Sequence[str]) -> bool:
        missing = set(batch)
        lost: CallLost | None = None
        try:
            if await _fetch_batch(batch, missing, cases, desk):
                lost = unreadable()
        except CallLost as why:
            lost = why
        for accession in missing if lost else ():
            owners[accession].lost = lost
        return True

    await in_turns(owners, lambda: ACCESSIONS, ask)


async def _fetch_batch(
    batch: Sequence[str], missing: set[str], cases: Cases, desk: UniProtDesk
) -> int:
    """Get entries; takes those that came from ``missing``, and tells how many were no entries."""
    page = await desk.page(_PATH, ("accessions", ",".join(batch)), fields=FIELDS)
    unread = 0
    for _ in range(_MOST_PAGES):
        read = await asyncio.to_thread(read_entries, page.results)
        cases.take(read.found, page.release)
        missing.difference_update(one.entry.accession for one in read.found)
        unread += read.unreadable
        following = await desk.next_page(page)
        if following is None:
            break
        page = following
    return unread
