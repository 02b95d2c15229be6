"""InterPro: the signatures of all proteins of a run, by checksum, a hundred at a time.

Matches API of InterPro: https://www.ebi.ac.uk/interpro/matches/api
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Final, NamedTuple

from genint.cache.online import MD5_KIND, OnlineCache, StoredAnswer
from genint.http_errors import RequestFailed
from genint.knowledge.pfam import read_pfam_go_terms
from genint.model.evidence import GoTerm
from genint.model.online import (
    AnswerState,
    InterProAnswer,
    InterProFindings,
    OnlineQuestions,
    OnlineService,
    ServiceUse,
)
from genint.online.client import RunClient
from genint.online.interpro import records as interpro_records
from genint.online.interpro.records import Batch, Info, is_md5, read_info, read_matches
from genint.online.protocol import Host, MalformedResponse, Request, in_batches
from genint.online.uniprot.uniparc import uniparc_domains

SERVICE: Final = OnlineService.INTERPRO.value
KIND: Final = f"{MD5_KIND}-{interpro_records.SCHEMA}"
"""Of answers in the cache."""
_GO_KIND: Final = "interpro2go-1"
"""Of the lines that matter of the file of GO terms."""
_PATH: Final = "/interpro2go"
_MAX_BYTES: Final = 40_000_000
"""The file has 3 MB."""
_LINE: Final = re.compile(r"InterPro:(IPR\d{6,8})\b(?:.*>)?\s*(?:GO:(.*?))?\s*;\s*(GO:\d{7})\s*")


class EntryTerms(NamedTuple):
    """GO terms of InterPro entries.

    Attributes:
        terms: By entry; entries without terms are left out.
        note: Where they are older than the matches or not to be had; may be empty.
    """

    terms: Mapping[str, tuple[GoTerm, ...]]
    note: str = ""


async def terms_of_entries(
    entries: Collection[str],
    release: str,
    client: RunClient,
    cache: OnlineCache,
    *,
    installed: Mapping[str, tuple[GoTerm, ...]] | None,
) -> EntryTerms:
    """GO terms of some entries.

    Args:
        entries: Accessions.
        release: Of the matches; empty where it is unknown.
        client: Sends the request.
        cache: Keeps the file for as long as the release lasts.
        installed: Terms that need not be fetched.

    Cost: at most one request, and none where no entry was matched, terms are installed, or
    those of the release are kept. Where it fails it is tried again in the next run.
    """
    if not entries:
        return EntryTerms({})
    if installed is not None:
        known = {entry: found for entry in entries if (found := installed.get(entry))}
        return EntryTerms(known)
    kept = await asyncio.to_thread(_stored_lines, cache, release or None)
    if kept is None:
        try:
            answer = await client.send(Request(Host.INTERPRO_GO, _PATH, expects="text"))
            lines = await asyncio.to_thread(read_lines, answer.body)
        except RequestFailed as failure:
            kept = await asyncio.to_thread(_stored_lines, cache, None)
            if kept is None:
                note = f"GO terms of InterPro entries: could not be had ({failure.reason})"
                return EntryTerms({}, note)
        else:
            rows = {_PATH: (AnswerState.HIT, lines)}
            await asyncio.to_thread(cache.keep, SERVICE, _GO_KIND, release, rows)
            return EntryTerms(await asyncio.to_thread(terms_among, lines, entries))
    terms = await asyncio.to_thread(terms_among, kept.payload, entries)
    return EntryTerms(terms, _release_note(kept.release, release))


def _stored_lines(cache: OnlineCache, release: str | None) -> StoredAnswer | None:
    return cache.find(SERVICE, _GO_KIND, [_PATH], release).get(_PATH)


def _release_note(kept: str, wanted: str) -> str:
    if kept == wanted:
        return ""
    whose = f"InterPro {wanted}" if wanted else "today's InterPro"
    return f"GO terms of {whose}: those of {kept or 'an unknown release'} are used instead"


def read_lines(body: bytes) -> str:
    """The lines of the file that map an entry, as rows of accession, term and its name.

    Raises:
        MalformedResponse: it is not that file.

    Cost: 0.1 s for the 40,000 lines of a release.
    """
    if len(body) > _MAX_BYTES:
        raise MalformedResponse("a file larger than it can be")
    rows, others = [], 0
    for line in body.decode("utf-8", "replace").splitlines():
        if not line.strip() or line.startswith("!"):
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            others += 1
        else:
            rows.append("\t".join((found[1], found[3], " ".join((found[2] or "").split()))))
    if others >= len(rows):
        raise MalformedResponse("a file that maps no entries to terms")
    return "\n".join(rows)


def terms_among(lines: str, entries: Iterable[str]) -> dict[str, tuple[GoTerm, ...]]:
    """Terms of some entries, each once, in the order of the file."""
    wanted, known = frozenset(entries), read_pfam_go_terms()
    found: dict[str, dict[str, GoTerm]] = {}
    for line in lines.splitlines():
        accession, _, rest = line.partition("\t")
        if accession in wanted:
            id_, _, name = rest.partition("\t")
            aspect = known[id_].aspect if id_ in known else None
            found.setdefault(accession, {})[id_] = GoTerm(id_, name, aspect)
    return {accession: tuple(terms.values()) for accession, terms in found.items()}


UNKNOWN = ""
"""The release where the service does not name it."""


class Releases:
    """What a run learns of the release.

    Attributes:
        named: What the service answered about itself, each release once, in order.
        failure: Why it gave no answer; None where it answered, be it without a release.
    """

    def __init__(self, client: RunClient) -> None:
        self._client = client
        self._checking = asyncio.Lock()
        self._was_checked = False
        self._is_doubtful = False
        self.named: list[Info] = []
        self.failure: RequestFailed | None = None

    @property
    def newest(self) -> str:
        """The release as it is now; empty where that is unknown."""
        return self.named[-1].release if self.named else UNKNOWN

    async def fetch(self) -> None:
        """Get the release; where the service does not name it the run goes on without."""
        try:
            self.named.append(await self._info())
        except MalformedResponse:
            return
        except RequestFailed as failure:
            # No document promises this address: that it is gone is an answer.
            if failure.status not in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
                self.failure = failure

    async def _info(self) -> Info:
        answer = await self._client.send(Request(Host.INTERPRO, "/info"))
        return read_info(answer.body)

    async def check(self, versions: Mapping[str, str]) -> None:
        """Compare the library versions of an answer; where they are new, get the release again.

        Cost: one request in a run.
        """
        async with self._checking:
            if self._was_checked or not self.named or _agree(self.named[0], versions):
                return
            self._was_checked = True
            try:
                info = await self._info()
            except RequestFailed:
                self._is_doubtful = True
                return
            if info.release != self.named[0].release:
                self.named.append(info)

    def release_of(self, versions: Mapping[str, str]) -> str | None:
        """The release of an answer, once all have come.

        Returns:
            Empty where the service named none; None where it cannot be known which of two it is.
        """
        if not self.named:
            return UNKNOWN
        if len(self.named) == 1 and not self._is_doubtful:
            # It was the same before and after: so were the answers in between.
            return self.newest
        possible = [info.release for info in self.named if _agree(info, versions)]
        return possible[0] if len(possible) == 1 else None


def _agree(info: Info, versions: Mapping[str, str]) -> bool:
    return all(info.versions.get(library, one) == one for library, one in versions.items())


def problem_of(
    answers: Mapping[str, InterProAnswer],
    rescued: Mapping[str, InterProAnswer],
    no_release: RequestFailed | None,
    lost: Sequence[RequestFailed],
) -> str:
    """The problem of a run; empty where all went well.

    Args:
        answers: Of all proteins.
        rescued: Those that UniParc gave.
        no_release: Why the release could not be fetched.
        lost: Why proteins were lost, one by one.
    """
    own = {md5: answer for md5, answer in answers.items() if md5 not in rescued}
    answered = sum(answer.state.is_answer for answer in own.values())
    is_stale = any(answer.is_stale for answer in own.values())
    if answered == len(answers):
        if not is_stale or no_release is None:
            return ""
        return f"could not be queried: {no_release.reason}; its cached answers are used"
    reasons = [why.reason for why in lost if why.was_sent] or [why.reason for why in lost]
    reasons += [answer.reason for answer in own.values() if not answer.state.is_answer]
    reason = Counter(reasons).most_common(1)[0][0]
    if lost and (not answered or is_stale):
        words = f"could not be queried: {reason}"
        if answered:
            words += f"; cached answers for {answered} of {len(answers)} proteins are used"
    else:
        words = f"answered for {answered} of {len(answers)} proteins only: {reason}"
    if rescued:
        words += f"; UniParc, queried instead, answered for {len(rescued)}"
    return words


_BATCH: Final = 100
"""More are refused (since 0.5 of the service)."""
_SMALLEST_BATCH: Final = 6
"""Where so few are refused it is not for their number."""
_PARALLEL: Final = 4
_TOO_MANY: Final = frozenset(
    {HTTPStatus.UNPROCESSABLE_ENTITY.value, HTTPStatus.REQUEST_ENTITY_TOO_LARGE.value}
)


class MatchQuery:
    """Matches of proteins, fetched in batches.

    Attributes:
        batches: Answers, in the order in which they came.
        failures: MD5 -> why nothing came.
    """

    def __init__(self, client: RunClient, releases: Releases) -> None:
        self._client = client
        self._releases = releases
        self._batch_size = _BATCH
        self._refused: RequestFailed | None = None
        self.batches: list[Batch] = []
        self.failures: dict[str, RequestFailed] = {}

    async def fetch(self, md5s: Sequence[str]) -> None:
        """Get the matches of proteins, each once.

        Cost: a request for 100; 600 kB each.
        """
        await in_batches(md5s, lambda: self._batch_size, self._fetch_batch, parallel=_PARALLEL)

    async def _fetch_batch(self, md5s: Sequence[str]) -> bool:
        """Whether the batch need not be sent again in smaller ones."""
        if self._refused is not None:
            self.failures.update(dict.fromkeys(md5s, self._refused))
            return True
        request = Request(Host.INTERPRO, "/matches", method="POST", json={"md5": list(md5s)})
        try:
            answer = await self._client.send(request)
            batch = await asyncio.to_thread(read_matches, answer.body, md5s)
        except RequestFailed as failure:
            if failure.status in _TOO_MANY:
                if len(md5s) > _SMALLEST_BATCH:
                    self._batch_size = min(self._batch_size, len(md5s) // 2)
                    return False
                self._refused = RequestFailed(failure.reason, was_sent=False, status=failure.status)
            self.failures.update(dict.fromkeys(md5s, failure))
            return True
        self.batches.append(batch)
        await self._releases.check(batch.versions)
        return True


_NO_SUM: Final = "its checksum is none"


async def query_interpro(
    questions: OnlineQuestions,
    client: RunClient,
    cache: OnlineCache,
    *,
    installed_go: Mapping[str, tuple[GoTerm, ...]] | None = None,
) -> InterProFindings:
    """Query InterPro about all proteins of a run.

    Args:
        questions: Only the MD5 sums are sent.
        client: Sends the requests of this run, within its time.
        cache: Answers of the service's release are taken from it, new ones are kept.
        installed_go: Terms of InterPro entries that need not be fetched.

    Returns:
        An answer for every protein. Where InterPro gave none, UniParc is queried, which has
        the signatures too, without their figures. Nothing is raised but the cancelling of the call.

    Cost: 1 request for the release, 1 for 100 proteins that are not in the cache, 1 for GO
    terms in each release.
    """
    began_s = asyncio.get_running_loop().time()
    md5s = tuple(dict.fromkeys(protein.md5 for protein in questions.proteins))
    if not md5s:
        return InterProFindings({}, ServiceUse(OnlineService.INTERPRO))
    releases = Releases(client)
    await releases.fetch()
    kept = await asyncio.to_thread(_from_cache, cache, md5s, releases.newest)
    matches = MatchQuery(client, releases)
    await matches.fetch([md5 for md5 in md5s if md5 not in kept and is_md5(md5)])
    fresh = _with_releases(matches.batches, releases)
    await asyncio.to_thread(_keep, cache, fresh)
    if not releases.newest:
        # Of a release, that is; what the service gave without naming one is as good as ever.
        kept = {md5: one._replace(is_stale=one.release is not None) for md5, one in kept.items()}
    own = {**_lost(matches.failures), **fresh, **kept}
    rescued = await _through_uniparc(matches.failures, client)
    bad = InterProAnswer(AnswerState.ERROR, reason=_NO_SUM)
    answers = {md5: rescued.get(md5) or own.get(md5, bad) for md5 in md5s}
    go = await terms_of_entries(
        _entries(answers.values()), releases.newest, client, cache, installed=installed_go
    )
    use = ServiceUse(
        OnlineService.INTERPRO,
        releases=_releases(releases, answers.values()),
        problem=problem_of(answers, rescued, releases.failure, list(matches.failures.values())),
        proteins=len(md5s),
        answered=sum(answer.state.is_answer for answer in answers.values()),
        requests=client.requests(Host.INTERPRO) + client.requests(Host.INTERPRO_GO),
        retries=client.retries(Host.INTERPRO) + client.retries(Host.INTERPRO_GO),
        from_cache=len(kept),
        seconds=asyncio.get_running_loop().time() - began_s,
    )
    return InterProFindings(answers, use, go.terms, go.note)


def _from_cache(cache: OnlineCache, md5s: Sequence[str], release: str) -> dict[str, InterProAnswer]:
    """Answers of the release, or the newest where the release is unknown."""
    found = {}
    for md5, kept in cache.find(SERVICE, KIND, md5s, release or None).items():
        matches = interpro_records.read(kept.payload)
        if matches is not None:
            found[md5] = InterProAnswer(kept.state, matches, kept.release or None)
    return found


def _with_releases(batches: Sequence[Batch], releases: Releases) -> dict[str, InterProAnswer]:
    """All answers that came, each with its release."""
    found: dict[str, InterProAnswer] = {}
    for batch in batches:
        release = releases.release_of(batch.versions)
        for md5, answer in batch.answers.items():
            found[md5] = answer._replace(release=release)
    return found


def _keep(cache: OnlineCache, fresh: dict[str, InterProAnswer]) -> None:
    """Keep what is known to be of a release, or of the one that the service does not name.

    In ``fresh`` a release that is not named becomes None.
    """
    rows: dict[str, dict[str, tuple[AnswerState, str]]] = {}
    for md5, answer in fresh.items():
        if answer.release is not None and answer.state.is_answer:
            payload = interpro_records.written(answer.matches)
            rows.setdefault(answer.release, {})[md5] = answer.state, payload
        if answer.release == UNKNOWN:
            fresh[md5] = answer._replace(release=None)
    for release, of_release in rows.items():
        cache.keep(SERVICE, KIND, release, of_release)


def _lost(lost: Mapping[str, RequestFailed]) -> dict[str, InterProAnswer]:
    return {
        md5: InterProAnswer(
            AnswerState.ERROR if why.was_sent else AnswerState.NOT_ASKED, reason=why.reason
        )
        for md5, why in lost.items()
    }


async def _through_uniparc(
    lost: Mapping[str, RequestFailed], client: RunClient
) -> dict[str, InterProAnswer]:
    """What UniParc says of proteins that InterPro gave no answer for; none of it is kept."""
    if not lost:
        return {}
    found = await uniparc_domains(tuple(lost), client)
    return {md5: answer for md5, answer in found.items() if answer.state.is_answer}


def _entries(answers: Iterable[InterProAnswer]) -> frozenset[str]:
    """Entries of InterPro among what it matched itself."""
    return frozenset(
        match.entry.accession
        for answer in answers
        if not answer.through_uniparc
        for match in answer.matches
        if match.entry is not None
    )


def _releases(releases: Releases, answers: Iterable[InterProAnswer]) -> tuple[str, ...]:
    """Releases that were named, and those of what was kept earlier."""
    named = [info.release for info in releases.named]
    of_answers = {
        answer.release for answer in answers if answer.release and not answer.through_uniparc
    }
    return tuple(dict.fromkeys((*sorted(of_answers.difference(named)), *named)))
