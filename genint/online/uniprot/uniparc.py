"""Queries of UniParc by MD5: entries of a sequence in UniProtKB, and its domains."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from genint.http_errors import RequestFailed
from genint.knowledge.interpro_names import is_signature, library_of
from genint.model.online import (
    AnswerState,
    InterProAnswer,
    InterProEntry,
    InterProMatch,
    MatchPlace,
)
from genint.online.client import RunClient
from genint.online.identifiers import is_accession, md5_of
from genint.online.protocol import MalformedResponse, in_batches
from genint.online.uniprot.client import UniProtClient, UniProtResponse
from genint.online.uniprot.lookups import ACCESSIONS, ProteinLookup, ProteinLookups, entries_each
from genint.online.uniprot.records import FIELDS, Feature, UniParcEntry, read_entries, read_records

_UNIPARC_PATH: Final = "/uniparc/search"
_ENTRIES: Final = "upi,accession,fullSequence"
_DOMAINS: Final = "upi,accession,fullSequence,fullsequencefeatures"
_MORE_PAGES: Final = 1
"""After the first one, which has room for all records."""
_TITLES: Final = {
    "cathgene3d": "CATH-Gene3D",
    "cathfunfam": "CATH-FunFam",
    "superfamily": "SUPERFAMILY",
}
"""Of libraries that UniParc calls otherwise than InterPro does."""
_PROFILES: Final = "PS5"
"""PROSITE numbers its profiles from PS50000 on; UniParc does not mark them otherwise."""


class UniParcRecord(NamedTuple):
    """What UniParc knows of a sequence.

    Attributes:
        md5: Of the sequence.
        accessions: Of entries of UniProtKB that have it now; obsolete versions are left out.
        matches: Signatures, with places and nothing else.
        release: Of UniProt; None where the answer did not say.
    """

    md5: str
    accessions: tuple[str, ...] = ()
    matches: tuple[InterProMatch, ...] = ()
    release: str | None = None


@dataclass(frozen=True, slots=True)
class UniParcFindings:
    """What UniParc says of sequences; what is in neither mapping is not in UniParc.

    Attributes:
        records: By MD5.
        lost: MD5 -> why nothing is known of it.
        releases: MD5 -> release of the answer to its query.
    """

    records: dict[str, UniParcRecord] = field(default_factory=dict)
    lost: dict[str, RequestFailed] = field(default_factory=dict)
    releases: dict[str, str | None] = field(default_factory=dict)


async def query_uniparc(
    md5s: Sequence[str], uniprot: UniProtClient, *, domains: bool = False
) -> UniParcFindings:
    """Look sequences up.

    Args:
        md5s: Upper-lookup hexadecimal, each once.
        uniprot: Sends the requests.
        domains: Get signatures too.

    Cost: one request for 50 sequences, two under way.
    """
    findings = UniParcFindings()

    async def send(batch: Sequence[str]) -> bool:
        try:
            await _send_batch(batch, uniprot, _DOMAINS if domains else _ENTRIES, findings)
        except RequestFailed as lost:
            if uniprot.is_too_wide(lost, len(batch)):
                return False
            findings.lost.update(dict.fromkeys(batch, lost))
        return True

    await in_batches(md5s, lambda: uniprot.max_terms, send)
    return findings


class _Read(NamedTuple):
    """A page, read.

    Attributes:
        records: Those that were wanted, by MD5.
        unread: Number of others.
        has_checksums: Any record has its own; true of a page without records.
    """

    records: dict[str, UniParcRecord]
    unread: int
    has_checksums: bool


async def _send_batch(
    batch: Sequence[str], uniprot: UniProtClient, fields: str, findings: UniParcFindings
) -> None:
    """Look up one query's sequences.

    Only where all records have come are the missing ones those of sequences that are not there.
    """
    query = " OR ".join(f"checksum:{md5}" for md5 in batch)
    params = (("query", query), ("size", str(len(batch))))
    wanted = frozenset(batch)
    page = await uniprot.page(_UNIPARC_PATH, *params, fields=fields)
    read = await asyncio.to_thread(_read, page, wanted)
    if not read.has_checksums:
        # Known parts under unknown names: the records are whole without them.
        page = await uniprot.page_without_fields(_UNIPARC_PATH, *params)
        read = await asyncio.to_thread(_read, page, wanted)
    lost: RequestFailed | None = None
    try:
        lost = await _read_on(page, read, wanted, uniprot)
    except RequestFailed as failure:
        lost = failure
    findings.releases.update(dict.fromkeys(batch, page.release))
    for md5 in batch:
        if md5 in read.records:
            findings.records[md5] = read.records[md5]
            findings.releases[md5] = read.records[md5].release
        elif lost is not None:
            findings.lost[md5] = lost


async def _read_on(
    page: UniProtResponse, read: _Read, wanted: frozenset[str], uniprot: UniProtClient
) -> RequestFailed | None:
    """Add the records of later pages; why some of all are missing, None where none is.

    Raises:
        RequestFailed: a page brought none.
    """
    unread, release = read.unread, page.release
    for _ in range(_MORE_PAGES):
        following = await uniprot.next_page(page)
        if following is None:
            break
        page = following
        more = await asyncio.to_thread(_read, page, wanted)
        read.records.update(more.records)
        unread += more.unread
    if unread:
        return MalformedResponse()  # one of those that are missing, it cannot be known which
    is_whole = page.link is None if page.total is None else page.total <= len(read.records)
    if not is_whole or page.release != release:
        return RequestFailed("its answer has fewer records than it counts")
    return None


def _read(page: UniProtResponse, wanted: frozenset[str]) -> _Read:
    sent, unread = read_records(page.results, UniParcEntry)
    md5s = [_md5(one) for one in sent]
    records = {
        md5: _record(md5, one, page.release)
        for md5, one in zip(md5s, sent, strict=True)
        if md5 in wanted
    }
    return _Read(records, unread + len(sent) - len(records), any(md5s) or not sent)


def _md5(sent: UniParcEntry) -> str:
    if sent.sequence.md5:
        return sent.sequence.md5.upper()
    return md5_of(sent.sequence.value) if sent.sequence.value else ""


def _record(md5: str, sent: UniParcEntry, release: str | None) -> UniParcRecord:
    accessions = sorted(set(filter(is_accession, sent.accessions)))
    return UniParcRecord(md5, tuple(accessions), tuple(map(_match, sent.features)), release)


def _match(feature: Feature) -> InterProMatch:
    library, title = _library(feature)
    group = feature.interpro_group
    return InterProMatch(
        accession=feature.database_id,
        library=library,
        library_title=title,
        entry=InterProEntry(group.id, group.name, group.name) if group else None,
        places=tuple(MatchPlace(place.start, place.end) for place in feature.locations),
    )


def _library(feature: Feature) -> tuple[str, str]:
    """Name as InterPro has it, and to be shown."""
    name = library_of(feature.database)
    if name == "prosite":
        kind = "profiles" if feature.database_id.startswith(_PROFILES) else "patterns"
        return f"prosite{kind}", f"PROSITE {kind}"
    return name, _TITLES.get(name, feature.database)


async def uniparc_domains(md5s: Sequence[str], client: RunClient) -> Mapping[str, InterProAnswer]:
    """Domains of sequences as UniParc has them: a second source where InterPro gives no answer.

    Args:
        md5s: Upper-lookup hexadecimal, each once.
        client: Sends the requests.

    Returns:
        An answer for each, of a release of UniProt: a hit with signatures and their InterPro
        entries, without E-values and without the entries' types; no match where it has none,
        or features of residues alone; not in the database, or lost.

    Cost: one request for 50 sequences, two under way.
    """
    found = await query_uniparc(md5s, UniProtClient(client), domains=True)
    return {md5: _domains(md5, found) for md5 in md5s}


def _domains(md5: str, found: UniParcFindings) -> InterProAnswer:
    lost = found.lost.get(md5)
    if lost is not None:
        state = AnswerState.ERROR if lost.was_sent else AnswerState.NOT_ASKED
        return InterProAnswer(state, reason=lost.reason, through_uniparc=True)
    release = found.releases.get(md5)
    record = found.records.get(md5)
    if record is None:
        return InterProAnswer(AnswerState.NOT_IN_DATABASE, release=release, through_uniparc=True)
    is_hit = any(map(is_signature, record.matches))
    state = AnswerState.HIT if is_hit else AnswerState.NO_MATCH
    return InterProAnswer(state, record.matches, release, through_uniparc=True)


_ACCESSIONS_PATH: Final = "/uniprotkb/accessions"
_SHORT: Final = 6
_MOST_PAGES: Final = 1 + ACCESSIONS // 25
"""Of one call; a server that pages unrequested has pages of 25."""


async def query_by_checksum(
    wanted: Sequence[ProteinLookup],
    lookups: ProteinLookups,
    uniprot: UniProtClient,
    wanted_each: int,
) -> None:
    """Query UniParc, and fetch entries that were not seen so far: up to ``wanted_each``."""
    found = await query_uniparc([lookup.question.md5 for lookup in wanted], uniprot)
    for lookup in wanted:
        md5 = lookup.question.md5
        lookup.lost = found.lost.get(md5)
        if lookup.lost is None:
            record = found.records.get(md5)
            lookup.in_uniparc = record is not None
            lookup.accessions = record.accessions if record else ()
            lookup.note(found.releases.get(md5))
    unseen = {lookup.question.md5: likeliest_first(_unseen(lookup)) for lookup in wanted}
    each = entries_each(map(len, unseen.values()), uniprot.left, wanted_each)
    for lookup in wanted:
        lookup.is_brief = each < min(wanted_each, len(unseen[lookup.question.md5]))
    owners = {
        accession: lookup for lookup in wanted for accession in unseen[lookup.question.md5][:each]
    }
    await _fetch(owners, lookups, uniprot)


def _unseen(lookup: ProteinLookup) -> Iterable[str]:
    return (one for one in lookup.accessions if one not in lookup.entries)


def likeliest_first(accessions: Iterable[str]) -> list[str]:
    """Those first that are most often reviewed: short ones, and of them the oldest series."""
    return sorted(accessions, key=lambda one: (len(one) != _SHORT, one[0] not in "OPQ", one))


async def _fetch(
    owners: dict[str, ProteinLookup], lookups: ProteinLookups, uniprot: UniProtClient
) -> None:
    """Get entries; what is lost is lost to the proteins that have them."""

    async def send(batch: Sequence[str]) -> bool:
        missing = set(batch)
        lost: RequestFailed | None = None
        try:
            if await _fetch_batch(batch, missing, lookups, uniprot):
                lost = MalformedResponse()
        except RequestFailed as failure:
            lost = failure
        for accession in missing if lost else ():
            owners[accession].lost = lost
        return True

    await in_batches(owners, lambda: ACCESSIONS, send)


async def _fetch_batch(
    batch: Sequence[str], missing: set[str], lookups: ProteinLookups, uniprot: UniProtClient
) -> int:
    """Get entries; takes those that came from ``missing``; the number that were no entries."""
    page = await uniprot.page(_ACCESSIONS_PATH, ("accessions", ",".join(batch)), fields=FIELDS)
    unread = 0
    for _ in range(_MOST_PAGES):
        read = await asyncio.to_thread(read_entries, page.results)
        lookups.take(read.found, page.release)
        missing.difference_update(one.entry.accession for one in read.found)
        unread += read.unreadable
        following = await uniprot.next_page(page)
        if following is None:
            break
        page = following
    return unread
