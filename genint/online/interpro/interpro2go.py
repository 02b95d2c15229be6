"""GO terms of InterPro entries (interpro2go): installed, kept, or fetched once for a release.

The answers of InterPro have no GO terms. Format: external2go of the Gene Ontology.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from genint.cache.online import Blob, OnlineCache
from genint.knowledge.families import read_pfam_go_terms
from genint.model.evidence import GoTerm
from genint.online.ports import Call, Caller, CallLost, Host, MalformedAnswer

BLOB: Final = "interpro2go-1"
"""Under what the cache keeps the lines that matter."""
_PATH: Final = "/interpro2go"
_MOST_BYTES: Final = 40_000_000
"""The file has 3 MB."""
_LINE: Final = re.compile(r"InterPro:(IPR\d{6,8})\b(?:.*>)?\s*(?:GO:(.*?))?\s*;\s*(GO:\d{7})\s*")


class EntryTerms(NamedTuple):
    """What is known of entries.

    Attributes:
        terms: By entry; entries without terms are left out.
        note: What is to be said of them (older than the matches, not to be had); may be empty.
    """

    terms: Mapping[str, tuple[GoTerm, ...]]
    note: str = ""


async def terms_of_entries(
    entries: Collection[str],
    release: str,
    caller: Caller,
    cache: OnlineCache,
    *,
    installed: Mapping[str, tuple[GoTerm, ...]] | None,
) -> EntryTerms:
    """GO terms of some entries.

    Args:
        entries: Accessions.
        release: Of the matches; empty where it is unknown.
        caller: Sends the call.
        cache: Keeps the file for as long as the release lasts.
        installed: Terms that need not be fetched.

    Cost: at most one request, and none where no entry was matched, terms are installed, or
    those of the release are kept. Where it fails it is tried again in the next run.
    """
    if not entries:
        return EntryTerms({})
    if installed is not None:
        known = {entry: terms for entry in entries if (terms := installed.get(entry))}
        return EntryTerms(known)
    blob = await asyncio.to_thread(cache.blob, BLOB, release or None)
    if blob is not None:
        return await asyncio.to_thread(_told, blob, entries, release)
    try:
        reply = await caller.call(Call(Host.INTERPRO_GO, _PATH, wants="text"))
        lines = await asyncio.to_thread(read_lines, reply.body)
    except (CallLost, MalformedAnswer) as problem:
        return await asyncio.to_thread(_older, cache, entries, release, problem)
    await asyncio.to_thread(cache.keep_blob, BLOB, release, lines)
    return EntryTerms(await asyncio.to_thread(terms_among, lines, entries))


def _older(
    cache: OnlineCache, entries: Collection[str], release: str, problem: Exception
) -> EntryTerms:
    blob = cache.blob(BLOB, None)
    if blob is not None:
        return _told(blob, entries, release)
    reason = problem.reason if isinstance(problem, CallLost) else str(problem)
    return EntryTerms({}, f"GO terms of InterPro entries: could not be had ({reason})")


def _told(blob: Blob, entries: Collection[str], release: str) -> EntryTerms:
    terms = terms_among(blob.payload, entries)
    if blob.release == release:
        return EntryTerms(terms)
    wanted = f"InterPro {release}" if release else "today's InterPro"
    had = blob.release or "a release that is not known"
    return EntryTerms(terms, f"GO terms of {wanted}: those of {had} stand in for them")


def read_lines(body: bytes) -> str:
    """The lines of the file that map an entry, as rows of accession, term and its name.

    Raises:
        MalformedAnswer: it is not that file.

    Cost: 0.1 s for the 40,000 lines of a release.
    """
    if len(body) > _MOST_BYTES:
        raise MalformedAnswer("a file larger than it can be")
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
        raise MalformedAnswer("a file that maps no entries to terms")
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
