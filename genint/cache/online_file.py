"""What the file of online answers looks like, and under which names things stand in it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Final, NamedTuple

from genint.cache.answers import AnswerTable, is_day
from genint.cache.file import CacheFile
from genint.cache.online_values import OnlineKind

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
