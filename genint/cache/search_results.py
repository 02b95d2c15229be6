"""What was found for proteins, kept from run to run.

An answer is a text that is kept by the protein that was searched and a source: a text
that names everything else the answer depends on. A new release, version or option is
another source, so nothing is ever stale; what is not used any more goes first when
the cache reaches its size. Every answer carries a checksum over source, protein and text, so
that damage is a miss and never a wrong answer.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from genint.cache.entries import AnswerTable, coded, packed_rows
from genint.cache.profiles import DAY_S
from genint.cache.sqlite_file import CacheFile, Store, writing

_MARK_TEXT = "genint: what was found for proteins"
TABLE: Final = AnswerTable("results", key="protein")
RESULTS: Final = CacheFile(
    name="results",
    format=1,
    mark=0x67_6E_72_31,
    mark_text=_MARK_TEXT,
    schema=TABLE.schema(_MARK_TEXT),
)


DEFAULT_LIMIT_BYTES: Final = 1_000_000_000

_KEY_BYTES = 16


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
        self._store = Store(RESULTS, cache_folder if limit_bytes > 0 else None)
        self._limit_bytes = limit_bytes
        self._clock = clock

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
        name = coded(source)

        def read(connection: sqlite3.Connection) -> dict[bytes, str]:
            found = list(TABLE.read(connection, name, keys))
            TABLE.mark_used(connection, found, self._today())
            return {answer.key: answer.text for answer in found}

        return self._store.tried(read, create=False) or {}

    def keep(self, source: str, answers: Mapping[bytes, str]) -> None:
        """Keep answers, in place of those that were there.

        Args:
            source: Everything but the protein that the answers depend on.
            answers: Key of a protein -> answer.

        Cost: 1 ms, and some 15 ms for 1,000 answers. When the bound of 1 GB is reached, once
        in some forty bacteria, 6 s.
        """
        name = coded(source)
        rows = packed_rows(name, answers)
        if not rows:
            return

        def write(connection: sqlite3.Connection) -> None:
            with writing(connection):
                TABLE.write(connection, name, rows, self._today())
            TABLE.shrink(connection, self._limit_bytes)

        self._store.tried(write, create=True)

    def _today(self) -> int:
        return int(self._clock() // DAY_S)


def count_results(connection: sqlite3.Connection) -> tuple[int, int, int, int | None]:
    """Proteins, answers, sources, and the day of the least recent use; 1 s for 1 GB."""
    proteins, answers, sources = connection.execute(
        "SELECT (SELECT count(*) FROM (SELECT DISTINCT protein FROM results)),"
        " (SELECT count(*) FROM results), (SELECT count(*) FROM sources)"
    ).fetchone()
    return proteins, answers, sources, TABLE.oldest(connection)
