"""The proteins that a run looks up at UniProt, and how many requests that may take.

A run of a few proteins sends up to 7 requests, one of 4,300 up to 114 (with InterPro's 46 that
is 160). Each step is weighed against the only one that answers for certain: UniParc by checksum
takes a request for 50 sequences, and fetching one entry for each a request for 200, so that a
protein is N/50 + N/200 = N/40 of a request. 4,300 proteins: 86 + 22 = 108, and 6 are left for
what may save many of them; genomes of up to 3,900 have 16 left. That is

* release and number of entries of the taxon: 1; then pages of 500 entries, each of which pays
  if it answers for 40 proteins;
* ID mapping: 1 to start it, 3 or 4 looks at it, 1 page of 500; further pages as above.

So each optional request is sent only while what is left afterwards is enough for UniParc. If
all of them are in vain, a run is still within its requests.

So runs of few proteins learn more of each than runs of many: how much is a matter of their
number alone, and what was learned in one of many is not taken for what one of few would learn.
"""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from pydantic import TypeAdapter, ValidationError

from genint.cache.online import MD5_KIND, OnlineCache, StoredAnswer
from genint.http_errors import RequestFailed
from genint.model.online import (
    AnswerState,
    OnlineQuestions,
    OnlineService,
    ProteinQuestion,
    UniProtAnswer,
    UniProtEntry,
)
from genint.online.identifiers import is_cds_protein, is_refseq_protein, unversioned
from genint.online.uniprot.records import MOST_ENTRIES, Found, best_first


@dataclass(slots=True)
class ProteinLookup:
    """One protein.

    Attributes:
        question: Its checksums and ids.
        entries: Found so far, by accession.
        releases: Of the answers that it is in.
        in_uniparc: Whether UniParc knows the sequence; None where it was not queried, or
            the answer was lost.
        accessions: Entries that have the sequence, by UniParc.
        is_brief: Fewer of its entries were fetched than the run's plan has it.
        ids_searched: All entries of its protein ids were searched for.
        lost: Why its sequence could not be looked up; None where nothing went wrong.
        lost_ids: Why its ids could not.
    """

    question: ProteinQuestion
    entries: dict[str, UniProtEntry] = field(default_factory=dict)
    releases: set[str] = field(default_factory=set)
    in_uniparc: bool | None = None
    accessions: tuple[str, ...] = ()
    is_brief: bool = False
    ids_searched: bool = False
    lost: RequestFailed | None = None
    lost_ids: RequestFailed | None = None

    @property
    def refseq_ids(self) -> tuple[str, ...]:
        """Protein ids of RefSeq that have the form of one."""
        return tuple(filter(is_refseq_protein, self.question.refseq_ids))

    @property
    def cds_ids(self) -> tuple[str, ...]:
        """Protein ids of GenBank, EMBL and DDBJ that have the form of one."""
        return tuple(filter(is_cds_protein, self.question.cds_ids))

    @property
    def is_answered(self) -> bool:
        """Whether an entry has the very sequence."""
        return any(entry.same_sequence for entry in self.entries.values())

    @property
    def is_reviewed(self) -> bool:
        """Whether a reviewed entry has the very sequence."""
        return any(entry.same_sequence and entry.reviewed for entry in self.entries.values())

    def note(self, release: str | None) -> None:
        """Remember the release of an answer that it is in."""
        if release is not None:
            self.releases.add(release)


class ProteinLookups:
    """All proteins of a run that the cache has no answer for, in the order of the questions."""

    def __init__(self, questions: Iterable[ProteinQuestion]) -> None:
        self.all = tuple(ProteinLookup(question) for question in questions)
        self._by_md5 = {lookup.question.md5: lookup for lookup in self.all}
        self._by_id: defaultdict[str, list[ProteinLookup]] = defaultdict(list)
        for lookup in self.all:
            for id_ in dict.fromkeys(map(unversioned, (*lookup.refseq_ids, *lookup.cds_ids))):
                self._by_id[id_].append(lookup)

    def of(self, md5: str) -> ProteinLookup | None:
        """The protein with a checksum."""
        return self._by_md5.get(md5)

    @property
    def open(self) -> list[ProteinLookup]:
        """Those that no entry with their sequence was found for."""
        return [lookup for lookup in self.all if not lookup.is_answered]

    @property
    def unreviewed(self) -> list[ProteinLookup]:
        """Those that no reviewed entry with their sequence was found for."""
        return [lookup for lookup in self.all if not lookup.is_reviewed]

    def spare(self, left: int) -> int:
        """Of the requests that are left, those that UniParc does not need for all open ones."""
        return left - calls_needed(len(self.open))

    def take(self, found: Iterable[Found], release: str | None) -> None:
        """Put entries to their proteins: by sequence, or by a protein id."""
        for one in found:
            same = self._by_md5.get(one.entry.md5)
            if same is not None:
                same.entries[one.entry.accession] = one.entry
                same.note(release)
            other = replace(one.entry, same_sequence=False)
            for lookup in self._with_ids({*one.protein_ids, unversioned(one.found_by)}):
                if lookup is not same:
                    lookup.entries[other.accession] = other
                    lookup.note(release)

    def _with_ids(self, ids: Iterable[str]) -> Iterable[ProteinLookup]:
        for id_ in ids:
            yield from self._by_id.get(id_, ())


def answer_of(lookup: ProteinLookup, taxon_id: int | None) -> UniProtAnswer:
    """The answer for a protein, whatever went wrong on the way."""
    release = max(lookup.releases, default=None)
    if lookup.entries:
        entries = best_first(lookup.entries.values(), taxon_id)
        return UniProtAnswer(AnswerState.HIT, entries, release)
    if lookup.lost is not None:
        state = AnswerState.ERROR if lookup.lost.was_sent else AnswerState.NOT_ASKED
        return UniProtAnswer(state, release=release, reason=lookup.lost.reason)
    if lookup.in_uniparc is None:
        return UniProtAnswer(AnswerState.NOT_ASKED, reason="it was not queried")
    state = AnswerState.NO_MATCH if lookup.in_uniparc else AnswerState.NOT_IN_DATABASE
    return UniProtAnswer(state, release=release)


def is_complete(lookup: ProteinLookup) -> bool:
    """Whether an answer is all that UniProt has to say: only such ones are kept.

    What the ids would have found is not missed where the sequence was found. What comes
    from two releases is of neither.
    """
    is_settled = lookup.is_answered or (lookup.in_uniparc is not None and lookup.lost_ids is None)
    return lookup.lost is None and is_settled and len(lookup.releases) == 1


FEW: Final = 150
"""Up to here UniParc takes 3 calls, which is less than a job of ID mapping."""
PAGE: Final = 500
"""Entries of a page; the server gives no more."""
ACCESSIONS: Final = 200
"""Of one call: the server takes 1,000, but such answers have taken longer than 30 s."""
_FULL: Final = 40
"""Up to here five entries of each are fetched by one call."""
_CHECKSUMS: Final = 50
_CALLS_FOR_FEW: Final = 7
_LEAST_SPARE: Final = 6
_MOST_SPARE: Final = 16
_CALLS_FOR_MANY: Final = 114
"""Of the 160 of a run, what InterPro leaves of 4,300 proteins."""
_SMALL_TAXON: Final = 1_000
_LARGE_TAXON: Final = 3
"""Entries of a taxon for each open protein from which on most pages would be in vain."""


class Plan(StrEnum):
    """How thoroughly a run looks up; the most thorough one first."""

    FULL = "full"
    """Reviewed entries of other taxa are looked for, and up to five entries of each fetched."""
    FEW = "few"
    """The same with up to two entries that are fetched."""
    MANY = "many"
    """As many as the calls allow, and reviewed ones of other taxa where few have none."""

    @property
    def entries_each(self) -> int:
        """Up to how many entries of each protein are fetched."""
        return 2 if self is Plan.FEW else MOST_ENTRIES

    @property
    def served_by(self) -> tuple[Plan, ...]:
        """Plans whose answers do for it: itself, and those that are more thorough."""
        plans = tuple(Plan)
        return plans[plans.index(self) :: -1]


def plan_of(proteins: int) -> Plan:
    """How thoroughly so many proteins are looked up."""
    if proteins <= _FULL:
        return Plan.FULL
    return Plan.FEW if proteins <= FEW else Plan.MANY


def max_calls(proteins: int) -> int:
    """Requests of a run that looks up so many."""
    if proteins <= FEW:
        return _CALLS_FOR_FEW
    certain = calls_needed(proteins)
    return max(certain + _LEAST_SPARE, min(certain + _MOST_SPARE, _CALLS_FOR_MANY))


def calls_needed(proteins: int) -> int:
    """Calls to UniParc and for one entry of each of so many."""
    return math.ceil(proteins / _CHECKSUMS) + math.ceil(proteins / ACCESSIONS)


def is_taxon_small(entries: int, proteins: int) -> bool:
    """Whether reading all entries of a taxon is likely to answer for the proteins."""
    return 0 < entries <= max(_LARGE_TAXON * proteins, _SMALL_TAXON)


def entries_each(counts: Iterable[int], calls: int, most: int = MOST_ENTRIES) -> int:
    """How many entries of each protein can be fetched with so many calls, 1 to ``most``.

    Args:
        counts: Entries that each protein has.
        calls: That may be made.
        most: Entries of each that are wanted.
    """
    known = list(counts)
    for each in range(most, 1, -1):
        if sum(min(each, count) for count in known) <= calls * ACCESSIONS:
            return each
    return 1


_SERVICE: Final = OnlineService.UNIPROT.value
_KIND: Final = f"{MD5_KIND}-question-2"
"""With the version of the format: what is kept in another one is not found. The plan follows."""
_ENTRIES: Final = TypeAdapter(tuple[UniProtEntry, ...])


class UniProtCache:
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
        kept: dict[str, StoredAnswer] = {}
        for plan in self._plan.served_by:
            found = await asyncio.to_thread(self._cache.find, _SERVICE, _kind(plan), keys, release)
            kept = {**found, **kept} if release else _newest(kept, found)
        answers = {}
        for md5, key in self._keys.items():
            answer = _read(kept.get(key), is_stale=release is None)
            if answer is not None:
                answers[md5] = answer
        return answers

    async def keep(
        self, lookups: Iterable[ProteinLookup], answers: Mapping[str, UniProtAnswer]
    ) -> None:
        """Keep answers, each under its own release."""
        rows: defaultdict[tuple[str, Plan], dict[str, tuple[AnswerState, str]]] = defaultdict(dict)
        for lookup in lookups:
            md5 = lookup.question.md5
            answer = answers[md5]
            if answer.release and answer.state.is_answer:
                payload = _ENTRIES.dump_json(answer.entries).decode()
                plan = Plan.MANY if lookup.is_brief else self._plan
                rows[answer.release, plan][self._keys[md5]] = (answer.state, payload)
        for (release, plan), some in rows.items():
            await asyncio.to_thread(self._cache.keep, _SERVICE, _kind(plan), release, some)


def _kind(plan: Plan) -> str:
    return f"{_KIND}-{plan.value}"


def _newest(
    some: Mapping[str, StoredAnswer], others: Mapping[str, StoredAnswer]
) -> dict[str, StoredAnswer]:
    """Of two answers to a question the one that was fetched last, else the first."""
    newest = {**others, **some}
    for key in some.keys() & others.keys():
        newest[key] = max(some[key], others[key], key=lambda one: one.fetched_at)
    return newest


def _key(question: ProteinQuestion, taxon_id: int | None) -> str:
    """A protein's question: with the plan, all that its answer depends on."""
    ids = ",".join((*question.refseq_ids, *question.cds_ids))
    return f"{question.md5}|{taxon_id or ''}|{ids}"


def _read(kept: StoredAnswer | None, *, is_stale: bool) -> UniProtAnswer | None:
    if kept is None:
        return None
    try:
        entries = _ENTRIES.validate_json(kept.payload)
    except ValidationError:
        return None
    return UniProtAnswer(kept.state, entries, kept.release or None, is_stale=is_stale)
