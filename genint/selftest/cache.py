"""Whether the cache folder takes what is kept in it, and gives it back."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from genint.compute import Backend, open_backend
from genint.selftest.check import Finding, Outcome, Places
from genint.selftest.shipped import shipped_packs

if TYPE_CHECKING:
    from genint.sources.profile_database import ProfileDatabase

_CURE_CLOSED = "let GENINT_CACHE_DIR name a folder that can be written and has 600 MB to spare"
_CURE_DAMAGED = "run `genint cache clear`"
_ANSWER = "as kept"


@dataclass(frozen=True, slots=True)
class CacheFolder:
    """The folder itself. A run works without one, only slower."""

    name: str = "cache folder"
    cure: str = _CURE_CLOSED

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        return await near.run(_write_into, places.cache_folder)


def _write_into(folder: Path) -> Finding:
    from genint.cache.upkeep import cache_info  # noqa: PLC0415 - lazy

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as stream:
            stream.write(bytes(4096))
            stream.flush()
    except OSError as problem:
        return Finding.failed(f"{folder} cannot be written: {problem.strerror or problem}")
    return Finding.ok(f"{folder} can be written, {cache_info(folder).size_bytes / 1e6:,.0f} MB")


@dataclass(frozen=True, slots=True)
class PressedProfiles:
    """Profiles as HMMER reads them, pressed now where they are missing or damaged."""

    name: str = "pressed profiles"
    cure: str = _CURE_DAMAGED

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        del near
        async with AsyncExitStack() as stack:
            # HMMER works without the interpreter lock: a thread for each pack pays.
            packs = [
                (file, await stack.enter_async_context(open_backend(workers=1)))
                for file in shipped_packs()
            ]
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(thread.run(_pressed, file, places.cache_folder))
                    for file, thread in packs
                ]
        found = [task.result() for task in tasks]
        return next((one for one in found if one.outcome is Outcome.FAILED), _all(found))


def _all(found: Iterable[Finding]) -> Finding:
    return Finding.ok("profiles of " + ", ".join(one.said for one in found) + " can be read")


def _pressed(file: str, cache_folder: Path) -> Finding:
    """One pack: pressed, and every profile of it read."""
    from genint.cache.profiles import pressed_profiles  # noqa: PLC0415 - lazy
    from genint.sources.profile_database import ProfileDatabase  # noqa: PLC0415

    pack = ProfileDatabase.of(file)
    stem = pressed_profiles(cache_folder, digest=pack.digest, press=partial(_press, pack))
    if stem is None:
        return Finding.failed("nothing can be kept in the cache folder", _CURE_CLOSED)
    count = _count(stem)
    if count != pack.profiles:
        return Finding.failed(f"{count:,} of {pack.profiles:,} profiles of {file} can be read")
    return Finding.ok(f"{file} ({count:,})")


def _press(pack: ProfileDatabase, stem: Path) -> int:
    from genint.knowledge.pressing import press  # noqa: PLC0415 - lazy

    return press(pack.rebuild(), stem)


def _count(stem: Path) -> int:
    """How many profiles HMMER reads; what it stumbles over ends the count."""
    from pyhmmer.plan7 import HMMPressedFile  # noqa: PLC0415 - loads HMMER

    count = 0
    try:
        with HMMPressedFile(stem) as profiles:
            for _ in profiles:
                count += 1
    except (OSError, ValueError, EOFError, RuntimeError):
        pass  # the count says it
    return count


@dataclass(frozen=True, slots=True)
class Results:
    """The cache of results: what is kept is given back."""

    name: str = "cache of results"
    cure: str = _CURE_DAMAGED

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        if not places.cache_limit_bytes:
            return Finding.ok("switched off by GENINT_CACHE_MB")
        return await near.run(_keep_one, places.cache_folder, places.cache_limit_bytes)


def _keep_one(cache_folder: Path, limit_bytes: int) -> Finding:
    from genint.cache.results import ResultCache, protein_key  # noqa: PLC0415 - lazy

    source = "self-test"
    key = protein_key("MAKE")
    with ResultCache(cache_folder, limit_bytes=limit_bytes) as results:
        results.keep(source, {key: _ANSWER})
    with ResultCache(cache_folder, limit_bytes=limit_bytes) as results:
        known = results.known(source, [key])
    if known.get(key) != _ANSWER:
        cure = _CURE_DAMAGED if cache_folder.is_dir() else _CURE_CLOSED
        return Finding.failed("what was kept was not given back", cure)
    return Finding.ok("what was kept was given back")
