"""Sealed answers in a file of the cache: each stands under a source and a key.

A source is a text that names all that its answers depend on. Every answer carries a seal
over source, key and text, so that damage is a miss and never a wrong answer.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from genint.cache.sqlite_file import LONGEST_BYTES, EvictionPolicy, writing

_SEAL_BYTES = 8
_PLAIN, _PACKED = b"\0", b"\1"
_PACKED_FROM_BYTES = 256
_PACKING = 1
"""Level of zlib: a third larger than the best, in a third of the time."""


class Checksum:
    """Packs the texts that stand under one name, each under a key of its own.

    A text that is found under another key or another name has a broken seal. Guards
    against damage, not against somebody who writes into the file on purpose.
    """

    __slots__ = ("_begun",)

    def __init__(self, name: bytes) -> None:
        self._begun = hashlib.blake2b(key=hashlib.sha256(name).digest(), digest_size=_SEAL_BYTES)

    def closed(self, key: bytes, text: str) -> bytes:
        """Seal, a byte that says whether the text is compressed, text."""
        content = coded(text)
        if len(content) < _PACKED_FROM_BYTES:
            content = _PLAIN + content
        else:
            content = _PACKED + zlib.compress(content, _PACKING)
        return self._of(key, content) + content

    def opened(self, key: object, sealed: object) -> str | None:
        """The text; None where the seal is broken."""
        if not isinstance(key, bytes) or not isinstance(sealed, bytes):
            return None
        content = sealed[_SEAL_BYTES:]
        if self._of(key, content) != sealed[:_SEAL_BYTES]:
            return None
        text = content[1:] if content[:1] == _PLAIN else zlib.decompress(content[1:])
        return decoded(text)

    def _of(self, key: bytes, content: bytes) -> bytes:
        seal = self._begun.copy()
        seal.update(key + content)
        return seal.digest()


def coded(text: str) -> bytes:
    """Bytes of any text, even of one with lone surrogates."""
    return text.encode("utf-8", "surrogatepass")


def decoded(content: bytes) -> str:
    """The text that was coded so."""
    return content.decode("utf-8", "surrogatepass")


_ASKED_AT_ONCE: Final = 500
_KEEP_SOURCE: Final = (
    "INSERT INTO sources (name, day) VALUES (?, ?)"
    " ON CONFLICT (name) DO UPDATE SET day = excluded.day RETURNING id"
)
_MOST_DAYS: Final = 1_000_000


class CachedAnswer(NamedTuple):
    """An answer as it was kept.

    Attributes:
        row: Its number in the file.
        source: What it stands under.
        key: What it answers to.
        day: When it was used last, since 1970; a damaged figure is possible.
        text: What was kept.
    """

    row: int
    source: bytes
    key: bytes
    day: object
    text: str


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """The two tables of a file that hold answers and their sources.

    Attributes:
        name: Of the table of answers; the other one is called ``sources``.
        key: Its column that says what is answered to.
    """

    name: str
    key: str

    def schema(self, mark_text: str) -> str:
        """Statements that make the tables, the mark in the first of them."""
        return f"""
CREATE TABLE sources ( -- {mark_text}
    id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, day INTEGER NOT NULL);
CREATE TABLE {self.name} (
    id INTEGER PRIMARY KEY, {self.key} BLOB NOT NULL, source INTEGER NOT NULL,
    day INTEGER NOT NULL, answer BLOB NOT NULL);
CREATE UNIQUE INDEX {self.name}_of ON {self.name} ({self.key}, source);
CREATE INDEX {self.name}_used ON {self.name} (day);
"""

    def dropping(self) -> EvictionPolicy:
        """Answers go that were not used for longest."""
        oldest = f"SELECT id FROM {self.name} ORDER BY day, id LIMIT ?"  # noqa: S608 - our names
        return EvictionPolicy(
            total=f"SELECT count(*) FROM {self.name}",  # noqa: S608 - our names
            drop=f"DELETE FROM {self.name} WHERE id IN ({oldest})",  # noqa: S608 - our names
            # A source is used whenever one of its answers is.
            tidy=f"DELETE FROM sources WHERE day < (SELECT min(day) FROM {self.name})",  # noqa: S608 - our names
        )

    def read(
        self, connection: sqlite3.Connection, source: bytes, keys: Sequence[bytes]
    ) -> Iterator[CachedAnswer]:
        """Sound answers to those of the keys that are there, in no order."""
        at = connection.execute("SELECT id FROM sources WHERE name = ?", (source,)).fetchone()
        if at is None:
            return
        seal = Checksum(source)
        asked = frozenset(keys)
        marks = ",".join("?" * _ASKED_AT_ONCE)
        ask = (
            f"SELECT id, {self.key}, day, answer FROM {self.name}"  # noqa: S608 - our names
            f" WHERE source = ? AND {self.key} IN ({marks})"
        )
        for batch in _batches(keys):
            for row, key, day, sealed in connection.execute(ask, (*at, *batch)):
                text = seal.opened(key, sealed)
                if text is not None and key in asked:
                    yield CachedAnswer(row, source, key, day, text)

    def write(
        self,
        connection: sqlite3.Connection,
        source: bytes,
        rows: Sequence[tuple[bytes, bytes]],
        today: int,
    ) -> None:
        """Keep sealed answers in place of those that were there; in the caller's transaction."""
        ((at,),) = connection.execute(_KEEP_SOURCE, (source, today)).fetchall()
        connection.executemany(
            f"INSERT INTO {self.name} ({self.key}, source, day, answer) VALUES (?, ?, ?, ?)"  # noqa: S608 - our names
            f" ON CONFLICT ({self.key}, source)"
            " DO UPDATE SET day = excluded.day, answer = excluded.answer",
            ((key, at, today, sealed) for key, sealed in rows),
        )

    def mark_used(
        self, connection: sqlite3.Connection, answers: Iterable[CachedAnswer], today: int
    ) -> None:
        """Write the day of use, once a day and answer.

        Does not wait for others, and raises nothing where it cannot write: another time, then.
        """
        not_of_today = [answer for answer in answers if answer.day != today]
        if not not_of_today:
            return
        with contextlib.suppress(sqlite3.Error):
            connection.execute("PRAGMA busy_timeout = 100")
            with writing(connection):
                for source in {answer.source for answer in not_of_today}:
                    connection.execute(_KEEP_SOURCE, (source, today)).fetchall()
                connection.executemany(
                    f"UPDATE {self.name} SET day = ? WHERE id = ?",  # noqa: S608 - our names
                    ((today, answer.row) for answer in not_of_today),
                )


def checked_rows(source: bytes, answers: Mapping[bytes, str]) -> list[tuple[bytes, bytes]]:
    """Keys and sealed answers, without those that are too long to be kept."""
    seal = Checksum(source)
    rows = [(key, seal.closed(key, text)) for key, text in answers.items()]
    return [row for row in rows if len(row[1]) <= LONGEST_BYTES]


def is_day(value: object) -> bool:
    """Whether a figure of the file can be a day since 1970."""
    return isinstance(value, int) and 0 <= value < _MOST_DAYS


def _batches(keys: Sequence[bytes]) -> Iterator[tuple[bytes | None, ...]]:
    """Always so many that one prepared statement does."""
    for at in range(0, len(keys), _ASKED_AT_ONCE):
        batch = keys[at : at + _ASKED_AT_ONCE]
        yield (*batch, *(None for _ in range(_ASKED_AT_ONCE - len(batch))))
