"""Few proteins that are still open: entries that stand for their protein ids, by a search."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Final

from genint.online.identifiers import unversioned
from genint.online.ports import CallLost
from genint.online.turns import in_turns
from genint.online.uniprot.cases import Case, Cases
from genint.online.uniprot.desk import Answer, UniProtDesk, unreadable
from genint.online.uniprot.entries import FIELDS
from genint.online.uniprot.plan import PAGE
from genint.online.uniprot.taxon import SEARCH, take_page

_MOST_PAGES: Final = 4
"""Of one query: some ids stand for thousands of entries, of which the first say enough."""

_MORE_IDS: Final = CallLost("it has more ids than are asked for", was_tried=False)
_MORE_ENTRIES: Final = CallLost("its ids have more entries than were read", was_tried=True)


async def ask_by_ids(asked: Sequence[Case], cases: Cases, desk: UniProtDesk, calls: int) -> None:
    """Search for entries that stand for protein ids: same locus, other sequence.

    One id of each protein comes first, so that most proteins have one that is asked for.
    Where ids are left over, or entries, that is noted for the proteins that have them.

    Args:
        asked: Proteins without an entry.
        cases: Where entries are put.
        desk: Sends the calls.
        calls: That may be made.
    """
    owners = _owners(asked)
    terms = list(owners)
    fitting = max(0, calls) * desk.most_terms
    for case in asked:
        case.lost_ids = None  # whatever was lost of them before is asked for anew
    search = _Search(cases, desk, calls - math.ceil(len(terms[:fitting]) / desk.most_terms))

    async def ask(batch: Sequence[str]) -> bool:
        lost: CallLost | None
        try:
            lost = await search.ask(batch)
        except CallLost as why:
            if desk.is_too_wide(why, len(batch)):
                return False
            lost = why
        _note(lost, batch, owners)
        return True

    await in_turns(terms[:fitting], lambda: desk.most_terms, ask)
    _note(_MORE_IDS, terms[fitting:], owners)


@dataclass(slots=True)
class _Search:
    """Queries and their pages.

    Attributes:
        cases: Where entries are put.
        desk: Sends the calls.
        spare: Calls that are not needed for first pages.
    """

    cases: Cases
    desk: UniProtDesk
    spare: int

    async def ask(self, batch: Sequence[str]) -> CallLost | None:
        """Ask one query; why not all of its entries were read, None where they were.

        Raises:
            CallLost: a page brought none.
        """
        query = ("query", " OR ".join(batch))
        size = ("size", str(PAGE))
        first = await self.desk.page(SEARCH, query, size, fields=FIELDS)
        page: Answer | None = first
        unread, came, total, left = 0, 0, first.total or 0, _MOST_PAGES
        while page is not None:
            unread += await take_page(page, self.cases)
            came += len(page.results)
            left -= 1
            if page.link is not None and (left == 0 or self.spare <= 0):
                return _MORE_ENTRIES
            self.spare -= page.link is not None
            page = await self.desk.next_page(page)
        if unread:
            return unreadable()
        return _MORE_ENTRIES if came < total else None


def _owners(asked: Iterable[Case]) -> dict[str, list[Case]]:
    """Terms of queries and whose they are: the first ones of all proteins, then the others."""
    owners: dict[str, list[Case]] = {}
    cases = list(asked)
    for turn in zip_longest(*map(_terms, cases)):
        for case, term in zip(cases, turn, strict=True):
            if term is not None:
                owners.setdefault(term, []).append(case)
    return owners


def _note(lost: CallLost | None, terms: Iterable[str], owners: dict[str, list[Case]]) -> None:
    if lost is not None:
        for case in chain.from_iterable(owners[term] for term in terms):
            case.lost_ids = lost


def _terms(case: Case) -> list[str]:
    """Cross-references are found by ids without a version whatever theirs is."""
    refseq = (f"xref:refseq-{unversioned(id_)}" for id_ in case.refseq_ids)
    cds = (f"xref:embl-{unversioned(id_)}" for id_ in case.cds_ids)
    return list(dict.fromkeys((*refseq, *cds)))
