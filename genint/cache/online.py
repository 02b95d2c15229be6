"""What online services said, kept from run to run.

An answer stands under service, kind, key and release. A kind says what the key is and,
where the format of its payload may change, which version of it: a new version is another
kind. Only what a service really said is kept: that something was not asked, or failed, is
no answer. Every row carries a seal over all that it stands under, so that damage is a miss
and never a wrong answer.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from genint.cache.entries import (
    AnswerTable,
    CachedAnswer,
    Checksum,
    checked_rows,
    coded,
    decoded,
    is_day,
)
from genint.cache.profiles import DAY_S
from genint.cache.sqlite_file import LONGEST_BYTES, CacheFile, Store, shrink, writing
from genint.model.online import AnswerState


class OnlineKind(StrEnum):
    """What a key is; a version of the payload's format goes behind it: ``f"{MD5}-2"``."""

    MD5 = "md5"
    """The key begins with the MD5 of a protein, and may say more behind it."""
    CRC64 = "crc64"
    ACCESSION = "acc"
    PROTEIN_ID = "protein_id"
    TAXON_PAGE = "taxon_page"


class Kept(NamedTuple):
    """An answer that was kept.

    Attributes:
        state: What the service said; always an answer.
        payload: As it was kept, JSON text or empty.
        release: Of the service, that it was kept under; empty where that was unknown.
        fetched_at: Seconds since 1970.
    """

    state: AnswerState
    payload: str
    release: str
    fetched_at: float


class Release(NamedTuple):
    """A release that a service said it has.

    Attributes:
        release: Such as 2026_03.
        release_date: As the service writes it; empty where it did not say.
        seen_at: When it said so last; seconds since 1970.
    """

    release: str
    release_date: str
    seen_at: float


class Blob(NamedTuple):
    """A whole file that was kept.

    Attributes:
        release: Of the service that publishes it.
        payload: Its text.
        sha256: Of the text in UTF-8, hexadecimal.
        fetched_at: Seconds since 1970.
    """

    release: str
    payload: str
    sha256: str
    fetched_at: float


UNUSED_DAYS: Final = 90
"""After how many days without use an answer goes, with its release and its kind."""
_MD5_CHARACTERS: Final = 32
_MARK_TEXT = "genint: what online services said"
TABLE: Final = AnswerTable("answers", key="key")
ONLINE: Final = CacheFile(
    name="online",
    format=1,
    mark=0x67_6E_6F_31,
    mark_text=_MARK_TEXT,
    schema=f"""{TABLE.schema(_MARK_TEXT)}
CREATE TABLE releases (
    id INTEGER PRIMARY KEY, service BLOB NOT NULL, release BLOB NOT NULL,
    day INTEGER NOT NULL, seen BLOB NOT NULL, UNIQUE (service, release));
CREATE TABLE blobs (
    id INTEGER PRIMARY KEY, name BLOB NOT NULL, release BLOB NOT NULL,
    day INTEGER NOT NULL, content BLOB NOT NULL, UNIQUE (name, release));
""",
)
_SWEEP: Final = (
    "DELETE FROM answers WHERE day < :day",
    "DELETE FROM sources WHERE day < :day",
    "DELETE FROM blobs WHERE day < :day",
    # The last one stays: without a network it is all that is known of a service.
    "DELETE FROM releases WHERE day < :day AND EXISTS (SELECT 1 FROM releases AS later"
    " WHERE later.service = releases.service AND later.day > releases.day)",
)


class Source(NamedTuple):
    """What a set of answers stands under."""

    service: str
    kind: str
    release: str

    def name(self) -> bytes:
        """As the file has it."""
        return name_of(*self)

    @classmethod
    def named(cls, name: object) -> Source | None:
        """From the name in the file; None where that is damaged."""
        try:
            service, kind, release = json.loads(name if isinstance(name, bytes) else b"")
        except (ValueError, TypeError):
            return None
        source = cls(service, kind, release)
        return source if all(isinstance(part, str) for part in source) else None


class ServiceCount(NamedTuple):
    """How much one service said: answers, and proteins (by checksum) that they are for."""

    service: str
    proteins: int
    answers: int
    releases: tuple[str, ...]


class Count(NamedTuple):
    """How much a file holds; the day of its least recent use since 1970, None if empty."""

    services: tuple[ServiceCount, ...]
    oldest_day: int | None


def name_of(*parts: str) -> bytes:
    """One name of several parts, told apart to the last character."""
    return json.dumps(parts).encode()


def sources(connection: sqlite3.Connection, service: str, kind: str) -> list[Source]:
    """Of all releases of a service that there are answers of this kind from, oldest first."""
    rows = connection.execute("SELECT name FROM sources ORDER BY id").fetchall()
    found = [Source.named(name) for (name,) in rows]
    return [each for each in found if each is not None and each[:2] == (service, kind)]


def sweep(connection: sqlite3.Connection, today: int) -> None:
    """Delete what was not used for long; in the transaction of somebody who writes anyway.

    Cost: 0.1 ms where there is nothing to delete.
    """
    for statement in _SWEEP:
        connection.execute(statement, {"day": today - UNUSED_DAYS})


def count_online(connection: sqlite3.Connection) -> Count:
    """Count what a file holds; 0.5 s for 500 MB."""
    found = connection.execute("SELECT id, name FROM sources ORDER BY id")
    named = {number: Source.named(name) for number, name in found}
    keys: dict[Source, set[bytes]] = {source: set() for source in named.values() if source}
    for number, key in connection.execute("SELECT source, key FROM answers"):
        source = named.get(number)
        if source is not None and isinstance(key, bytes):
            keys[source].add(key)
    services = sorted({source.service for source, held in keys.items() if held})
    (oldest,) = connection.execute("SELECT min(day) FROM answers").fetchone()
    return Count(
        tuple(_count_service(service, keys) for service in services),
        oldest if is_day(oldest) else None,
    )


def _count_service(service: str, keys: Mapping[Source, set[bytes]]) -> ServiceCount:
    held = {source: here for source, here in keys.items() if source.service == service and here}
    by_checksum = [here for source, here in held.items() if source.kind.startswith(OnlineKind.MD5)]
    return ServiceCount(
        service,
        proteins=len({key[:_MD5_CHARACTERS] for here in by_checksum for key in here}),
        answers=sum(map(len, held.values())),
        releases=tuple(dict.fromkeys(source.release for source in held)),
    )


_KEPT_BLOBS: Final = 3
"""Of each name: an older one than that is of no use to anybody."""


def newest_release(connection: sqlite3.Connection, service: str) -> Release | None:
    """The one that was seen last."""
    return max(_releases(connection, service), key=lambda each: each.seen_at, default=None)


def note_release(
    connection: sqlite3.Connection, service: str, release: str, release_date: str, now: float
) -> None:
    """Write that a release was seen now."""
    with writing(connection):
        dates = {each.release: each.release_date for each in _releases(connection, service)}
        seen = json.dumps([release_date or dates.get(release, ""), now])
        key = coded(release)
        sealed = _release_seal(service).closed(key, seen)
        connection.execute(
            "INSERT OR REPLACE INTO releases (service, release, day, seen) VALUES (?, ?, ?, ?)",
            (coded(service), key, int(now // DAY_S), sealed),
        )
        sweep(connection, int(now // DAY_S))


def _releases(connection: sqlite3.Connection, service: str) -> list[Release]:
    """All sound ones of a service, what was written last in front."""
    seal = _release_seal(service)
    found = []
    for key, sealed in connection.execute(
        "SELECT release, seen FROM releases WHERE service = ? ORDER BY id DESC", (coded(service),)
    ):
        seen = seal.opened(key, sealed)
        if seen is not None:
            release_date, seen_at = json.loads(seen)
            found.append(Release(decoded(key), release_date, seen_at))
    return found


def find_blob(
    connection: sqlite3.Connection, name: str, release: str | None, today: int
) -> Blob | None:
    """A sound file, of a release or the newest; remembers that it was used."""
    seal = _blob_seal(name)
    found: list[tuple[Blob, int, object]] = []
    for row, key, day, sealed in connection.execute(
        "SELECT id, release, day, content FROM blobs WHERE name = ? ORDER BY id DESC",
        (coded(name),),
    ):
        is_wanted = release is None or key == coded(release)
        text = seal.opened(key, sealed) if is_wanted else None
        if text is not None:
            fetched_at, payload = text.split("\n", 1)
            sha256 = hashlib.sha256(coded(payload)).hexdigest()
            found.append((Blob(decoded(key), payload, sha256, float(fetched_at)), row, day))
    if not found:
        return None
    blob, row, day = max(found, key=lambda each: each[0].fetched_at)
    if day != today:
        # Others may be writing, the disk may be full or not for us: another time, then.
        with contextlib.suppress(sqlite3.Error):
            connection.execute("PRAGMA busy_timeout = 100")
            connection.execute("UPDATE blobs SET day = ? WHERE id = ?", (today, row))
    return blob


def checked_blob(name: str, release: str, payload: str, now: float) -> bytes | None:
    """What is written of a file; None where it is too long to be kept."""
    sealed = _blob_seal(name).closed(coded(release), f"{now!r}\n{payload}")
    return sealed if len(sealed) <= LONGEST_BYTES else None


def keep_blob(
    connection: sqlite3.Connection, name: str, release: str, sealed: bytes, today: int
) -> None:
    """Write a file in place of the one of that release; only the last few of a name stay."""
    code = coded(name)
    with writing(connection):
        connection.execute(
            "INSERT OR REPLACE INTO blobs (name, release, day, content) VALUES (?, ?, ?, ?)",
            (code, coded(release), today, sealed),
        )
        connection.execute(
            "DELETE FROM blobs WHERE name = ?1 AND id NOT IN"
            " (SELECT id FROM blobs WHERE name = ?1 ORDER BY id DESC LIMIT ?2)",
            (code, _KEPT_BLOBS),
        )
        sweep(connection, today)


def _release_seal(service: str) -> Checksum:
    return Checksum(name_of("release", service))


def _blob_seal(name: str) -> Checksum:
    return Checksum(name_of("blob", name))


__all__ = ["Blob", "Kept", "OnlineCache", "OnlineKind", "Release"]

DEFAULT_LIMIT_BYTES: Final = 500_000_000
HIT_DAYS: Final = 90
"""How long a hit is believed, whatever the release."""
NEGATIVE_DAYS: Final = 30
"""How long it is believed that a service has nothing; it may have something any day."""
_STATES: Final = frozenset(state.value for state in AnswerState if state.is_answer)


class OnlineCache:
    """Answers of online services, in one file of the cache folder.

    Many processes and threads may use it at once; one object may be shared by threads,
    pickled, and used after a fork. All of it waits for the disk, and for others some
    seconds at most, once a minute: call it in a thread. A folder that is closed, read-only,
    full, damaged or locked raises nothing: such a cache knows nothing or keeps nothing.

    Args:
        cache_folder: Made when something is kept; None for no cache.
        limit_bytes: What the file may grow to; when it is larger, what was not used for
            longest goes until 80 % are left. 0 for no cache.
        clock: Seconds since 1970.

    Cost: see the methods; nothing is opened before the first of them.
    """

    def __init__(
        self,
        cache_folder: Path | None,
        *,
        limit_bytes: int = DEFAULT_LIMIT_BYTES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = Store(ONLINE, cache_folder if limit_bytes > 0 else None)
        self._limit_bytes = limit_bytes
        self._clock = clock

    def releases(self, service: str) -> Release | None:
        """The release that a service had when it was asked last; None where it never was."""
        return self._store.tried(
            lambda connection: newest_release(connection, service), create=False
        )

    def note_release(self, service: str, release: str, release_date: str = "") -> None:
        """Remember that a service has a release now.

        Args:
            service: Which one.
            release: Nothing is noted where it is empty.
            release_date: Where it is empty, the one that was noted earlier stays.
        """
        now = self._clock()
        if release:
            self._store.tried(
                lambda connection: note_release(connection, service, release, release_date, now),
                create=True,
            )

    def find(
        self, service: str, kind: str, keys: Iterable[str], release: str | None
    ) -> Mapping[str, Kept]:
        """The answers that are there and not too old: 90 days for hits, 30 for others.

        Args:
            service: Which one.
            kind: What the keys are, see :class:`OnlineKind`; free text.
            keys: Compared to the letter.
            release: Answers of this release only; None for the newest of each key, whatever
                its release.

        Returns:
            Key -> answer, in no order. A key without one is left out: it was not asked
            about, or nothing usable came.

        Cost: 1 ms, and 0.3 s for 4,300 proteins with 6 kB each.
        """
        asked = [coded(key) for key in dict.fromkeys(keys)]
        if not asked:
            return {}
        now = self._clock()

        def read(connection: sqlite3.Connection) -> dict[str, Kept]:
            newest: dict[str, tuple[Kept, CachedAnswer]] = {}
            for source in _sources(connection, service, kind, release):
                for answer in TABLE.read(connection, source.name(), asked):
                    kept, key = _opened(answer, source.release), decoded(answer.key)
                    if kept is None or kept.fetched_at > now + DAY_S:
                        continue  # from the future: a clock was wrong then
                    if key not in newest or _newer(kept, newest[key][0]):
                        newest[key] = kept, answer
            # Judged now: where the newest is too old, an older one is not in its place.
            found = {key: each for key, each in newest.items() if _is_believed(each[0], now)}
            TABLE.mark_used(connection, (answer for _, answer in found.values()), _day(now))
            return {key: kept for key, (kept, _) in found.items()}

        return self._store.tried(read, create=False) or {}

    def keep(
        self, service: str, kind: str, release: str, rows: Mapping[str, tuple[AnswerState, str]]
    ) -> None:
        """Keep answers, in place of those that were there.

        Args:
            service: Which one.
            kind: What the keys are.
            release: Of the service; empty where it is unknown.
            rows: Key -> what the service said, and a payload: JSON text or empty. The file
                holds nothing of a protein but what stands here.

        Raises:
            ValueError: a state is no answer (``not_asked``, ``error``); nothing is kept.

        Cost: 2 ms, and 0.6 s for 4,300 proteins with 6 kB each, which take 2.1 kB of disk each.
        When the bound is reached, 3 s once in some ten bacteria.
        """
        for state, _ in rows.values():
            if not state.is_answer:
                raise ValueError(f"{state} is no answer and cannot be kept")
        now = self._clock()
        source = Source(service, kind, release).name()
        texts = {coded(key): _text(state, now, payload) for key, (state, payload) in rows.items()}
        sealed = checked_rows(source, texts)
        if not sealed:
            return

        def write(connection: sqlite3.Connection) -> None:
            with writing(connection):
                TABLE.write(connection, source, sealed, _day(now))
                sweep(connection, _day(now))
            shrink(connection, self._limit_bytes, TABLE.dropping())

        self._store.tried(write, create=True)

    def blob(self, name: str, release: str | None) -> Blob | None:
        """A file that was kept: of a release, or for None the one that was kept last.

        Cost: 10 ms for 3 MB.
        """
        today = _day(self._clock())
        return self._store.tried(
            lambda connection: find_blob(connection, name, release, today),
            create=False,
        )

    def keep_blob(self, name: str, release: str, payload: str) -> None:
        """Keep a whole file, of up to 16 MB packed; the three kept last of each name stay."""
        now = self._clock()
        sealed = checked_blob(name, release, payload, now)
        if sealed is None:
            return

        def write(connection: sqlite3.Connection) -> None:
            keep_blob(connection, name, release, sealed, _day(now))
            shrink(connection, self._limit_bytes, TABLE.dropping())

        self._store.tried(write, create=True)


def _day(time_s: float) -> int:
    return int(time_s // DAY_S)


def _sources(
    connection: sqlite3.Connection, service: str, kind: str, release: str | None
) -> list[Source]:
    if release is not None:
        return [Source(service, kind, release)]
    return sources(connection, service, kind)


def _text(state: AnswerState, fetched_at: float, payload: str) -> str:
    return f"{state}\n{fetched_at!r}\n{payload}"


def _opened(answer: CachedAnswer, release: str) -> Kept | None:
    """None where a later version kept a state that this one does not know."""
    state, fetched_at, payload = answer.text.split("\n", 2)
    if state not in _STATES:
        return None
    return Kept(AnswerState(state), payload, release, float(fetched_at))


def _is_believed(kept: Kept, now: float) -> bool:
    most_days = HIT_DAYS if kept.state is AnswerState.HIT else NEGATIVE_DAYS
    return now - kept.fetched_at <= most_days * DAY_S


def _newer(one: Kept, other: Kept) -> bool:
    """Whether an answer was fetched after the other; of the same moment, the one seen later."""
    return one.fetched_at >= other.fetched_at
