"""Whether Python and the libraries are there and new enough."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import importlib
import json
import os
import platform
import re
import signal
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from genint.compute import Backend, ProcessBackend, open_backend
from genint.errors import WorkerDied
from genint.knowledge.confidence import ConfidenceParameters, Setting, load_confidence
from genint.model.vocabulary import ConfidenceLevel, GenomeKind
from genint.report.score import NOVEL, level_sentence
from genint.selftest.check import CURE_INSTALLATION, Finding, Outcome, Places
from genint.version import __version__

if TYPE_CHECKING:
    from genint.sources.profiles import ProfileDatabase


_NUMBERS = tuple(range(1000))


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """A process is started, computes, is killed, is missed and is replaced."""

    name: str = "worker processes"
    cure: str = "run with --workers 1, which needs none, or allow genint more processes and memory"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        del places, near
        pool = ProcessBackend(1)
        try:
            return await _try(pool)
        finally:
            await pool.close()


async def _try(pool: Backend) -> Finding:
    first = await pool.run(os.getpid)
    if first == os.getpid():
        return Finding.failed("the work was not done in a process of its own")
    if await pool.run(sum, _NUMBERS) != sum(_NUMBERS):
        return Finding.failed("a worker process computes wrongly")
    try:
        await pool.run(end_this_process)
    except WorkerDied:
        second = await pool.run(os.getpid)
    else:
        return Finding.failed("a killed worker process was not missed")
    if second == first:
        return Finding.failed("a killed worker process was not replaced")
    return Finding.ok("one started and computed; it was killed, missed and replaced")


def end_this_process() -> None:
    """Work that kills the process that does it."""
    os.kill(os.getpid(), signal.SIGKILL)


_WITHOUT = {"rfam": "RNA besides tRNA, tmRNA and rRNA is not searched"}
"""What is done without a database that nothing that ships replaces."""


def installable() -> tuple[str, ...]:
    """Names of the databases that can be installed."""
    from genint.databases.recipes import RECIPES  # noqa: PLC0415 - lazy

    return tuple(RECIPES)


@dataclass(frozen=True, slots=True)
class DatabasesFolder:
    """The folder of the databases; there is none before the first is installed."""

    name: str = "databases folder"
    cure: str = "let GENINT_DATABASES_DIR name a folder that can be read"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        return await near.run(_look_into, places.databases_folder)


def _look_into(folder: Path) -> Finding:
    try:
        there = [entry.name for entry in folder.iterdir() if not entry.name.startswith(".")]
    except FileNotFoundError:
        return Finding.ok(f"{folder} is not there yet: the first `genint db install` makes it")
    except OSError as problem:
        return Finding.failed(f"{folder}: {problem.strerror or problem}")
    return Finding.ok(f"{folder}: {', '.join(sorted(there)) or 'empty'}")


@dataclass(frozen=True, slots=True)
class InstalledDatabase:
    """One database: its manifest, format, sizes and times, not every byte of it.

    Attributes:
        database: Its name on the command line.
    """

    database: str

    @property
    def name(self) -> str:
        """Of the check."""
        return f"database {self.database}"

    @property
    def cure(self) -> str:
        """What to do where it cannot be used."""
        return f"run `genint db install {self.database}`"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        return await near.run(_look_up, places.databases_folder, self.database)


def _look_up(folder: Path, name: str) -> Finding:
    from genint.databases.installed import Problem, is_unfinished, look_up  # noqa: PLC0415 - lazy
    from genint.databases.layout import is_changing  # noqa: PLC0415 - lazy

    found = look_up(folder, name)
    if isinstance(found, Problem):
        return Finding.failed(found.reason, found.cure)
    unfinished = is_unfinished(folder, name)
    if found is None and unfinished:
        return Finding.not_installed("its installation was interrupted and will be resumed")
    if found is None and is_changing(folder, name):
        return Finding.not_installed("it is being installed or removed now")
    if found is None:
        return Finding.not_installed(_WITHOUT.get(name, "what ships is used in its place"))
    said = f"{found.release}, {found.entries:,} entries, sizes and times as they have to be"
    if unfinished:
        said += f"; its update was interrupted, `genint db install {name}` goes on with it"
    elif is_changing(folder, name):
        said += "; it is being installed or removed now"
    return Finding.ok(said)


FIGURES_SHIP: Final = True
"""Whether the shipped parameters come with figures; if so, their absence is a failure."""

_TOLD: Final = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})
"""Levels whose names are used; the reports tell of all."""


@dataclass(frozen=True, slots=True)
class MeaningOfLevels:
    """How often the best levels were right for genes that were never seen.

    Attributes:
        setting: Mode and kind of genome.
        demanded: To have no figures is a failure.
        parameters: To be looked at; None for those that ship.
    """

    setting: Setting
    demanded: bool = FIGURES_SHIP
    parameters: ConfidenceParameters | None = None
    cure: str = CURE_INSTALLATION

    @property
    def name(self) -> str:
        """Of the check."""
        return f"meaning of levels, {self.setting.mode} mode, {self.setting.kind}"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        del places
        parameters = self.parameters
        if parameters is None:
            parameters = await near.run(load_confidence)
        measured = parameters.measured_of(self.setting, NOVEL)
        told = [level_sentence(one) for one in measured if one.level in _TOLD and one.judged]
        missing = sorted(_TOLD - {one.level for one in measured if one.judged})
        if missing and self.demanded:
            return Finding.failed(f"no figures of {' and '.join(missing)} in {parameters.version}")
        return Finding.ok(" ".join(told) or "not measured")


def measured_settings() -> tuple[Setting, ...]:
    """The modes and kinds of genome for which parameters are fitted."""
    return tuple(Setting(mode, kind) for mode in ("offline", "local") for kind in GenomeKind)


_SCHEMA = "result.schema.json"


@dataclass(frozen=True, slots=True)
class PackagedFiles:
    """The files of the package, against the checksums that were installed with them."""

    distribution: str = "genint"
    name: str = "files of the package"
    cure: str = CURE_INSTALLATION

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        del places
        return await near.run(_compare_files, self.distribution)


def _compare_files(distribution: str) -> Finding:
    installed = metadata.distribution(distribution)
    package = Path(str(resources.files("genint"))).resolve()
    checked = 0
    for file in installed.files or ():
        if file.hash is None or file.parts[0] != "genint":
            continue
        path = Path(str(installed.locate_file(file))).resolve()
        if not path.is_relative_to(package):
            break  # another copy of genint runs than the one that was installed
        checked += 1
        try:
            digest = hashlib.new(file.hash.mode, path.read_bytes()).digest()
        except OSError as problem:
            return Finding.failed(f"{file}: {problem.strerror or problem}")
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != file.hash.value:
            return Finding.failed(f"{file} is not as it was installed")
    if not checked:
        return Finding.ok("run from its source folder, where no checksums are kept")
    return Finding.ok(f"{checked} files as they were installed")


@dataclass(frozen=True, slots=True)
class ShippedPack:
    """A pack of profiles.

    Attributes:
        file: Its name.
        folder: Where it lies; None for where genint is installed.
    """

    file: str
    folder: Path | None = None
    cure: str = CURE_INSTALLATION

    @property
    def name(self) -> str:
        """Of the check."""
        return f"profiles in {self.file}"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        del places
        return await near.run(_unpack, self.file, self.folder)


def _unpack(file: str, folder: Path | None) -> Finding:
    from genint.knowledge.profile_pack import read_header, unpack  # noqa: PLC0415 - loads numpy
    from genint.knowledge.table_files import read_from  # noqa: PLC0415

    packed = read_from(folder, file)
    header = read_header(packed)
    unpack(packed)  # computes the digest and compares it
    return Finding.ok(f"{header.profiles:,} profiles, digest {header.digest[:12]} as it has to be")


def shipped_packs() -> tuple[str, ...]:
    """Names of the packs that ship."""
    from genint.knowledge.own_families import FamilyPack  # noqa: PLC0415 - lazy
    from genint.knowledge.table_files import PFAM_PACK  # noqa: PLC0415

    return (PFAM_PACK, *(pack.file for pack in FamilyPack))


@dataclass(frozen=True, slots=True)
class ShippedTables:
    """All tables, every row of them.

    Attributes:
        families_folder: Of another build of families; None for what ships.
    """

    families_folder: Path | None = None
    name: str = "tables that ship"
    cure: str = CURE_INSTALLATION

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        del places
        return await near.run(_read_tables, self.families_folder)


def _read_tables(families_folder: Path | None) -> Finding:
    from genint.knowledge.tables import load_knowledge  # noqa: PLC0415 - lazy

    knowledge = load_knowledge(families_folder)
    wrong = [*_homeless_profiles(families_folder)]
    counts = (
        # A row is read when it is asked for: ask for all.
        (len(list(knowledge.families.families.values())), "Pfam families"),
        (len(list(knowledge.own_families.families.values())), "families of genint's own"),
        (len(list(knowledge.products.products.values())), "products"),
    )
    wrong += [f"no {what}" for count, what in counts if not count]
    json.loads(resources.files("genint.report").joinpath(_SCHEMA).read_bytes())
    if wrong:
        return Finding.failed("; ".join(wrong))
    return Finding.ok(", ".join(f"{count:,} {what}" for count, what in counts))


def _homeless_profiles(families_folder: Path | None) -> Iterator[str]:
    """Packs that do not hold as many profiles as the tables have families."""
    from genint.knowledge.own_families import FamilyPack, load_own_families  # noqa: PLC0415
    from genint.knowledge.profile_pack import HEADER_BYTES, read_header  # noqa: PLC0415
    from genint.knowledge.table_files import read_start  # noqa: PLC0415

    families = load_own_families(families_folder).families
    for pack in FamilyPack:
        header = read_header(read_start(families_folder, pack.file, HEADER_BYTES))
        listed = sum(family.pack is pack for family in families.values())
        if listed != header.profiles:
            yield f"{pack.file} has {header.profiles:,} profiles, the table {listed:,} families"


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
    from genint.cache.info import cache_info  # noqa: PLC0415 - lazy

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
    from genint.sources.profiles import ProfileDatabase  # noqa: PLC0415

    pack = ProfileDatabase.of(file)
    stem = pressed_profiles(cache_folder, digest=pack.digest, press=partial(_press, pack))
    if stem is None:
        return Finding.failed("nothing can be kept in the cache folder", _CURE_CLOSED)
    count = _count(stem)
    if count != pack.profiles:
        return Finding.failed(f"{count:,} of {pack.profiles:,} profiles of {file} can be read")
    return Finding.ok(f"{file} ({count:,})")


def _press(pack: ProfileDatabase, stem: Path) -> int:
    from genint.knowledge.profile_pack import press  # noqa: PLC0415 - lazy

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
    from genint.cache.search_results import ResultCache, protein_key  # noqa: PLC0415 - lazy

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


_REQUIREMENT = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*>=\s*([0-9.]+)\s*$")
_COMPILED = (
    *("numpy", "Bio", "gb_io", "pyrodigal", "pyrodigal_gv", "pyhmmer", "pyopal"),
    *("pyaragorn", "diced"),
)
"""Modules with compiled parts, which may be there and yet not load."""
_SHOWN = ("pyhmmer", "pyrodigal", "pyrodigal-gv", "pyopal", "numpy")
"""Distributions that have a part in every result."""


@dataclass(frozen=True, slots=True)
class Versions:
    """Program and libraries.

    Attributes:
        distribution: Whose requirements are looked at.
        modules: What has to load.
    """

    distribution: str = "genint"
    modules: tuple[str, ...] = _COMPILED
    name: str = "program and libraries"
    cure: str = "install what genint needs: pip install --upgrade genint"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        del places
        return await near.run(_look, self.distribution, self.modules)


def _look(distribution: str, modules: tuple[str, ...]) -> Finding:
    wrong = [*_unmet(distribution), *_not_loading(modules)]
    if wrong:
        return Finding.failed("; ".join(wrong))
    shown = ", ".join(f"{name} {metadata.version(name)}" for name in _SHOWN)
    return Finding.ok(f"genint {__version__}, Python {platform.python_version()}, {shown}")


def _unmet(distribution: str) -> list[str]:
    """Requirements that are not met, in words; those of extras are not looked at."""
    wrong = []
    for requirement in metadata.requires(distribution) or ():
        found = _REQUIREMENT.match(requirement)
        if found is None:
            continue
        name, least = found.groups()
        try:
            there = metadata.version(name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{name} is not installed")
            continue
        if _numbers(there) < _numbers(least):
            wrong.append(f"{name} is {there}, genint needs {least} or newer")
    return wrong


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers that a version begins with: ``3.14.5rc1`` is 3, 14, 5."""
    found = re.match(r"\d+(\.\d+)*", version)
    numbers = [int(part) for part in found.group().split(".")] if found else []
    while numbers and not numbers[-1]:
        numbers.pop()  # 2.0 is 2
    return tuple(numbers)


def _not_loading(modules: tuple[str, ...]) -> list[str]:
    wrong = []
    for module in modules:
        try:
            importlib.import_module(module)
        except Exception as problem:  # noqa: BLE001 - a broken library may raise anything
            wrong.append(f"{module} does not load: {problem}")
    return wrong
