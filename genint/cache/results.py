"""What was found for proteins, kept from run to run.

An answer is a text that stands under the protein that was searched and a source: a text
that names everything else the answer depends on. A new release, version or option is
another source, so nothing is ever stale; what is not asked for any more goes first when
the cache reaches its size. Every answer carries a seal over source, protein and text, so
that damage is a miss and never a wrong answer.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

from genint.cache import results_file
from genint.cache.folders import DAY_S
from genint.cache.results_size import shrink

DEFAULT_LIMIT_BYTES: Final = 1_000_000_000

_KEY_BYTES = 16
_SEAL_BYTES = 8
_PLAIN, _PACKED = b"\0", b"\1"
_PACKED_FROM_BYTES = 256
_PACKING = 1
"""Level of zlib: a third larger than the best, in a third of the time."""
_ASKED_AT_ONCE = 500
_ASK = (
    "SELECT id, protein, day, answer FROM results WHERE source = ? AND protein IN"  # noqa: S608 - question marks only
    f" ({','.join('?' * _ASKED_AT_ONCE)})"
)
_KEEP = (
    "INSERT INTO results (protein, source, day, answer) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (protein, source) DO UPDATE SET day = excluded.day, answer = excluded.answer"
)
_KEEP_SOURCE = (
    "INSERT INTO sources (name, day) VALUES (?, ?)"
    " ON CONFLICT (name) DO UPDATE SET day = excluded.day RETURNING id"
)
_REST_S = 60.0
"""How long the cache is left alone after somebody did not let go of it."""

_Answer = TypeVar("_Answer")


def protein_key(residues: str) -> bytes:
    """The name of a protein in the cache: 16 bytes of SHA-256 of its residues in upper case."""
    return hashlib.sha256(residues.upper().encode()).digest()[:_KEY_BYTES]


class ResultCache:
    """Answers of earlier runs, in one file of the cache folder.

    Many processes and threads may use it at once; one object may be shared by threads,
    pickled, and used after a fork (a child that was forked while another thread was in a
    call knows nothing for a while). A folder that is closed, read-only, full, damaged or
    locked raises nothing: such a cache knows nothing or keeps nothing.

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
        self._folder = cache_folder if limit_bytes > 0 else None
        self._limit_bytes = limit_bytes
        self._clock = clock
        self._rests_until_s = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing is held between calls."""

    def known(self, source: str, proteins: Iterable[bytes]) -> dict[bytes, str]:
        """The answers that are there.

        Args:
            source: Everything but the protein that the answer depends on.
            proteins: Keys, see :func:`protein_key`.

        Cost: 1 ms, and some 6 ms for 1,000 proteins; the first time on a day half as much
        again, to remember that they were used.
        """
        keys = list(dict.fromkeys(proteins))
        if not keys:
            return {}
        found = self._tried(
            lambda connection: _read(connection, _coded(source), keys, self._today()), create=False
        )
        return found or {}

    def keep(self, source: str, answers: Mapping[bytes, str]) -> None:
        """Keep answers, in place of those that were there.

        Args:
            source: Everything but the protein that the answers depend on.
            answers: Key of a protein -> answer.

        Cost: 1 ms, and some 15 ms for 1,000 answers. When the bound of 1 GB is reached, once
        in some forty bacteria, 6 s.
        """
        name = _coded(source)
        seal = _Seal(name)
        rows = [(key, seal.closed(key, text)) for key, text in answers.items()]
        rows = [row for row in rows if len(row[1]) <= results_file.LONGEST_BYTES]
        if not rows:
            return

        def write(connection: sqlite3.Connection) -> None:
            _write(connection, name, rows, self._today())
            shrink(connection, self._limit_bytes)

        self._tried(write, create=True)

    def _today(self) -> int:
        return int(self._clock() // DAY_S)

    def _tried(
        self, work: Callable[[sqlite3.Connection], _Answer], *, create: bool
    ) -> _Answer | None:
        """Do something with the file; None where that cannot be done.

        A damaged file is removed and, where there is something to write, begun anew.
        """
        folder = self._folder
        if folder is None or time.monotonic() < self._rests_until_s:
            return None
        for _ in range(2 if create else 1):
            try:
                with results_file.opened(folder, create=create) as connection:
                    return work(connection)
            except results_file.DamagedError as problem:
                if not _begun_anew(folder, problem.generation):
                    return None
            except (OSError, sqlite3.Error, MemoryError) as problem:
                if results_file.is_busy(problem):
                    self._rests_until_s = time.monotonic() + _REST_S
                return None
        return None


def _begun_anew(folder: Path, generation: int) -> bool:
    try:
        results_file.begin_anew(folder, generation)
    except OSError:
        return False
    return True


class _Seal:
    """Packs the answers of one source so that any change of theirs is seen."""

    __slots__ = ("_begun",)

    def __init__(self, name: bytes) -> None:
        self._begun = hashlib.blake2b(key=hashlib.sha256(name).digest(), digest_size=_SEAL_BYTES)

    def closed(self, protein: bytes, text: str) -> bytes:
        """Seal, a byte that says whether the text is compressed, text."""
        content = _coded(text)
        if len(content) < _PACKED_FROM_BYTES:
            content = _PLAIN + content
        else:
            content = _PACKED + zlib.compress(content, _PACKING)
        return self._of(protein, content) + content

    def opened(self, protein: object, answer: object) -> str | None:
        """The text; None where the seal is broken."""
        if not isinstance(protein, bytes) or not isinstance(answer, bytes):
            return None
        content = answer[_SEAL_BYTES:]
        if self._of(protein, content) != answer[:_SEAL_BYTES]:
            return None
        coded = content[1:] if content[:1] == _PLAIN else zlib.decompress(content[1:])
        return coded.decode("utf-8", "surrogatepass")

    def _of(self, protein: bytes, content: bytes) -> bytes:
        seal = self._begun.copy()
        seal.update(protein + content)
        return seal.digest()


def _coded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _read(
    connection: sqlite3.Connection, name: bytes, keys: Sequence[bytes], today: int
) -> dict[bytes, str]:
    """Sound answers to keys that are there; remembers that they were used."""
    source = connection.execute("SELECT id FROM sources WHERE name = ?", (name,)).fetchone()
    if source is None:
        return {}
    seal = _Seal(name)
    asked = frozenset(keys)
    found: dict[bytes, str] = {}
    not_of_today: list[tuple[int, int]] = []
    for batch in _batches(keys):
        for row, protein, day, answer in connection.execute(_ASK, (*source, *batch)):
            text = seal.opened(protein, answer)
            if text is not None and protein in asked:
                found[protein] = text
                if day != today:
                    not_of_today.append((today, row))
    if not_of_today:
        # Others may be writing, the disk may be full or not for us: another time, then.
        with contextlib.suppress(sqlite3.Error):
            _mark_used(connection, name, not_of_today)
    return found


def _batches(keys: Sequence[bytes]) -> Iterator[tuple[bytes | None, ...]]:
    """Always so many that one prepared statement does."""
    for at in range(0, len(keys), _ASKED_AT_ONCE):
        batch = keys[at : at + _ASKED_AT_ONCE]
        yield (*batch, *(None for _ in range(_ASKED_AT_ONCE - len(batch))))


def _mark_used(
    connection: sqlite3.Connection, name: bytes, days: Sequence[tuple[int, int]]
) -> None:
    """Write the day of use, once a day and row; does not wait for others."""
    connection.execute("PRAGMA busy_timeout = 100")
    with results_file.writing(connection):
        connection.execute(_KEEP_SOURCE, (name, days[0][0])).fetchall()
        connection.executemany("UPDATE results SET day = ? WHERE id = ?", days)


def _write(
    connection: sqlite3.Connection, name: bytes, rows: Sequence[tuple[bytes, bytes]], today: int
) -> None:
    """Keep sealed answers, in one transaction."""
    with results_file.writing(connection):
        ((source,),) = connection.execute(_KEEP_SOURCE, (name, today)).fetchall()
        connection.executemany(_KEEP, ((key, source, today, sealed) for key, sealed in rows))
