"""Releases that services had, and whole files, in the file of online answers."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from typing import Final

from genint.cache.file import LONGEST_BYTES, writing
from genint.cache.folders import DAY_S
from genint.cache.online_file import name_of, sweep
from genint.cache.online_values import Blob, Release
from genint.cache.seal import Seal, coded, decoded

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


def sealed_blob(name: str, release: str, payload: str, now: float) -> bytes | None:
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


def _release_seal(service: str) -> Seal:
    return Seal(name_of("release", service))


def _blob_seal(name: str) -> Seal:
    return Seal(name_of("blob", name))
