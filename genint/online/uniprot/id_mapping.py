"""ID mapping: one job for thousands of identifiers of one kind."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from itertools import chain, islice, repeat
from typing import Final, NamedTuple

from genint.http_errors import RequestFailed
from genint.online.identifiers import is_job, unversioned
from genint.online.protocol import Host, MalformedResponse, Request
from genint.online.uniprot.client import UniProtClient, UniProtResponse
from genint.online.uniprot.lookups import FEW, PAGE, ProteinLookup, ProteinLookups
from genint.online.uniprot.records import FIELDS, read_mapped

_RUN: Final = "/idmapping/run"
_MOST_IDS: Final = 100_000
_WAITS_S: Final = (1.0, 2.0, 3.0)
_LATER_WAIT_S: Final = 5.0
_LONG_JOB: Final = 1_000
"""Ids from which on a job is looked at half as often: each look is one of the run's requests."""
_MOST_LOOKS: Final = 6
"""After 21 s, or 42 s for a long job, UniParc is the faster way."""
_LEAST_CALLS: Final = 4
"""To start a job, look at it twice, and read a page."""
_POOR: Final = 0.1
"""Share of proteins below which it may be the versions of ids that are not understood."""
_UNDERWAY: Final = frozenset({"NEW", "RUNNING", "QUEUED", "PROCESSING"})


class _Kind(NamedTuple):
    """A kind of identifier, as the service calls it."""

    name: str
    has_versions: bool


_REFSEQ: Final = _Kind("RefSeq_Protein", has_versions=True)
_CDS: Final = _Kind("EMBL-GenBank-DDBJ_CDS", has_versions=True)
_CRC64: Final = _Kind("CRC64", has_versions=False)


class _NotOffered(Exception):
    """The service does not map this kind of identifier."""


async def map_ids(lookups: ProteinLookups, uniprot: UniProtClient) -> None:
    """Map ids of RefSeq, ids of coding sequences, and CRC-64 to entries.

    Each kind only for proteins that are open by then, if they are many, and while enough
    requests are left to look all of them up in UniParc (:mod:`genint.online.uniprot.lookups`).
    An entry is the protein's own only where the MD5 is the same; by CRC-64 no other is taken.
    """
    for kind in (_REFSEQ, _CDS, _CRC64):
        ids = {lookup.question.md5: _ids(lookup, kind) for lookup in lookups.open}
        wanted = [lookup for lookup in lookups.open if ids[lookup.question.md5]]
        if len(wanted) > FEW and lookups.spare(uniprot.left) >= _LEAST_CALLS:
            all_ids = list(chain.from_iterable(ids[lookup.question.md5] for lookup in wanted))
            await _map_kind(kind, wanted, all_ids[:_MOST_IDS], lookups, uniprot)


def _ids(lookup: ProteinLookup, kind: _Kind) -> tuple[str, ...]:
    if kind is _REFSEQ:
        return lookup.refseq_ids
    if kind is _CDS:
        return lookup.cds_ids
    return () if lookup.refseq_ids or lookup.cds_ids else (lookup.question.crc64,)


async def _map_kind(
    kind: _Kind,
    wanted: Sequence[ProteinLookup],
    ids: Sequence[str],
    lookups: ProteinLookups,
    uniprot: UniProtClient,
) -> None:
    try:
        await _map(kind, ids, lookups, uniprot)
        found = len(lookups.all) - len(lookups.open)
        if (
            kind.has_versions
            and found < _POOR * len(lookups.all)
            and lookups.spare(uniprot.left) >= _LEAST_CALLS
        ):
            await _map(kind, list(dict.fromkeys(map(unversioned, ids))), lookups, uniprot)
    except _NotOffered:
        return
    except RequestFailed as failure:
        if kind.has_versions:
            for lookup in wanted:
                lookup.lost_ids = failure
        return
    for lookup in wanted:
        lookup.ids_searched = lookup.ids_searched or kind.has_versions


async def _map(
    kind: _Kind, ids: Sequence[str], lookups: ProteinLookups, uniprot: UniProtClient
) -> None:
    """Run a job and read its results while that saves requests.

    Raises:
        RequestFailed: it failed, or took too long.
        _NotOffered: the service refused it.
    """
    job = await _started(kind, ids, uniprot)
    await _finished(job, len(ids), lookups, uniprot)
    path = f"/idmapping/uniprotkb/results/{job}"
    page: UniProtResponse | None = await uniprot.page(path, ("size", str(PAGE)), fields=FIELDS)
    unread = 0
    while page is not None:
        read = await asyncio.to_thread(read_mapped, page.results)
        lookups.take(read.found, page.release)
        unread += read.unreadable
        if not lookups.open:
            return
        if page.link is not None and lookups.spare(uniprot.left) < 1:
            raise RequestFailed("it has more entries of them than were to be read")
        page = await uniprot.next_page(page)
    if unread:
        raise MalformedResponse


async def _started(kind: _Kind, ids: Sequence[str], uniprot: UniProtClient) -> str:
    """The job's id; the same job started again has the same one."""
    form = (("from", kind.name), ("to", "UniProtKB"), ("ids", ",".join(ids)))
    accepts = frozenset({HTTPStatus.OK.value, HTTPStatus.BAD_REQUEST.value})
    answer = await uniprot.send(
        Request(Host.UNIPROT, _RUN, method="POST", form=form, accepts=accepts)
    )
    if answer.status == HTTPStatus.BAD_REQUEST:
        raise _NotOffered
    job = answer.body.get("jobId")
    if not isinstance(job, str) or not is_job(job):
        raise MalformedResponse
    return job


async def _finished(job: str, ids: int, lookups: ProteinLookups, uniprot: UniProtClient) -> None:
    """Wait for the end of a job.

    Raises:
        RequestFailed: it failed, was forgotten, or takes too long.
    """
    accepts = frozenset({200, 303, 400, 404})
    request = Request(Host.UNIPROT, f"/idmapping/status/{job}", accepts=accepts)
    for wait_s in _waits(ids):
        if lookups.spare(uniprot.left) < 2:  # noqa: PLR2004 - one for a page
            break
        await uniprot.wait(wait_s)
        if _is_finished(await uniprot.send(request)):
            return
    raise RequestFailed("its mapping of identifiers took too long")


def _waits(ids: int) -> Iterator[float]:
    """Seconds before each look at a job."""
    times = 2.0 if ids >= _LONG_JOB else 1.0
    waits = chain(_WAITS_S, repeat(_LATER_WAIT_S))
    return (times * wait for wait in islice(waits, _MOST_LOOKS))


def _is_finished(answer: UniProtResponse) -> bool:
    """Whether a job is done: the server sends to its results, or says so, or shows them."""
    if answer.status == HTTPStatus.SEE_OTHER:
        return True
    if answer.status != HTTPStatus.OK:
        raise answer.refusal()
    status = answer.body.get("jobStatus")
    if status in _UNDERWAY:
        return False
    if status == "FINISHED" or "results" in answer.body:
        return True
    raise RequestFailed("its mapping of identifiers failed")
