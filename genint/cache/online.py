"""What online services said, kept from run to run.

An answer stands under service, kind, key and release. A kind says what the key is and,
where the format of its payload may change, which version of it: a new version is another
kind. Only what a service really said is kept: that something was not asked, or failed, is
no answer. Every row carries a seal over all that it stands under, so that damage is a miss
and never a wrong answer.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from genint.cache import online_notes
from genint.cache.answers import Answer, sealed_rows
from genint.cache.bound import shrink
from genint.cache.file import writing
from genint.cache.folders import DAY_S
from genint.cache.online_file import ONLINE, TABLE, Source, sources, sweep
from genint.cache.online_values import Blob, Kept, OnlineKind, Release
from genint.cache.seal import coded, decoded
from genint.cache.store import Store
from genint.model.online import AnswerState

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
            lambda connection: online_notes.newest_release(connection, service), create=False
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
                lambda connection: online_notes.note_release(
                    connection, service, release, release_date, now
                ),
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
            newest: dict[str, tuple[Kept, Answer]] = {}
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
        sealed = sealed_rows(source, texts)
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
            lambda connection: online_notes.find_blob(connection, name, release, today),
            create=False,
        )

    def keep_blob(self, name: str, release: str, payload: str) -> None:
        """Keep a whole file, of up to 16 MB packed; the three kept last of each name stay."""
        now = self._clock()
        sealed = online_notes.sealed_blob(name, release, payload, now)
        if sealed is None:
            return

        def write(connection: sqlite3.Connection) -> None:
            online_notes.keep_blob(connection, name, release, sealed, _day(now))
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


def _opened(answer: Answer, release: str) -> Kept | None:
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
