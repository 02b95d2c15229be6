"""Answers in a file of the cache: each has a source and a key.

A source is a text that names all that its answers depend on. Every answer carries a
checksum over source, key and text, so that damage is a miss and never a wrong answer.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from genint.cache.sqlite_file import LONGEST_BYTES, figure, writing

_CHECKSUM_BYTES = 8
_PLAIN, _COMPRESSED = b"\0", b"\1"
_COMPRESSED_FROM_BYTES = 256
_COMPRESSION = 1
"""Level of zlib: a third larger than the best, in a third of the time."""


class Packing:
    """Packs the texts of one source, each under a key of its own.

    A text that is found under another key or another source has a wrong checksum. Guards
    against damage, not against a program that writes into the file on purpose.
    """

    __slots__ = ("_begun",)

    def __init__(self, source: bytes) -> None:
        key = hashlib.sha256(source).digest()
        self._begun = hashlib.blake2b(key=key, digest_size=_CHECKSUM_BYTES)

    def pack(self, key: bytes, text: str) -> bytes:
        """Checksum, a byte that says whether the text is compressed, text."""
        content = coded(text)
        if len(content) < _COMPRESSED_FROM_BYTES:
            content = _PLAIN + content
        else:
            content = _COMPRESSED + zlib.compress(content, _COMPRESSION)
        return self._checksum(key, content) + content

    def unpack(self, key: object, packed: object) -> str | None:
        """The text; None where the checksum is wrong."""
        if not isinstance(key, bytes) or not isinstance(packed, bytes):
            return None
        content = packed[_CHECKSUM_BYTES:]
        if self._checksum(key, content) != packed[:_CHECKSUM_BYTES]:
            return None
        text = content[1:] if content[:1] == _PLAIN else zlib.decompress(content[1:])
        return decoded(text)

    def _checksum(self, key: bytes, content: bytes) -> bytes:
        checksum = self._begun.copy()
        checksum.update(key + content)
        return checksum.digest()


def coded(text: str) -> bytes:
    """Bytes of any text, even of one with lone surrogates."""
    return text.encode("utf-8", "surrogatepass")


def decoded(content: bytes) -> str:
    """The text that was coded so."""
    return content.decode("utf-8", "surrogatepass")


_KEYS_AT_ONCE: Final = 500
_KEEP_SOURCE: Final = (
    "INSERT INTO sources (name, day) VALUES (?, ?)"
    " ON CONFLICT (name) DO UPDATE SET day = excluded.day RETURNING id"
)
_MOST_DAYS: Final = 1_000_000
_KEPT_SHARE: Final = 0.8
"""What stays of the size bound when it is crossed."""
_FEWEST_ROWS, _MOST_ROWS, _MOST_PAGES = 10, 20_000, 2_000
"""Of one transaction: some 0.5 s. Fewer rows at a time would cost more in all, as each of
them is on another page of the index."""
_MEMORY_KB = 64_000
"""For those pages, so that they are written once."""


class CachedAnswer(NamedTuple):
    """An answer as it was kept.

    Attributes:
        row: Its number in the file.
        source: All that it depends on.
        key: What it is the answer to.
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
        key: Its column of keys.
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

    def oldest(self, connection: sqlite3.Connection) -> int | None:
        """Day of the least recent use, since 1970; None where there is no answer or no day."""
        (day,) = connection.execute(f"SELECT min(day) FROM {self.name}").fetchone()  # noqa: S608 - our names
        return day if isinstance(day, int) and 0 <= day < _MOST_DAYS else None

    def read(
        self, connection: sqlite3.Connection, source: bytes, keys: Sequence[bytes]
    ) -> Iterator[CachedAnswer]:
        """Sound answers to those of the keys that are there, in no order."""
        at = connection.execute("SELECT id FROM sources WHERE name = ?", (source,)).fetchone()
        if at is None:
            return
        packing = Packing(source)
        wanted = frozenset(keys)
        marks = ",".join("?" * _KEYS_AT_ONCE)
        query = (
            f"SELECT id, {self.key}, day, answer FROM {self.name}"  # noqa: S608 - our names
            f" WHERE source = ? AND {self.key} IN ({marks})"
        )
        for batch in _batches(keys):
            for row, key, day, packed in connection.execute(query, (*at, *batch)):
                text = packing.unpack(key, packed)
                if text is not None and key in wanted:
                    yield CachedAnswer(row, source, key, day, text)

    def write(
        self,
        connection: sqlite3.Connection,
        source: bytes,
        rows: Sequence[tuple[bytes, bytes]],
        today: int,
    ) -> None:
        """Keep packed answers in place of those that were there; in the caller's transaction."""
        ((at,),) = connection.execute(_KEEP_SOURCE, (source, today)).fetchall()
        connection.executemany(
            f"INSERT INTO {self.name} ({self.key}, source, day, answer) VALUES (?, ?, ?, ?)"  # noqa: S608 - our names
            f" ON CONFLICT ({self.key}, source)"
            " DO UPDATE SET day = excluded.day, answer = excluded.answer",
            ((key, at, today, packed) for key, packed in rows),
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

    def shrink(self, connection: sqlite3.Connection, limit_bytes: int) -> None:
        """Drop what was not used for longest until the file is well within its bound.

        In small transactions, so that no process waits long. What is freed inside the bound is
        used again, only the rest is given back to the disk.

        Cost: nothing within the bound.
        """
        max_pages = limit_bytes // figure(connection, "page_size")
        if figure(connection, "page_count") > max_pages:
            connection.execute(f"PRAGMA cache_size = -{_MEMORY_KB}")
            self._drop_oldest(connection, int(_KEPT_SHARE * max_pages))
            _give_back(connection, max_pages)

    def _drop_oldest(self, connection: sqlite3.Connection, max_pages: int) -> None:
        """Delete the least recently used rows until the others take so many pages."""
        (rows,) = connection.execute(f"SELECT count(*) FROM {self.name}").fetchone()  # noqa: S608 - our names
        oldest = f"SELECT id FROM {self.name} ORDER BY day, id LIMIT ?"  # noqa: S608 - our names
        # A source is used whenever one of its answers is.
        unused = f"DELETE FROM sources WHERE day < (SELECT min(day) FROM {self.name})"  # noqa: S608 - our names
        while (used := _used_pages(connection)) > max_pages and rows > 0:
            # Rows differ in length, so it goes half of the way at a time.
            wanted = min(max(rows * (used - max_pages) // (2 * used), _FEWEST_ROWS), _MOST_ROWS)
            with writing(connection):
                dropped = connection.execute(
                    f"DELETE FROM {self.name} WHERE id IN ({oldest})",  # noqa: S608 - our names
                    (wanted,),
                ).rowcount
                connection.execute(unused)
            rows -= dropped
            if dropped <= 0:
                return


def _give_back(connection: sqlite3.Connection, max_pages: int) -> None:
    """Cut free pages off the end until the file has so many pages."""
    while (pages := figure(connection, "page_count")) > max_pages:
        cut = min(pages - max_pages, _MOST_PAGES)
        connection.execute(f"PRAGMA incremental_vacuum({cut})").fetchall()
        if figure(connection, "page_count") >= pages:
            return


def _used_pages(connection: sqlite3.Connection) -> int:
    return figure(connection, "page_count") - figure(connection, "freelist_count")


def packed_rows(source: bytes, answers: Mapping[bytes, str]) -> list[tuple[bytes, bytes]]:
    """Keys and packed answers, without those that are too long to be kept."""
    packing = Packing(source)
    rows = [(key, packing.pack(key, text)) for key, text in answers.items()]
    return [row for row in rows if len(row[1]) <= LONGEST_BYTES]


def _batches(keys: Sequence[bytes]) -> Iterator[tuple[bytes | None, ...]]:
    """Always so many that one prepared statement does."""
    for at in range(0, len(keys), _KEYS_AT_ONCE):
        batch = keys[at : at + _KEYS_AT_ONCE]
        yield (*batch, *(None for _ in range(_KEYS_AT_ONCE - len(batch))))
