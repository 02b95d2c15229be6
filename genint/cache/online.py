"""What online services answered, kept from run to run.

An answer is kept by service, kind, key and release. A kind says what the key is and,
where the format of its payload may change, which version of it: a new version is another
kind. Only what a service really answered is kept: that it was not queried, or failed, is
no answer. Every row carries a checksum over all of these, so that damage is a
miss and never a wrong answer.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from genint.cache.entries import AnswerTable, CachedAnswer, coded, decoded, packed_rows
from genint.cache.profiles import DAY_S
from genint.cache.sqlite_file import DEFAULT_WAIT_S, CacheFile, Store, writing
from genint.model.online import AnswerState

DEFAULT_LIMIT_BYTES: Final = 500_000_000
HIT_DAYS: Final = 90
"""How long a hit is believed, whatever the release."""
NEGATIVE_DAYS: Final = 30
"""How long it is believed that a service has nothing; it may have something any day."""
UNUSED_DAYS: Final = 90
"""After how many days without use an answer goes, with its source."""
MD5_KIND: Final = "md5"
"""What kinds begin with whose keys begin with the MD5 of a protein; ``md5-2`` is a version."""
_MD5_CHARACTERS: Final = 32
_STATES: Final = frozenset(state.value for state in AnswerState if state.is_answer)
_MARK_TEXT = "genint: what online services said"
TABLE: Final = AnswerTable("answers", key="key")
# Earlier versions use the tables of releases and blobs, and may share the file with us.
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


class StoredAnswer(NamedTuple):
    """An answer of a service, as stored in the cache.

    Attributes:
        state: What the service answered.
        payload: As it was stored, JSON text or empty.
        release: Of the service, under which it was stored; empty where that was unknown.
        fetched_at: Seconds since 1970.
    """

    state: AnswerState
    payload: str
    release: str
    fetched_at: float


class ServiceKept(NamedTuple):
    """How much of one online service is kept.

    Attributes:
        service: Its name in the cache.
        proteins: For how many proteins (by checksum) there are answers.
        answers: How many answers there are, also to what is no protein; several for a
            protein where they are of several releases.
        releases: Of the service, that there are answers from; the one first that came first.
    """

    service: str
    proteins: int
    answers: int
    releases: tuple[str, ...]


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
        wait_s: How long each statement waits for those of other connections before the cache
            is left alone for a minute.

    Cost: see the methods; nothing is opened before the first of them.
    """

    def __init__(
        self,
        cache_folder: Path | None,
        *,
        limit_bytes: int = DEFAULT_LIMIT_BYTES,
        clock: Callable[[], float] = time.time,
        wait_s: float = DEFAULT_WAIT_S,
    ) -> None:
        folder = cache_folder if limit_bytes > 0 else None
        self._store = Store(ONLINE, folder, wait_s=wait_s)
        self._limit_bytes = limit_bytes
        self._clock = clock

    def find(
        self, service: str, kind: str, keys: Iterable[str], release: str | None
    ) -> Mapping[str, StoredAnswer]:
        """The answers that are there and not too old: 90 days for hits, 30 for others.

        Args:
            service: Which one.
            kind: What the keys are; free text, see :data:`MD5_KIND`.
            keys: Compared to the letter.
            release: Answers of this release only; None for the newest of each key, whatever
                its release.

        Returns:
            Key -> answer, in no order. A key without one is left out: it was never queried,
            or nothing usable came.

        Cost: 1 ms, and 0.3 s for 4,300 proteins with 6 kB each.
        """
        wanted = [coded(key) for key in dict.fromkeys(keys)]
        if not wanted:
            return {}
        now = self._clock()

        def read(connection: sqlite3.Connection) -> dict[str, StoredAnswer]:
            newest: dict[str, tuple[StoredAnswer, CachedAnswer]] = {}
            for source in _sources(connection, service, kind, release):
                for answer in TABLE.read(connection, source.name(), wanted):
                    kept, key = _unpacked(answer, source.release), decoded(answer.key)
                    if kept is None or kept.fetched_at > now + DAY_S:
                        continue  # from the future: a clock was wrong then
                    # Of the same moment the one that is seen later: its source came later.
                    if key not in newest or kept.fetched_at >= newest[key][0].fetched_at:
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
            rows: Key -> what the service answered, and a payload: JSON text or empty, of up to
                16 MB packed. The file holds nothing else about a protein.

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
        texts = {
            coded(key): f"{state}\n{now!r}\n{payload}" for key, (state, payload) in rows.items()
        }
        packed = packed_rows(source, texts)
        if not packed:
            return

        def write(connection: sqlite3.Connection) -> None:
            with writing(connection):
                TABLE.write(connection, source, packed, _day(now))
                _sweep(connection, _day(now))
            TABLE.shrink(connection, self._limit_bytes)

        self._store.tried(write, create=True)


def count_online(connection: sqlite3.Connection) -> tuple[tuple[ServiceKept, ...], int | None]:
    """Services, by name, and the day of the least recent use; 0.5 s for 500 MB."""
    found = connection.execute("SELECT id, name FROM sources ORDER BY id")
    named = {number: Source.named(name) for number, name in found}
    keys: dict[Source, set[bytes]] = {source: set() for source in named.values() if source}
    for number, key in connection.execute("SELECT source, key FROM answers"):
        source = named.get(number)
        if source is not None and isinstance(key, bytes):
            keys[source].add(key)
    services = sorted({source.service for source, held in keys.items() if held})
    return tuple(_count_service(service, keys) for service in services), TABLE.oldest(connection)


def _count_service(service: str, keys: Mapping[Source, set[bytes]]) -> ServiceKept:
    held = {source: here for source, here in keys.items() if source.service == service and here}
    by_checksum = [here for source, here in held.items() if source.kind.startswith(MD5_KIND)]
    return ServiceKept(
        service,
        proteins=len({key[:_MD5_CHARACTERS] for here in by_checksum for key in here}),
        answers=sum(map(len, held.values())),
        releases=tuple(dict.fromkeys(source.release for source in held)),
    )


class Source(NamedTuple):
    """What a set of answers has in common."""

    service: str
    kind: str
    release: str

    def name(self) -> bytes:
        """As the file has it: all parts, distinct to the last character."""
        return json.dumps(self).encode()

    @classmethod
    def named(cls, name: object) -> Source | None:
        """From the name in the file; None where that is damaged."""
        try:
            service, kind, release = json.loads(name if isinstance(name, bytes) else b"")
        except (ValueError, TypeError):
            return None
        source = cls(service, kind, release)
        return source if all(isinstance(part, str) for part in source) else None


def _sources(
    connection: sqlite3.Connection, service: str, kind: str, release: str | None
) -> list[Source]:
    """Of one release, or of all that there are answers of this kind from, oldest first."""
    if release is not None:
        return [Source(service, kind, release)]
    rows = connection.execute("SELECT name FROM sources ORDER BY id").fetchall()
    found = [Source.named(name) for (name,) in rows]
    return [each for each in found if each is not None and each[:2] == (service, kind)]


def _sweep(connection: sqlite3.Connection, today: int) -> None:
    """Delete what was not used for long; in the transaction of a write.

    Cost: 0.1 ms where there is nothing to delete.
    """
    for table in ("answers", "sources", "blobs", "releases"):
        connection.execute(f"DELETE FROM {table} WHERE day < ?", (today - UNUSED_DAYS,))  # noqa: S608 - our names


def _unpacked(answer: CachedAnswer, release: str) -> StoredAnswer | None:
    """None where a later version kept a state that this one does not know."""
    state, fetched_at, payload = answer.text.split("\n", 2)
    if state not in _STATES:
        return None
    return StoredAnswer(AnswerState(state), payload, release, float(fetched_at))


def _is_believed(kept: StoredAnswer, now: float) -> bool:
    max_days = HIT_DAYS if kept.state is AnswerState.HIT else NEGATIVE_DAYS
    return now - kept.fetched_at <= max_days * DAY_S


def _day(time_s: float) -> int:
    return int(time_s // DAY_S)
