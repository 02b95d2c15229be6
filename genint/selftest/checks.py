"""All checks of the self-test: the program, its files, databases, caches, a built-in genome."""

from __future__ import annotations

import base64
import ctypes
import hashlib
import importlib
import platform
import re
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from genint.cache.info import cache_info
from genint.cache.search_results import ResultCache, protein_key
from genint.databases.installed import Problem, is_unfinished, look_up
from genint.databases.layout import is_changing
from genint.databases.recipes import RECIPES
from genint.knowledge.catalogue import load_knowledge
from genint.knowledge.own_families import FamilyPack
from genint.knowledge.table_files import PFAM_PACK, read_from
from genint.pipeline.searches import indexed
from genint.selftest.check import (
    Check,
    CheckFailed,
    CheckResult,
    NotInstalled,
    Places,
    run_checks,
)
from genint.selftest.genome import (
    built_in_genome,
    interpret_alone,
    local_mode,
    similarity_search,
    worker_processes,
)
from genint.version import __version__

if TYPE_CHECKING:
    from genint.sources.profiles import ProfileDatabase

INSTALL_AGAIN: Final = "install genint again: pip install --force-reinstall genint"
UNWRITABLE: Final = "let GENINT_CACHE_DIR name a folder that can be written and has 300 MB to spare"
CLEAR_CACHE: Final = "run `genint cache clear`"

_REQUIREMENT: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*>=\s*([0-9.]+)\s*$")
_COMPILED: Final = (
    *("numpy", "Bio", "gb_io", "pyrodigal", "pyrodigal_gv", "pyhmmer", "pyopal"),
    *("pyaragorn", "diced"),
)
"""Modules with compiled parts, which may be installed and yet not load."""
_SHOWN: Final = ("pyhmmer", "pyrodigal", "pyrodigal-gv", "pyopal", "numpy")
"""Distributions that have a part in every result."""
SHIPPED_PACKS: Final = (PFAM_PACK, *(pack.file for pack in FamilyPack))


def all_checks() -> tuple[Check, ...]:
    """Every check; the later ones need what the earlier ones look at."""
    databases = "let GENINT_DATABASES_DIR name a folder that can be read"
    alone = cache(interpret_alone)  # once for both checks that need it
    workers = (
        "see first what the built-in genome says; else run with --workers 1, which needs none, or"
        " allow genint more processes and memory"
    )
    return (
        Check("program and libraries", "run `pip install --upgrade genint`", versions),
        Check("files of the package", INSTALL_AGAIN, packaged_files),
        *(Check(f"profiles in {file}", INSTALL_AGAIN, pack_check(file)) for file in SHIPPED_PACKS),
        Check("tables of the package", INSTALL_AGAIN, shipped_tables),
        Check("databases folder", databases, databases_folder),
        *map(database_check, RECIPES),
        Check("cache folder", UNWRITABLE, cache_folder),
        Check("profiles", CLEAR_CACHE, all_indexed),
        Check("cache of results", CLEAR_CACHE, cached_results),
        # One worker interprets the genome while two do: first, as that takes longest.
        Check("worker processes", workers, partial(worker_processes, alone=alone)),
        Check("built-in genome", INSTALL_AGAIN, partial(built_in_genome, alone=alone)),
        Check("similarity search", INSTALL_AGAIN, similarity_search),
        Check("local mode", "run `genint db verify`, then install again what it names", local_mode),
    )


async def run_selftest(
    places: Places, *, on_result: Callable[[CheckResult], None] | None = None
) -> tuple[CheckResult, ...]:
    """Check an installation.

    Args:
        places: Where it keeps things.
        on_result: Called on the event loop after every check.

    Cost: 8 CPU s with an empty cache folder, 5 later, partly on two cores; 250 MB.
    """
    return await run_checks(all_checks(), places, on_result=on_result)


def versions(
    places: Places,
    *,
    distribution: str = "genint",
    modules: tuple[str, ...] = _COMPILED,
    library: Path | None = None,
) -> str:
    """Whether the libraries are installed, new enough, and load; ours is compiled on installing."""
    del places
    wrong = [*_unmet(distribution), *_not_loading(modules), *_not_compiled(library)]
    if wrong:
        raise CheckFailed("; ".join(wrong))
    shown = ", ".join(f"{name} {metadata.version(name)}" for name in _SHOWN)
    return f"genint {__version__}, Python {platform.python_version()}, {shown}"


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


def _not_compiled(library: Path | None) -> list[str]:
    from genint.native.library import LIBRARY  # noqa: PLC0415 - loads numpy

    path = library or LIBRARY
    try:
        ctypes.CDLL(str(path))
    except OSError:
        state = "does not load" if path.exists() else "is missing"
        return [f"{path.name}, which is compiled when genint is installed, {state}"]
    return []


def _not_loading(modules: tuple[str, ...]) -> list[str]:
    wrong = []
    for module in modules:
        try:
            importlib.import_module(module)
        except Exception as problem:  # noqa: BLE001 - a broken library may raise anything
            wrong.append(f"{module} does not load: {problem}")
    return wrong


def packaged_files(places: Places, *, distribution: str = "genint") -> str:
    """Whether the files of the package have the checksums that were installed with them."""
    del places
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
            raise CheckFailed(f"{file}: {problem.strerror or problem}") from problem
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != file.hash.value:
            raise CheckFailed(f"{file} differs from what was installed")
    if not checked:
        return "run from its source folder, which has no checksums"
    return f"{checked} files are as installed"


def pack_check(file: str, folder: Path | None = None) -> Callable[[Places], str]:
    """Whether a pack of profiles can be read; ``folder`` is where it is, if not in genint."""
    return partial(_unpack, file=file, folder=folder)


def _unpack(places: Places, *, file: str, folder: Path | None) -> str:
    from genint.knowledge.profile_pack import unpack  # noqa: PLC0415 - loads numpy
    from genint.knowledge.table_files import read_header  # noqa: PLC0415

    del places
    packed = read_from(folder, file)
    header = read_header(packed)
    unpack(packed)  # computes the digest and compares it
    return f"{header.profiles:,} profiles, digest {header.digest[:12]} is right"


def shipped_tables(places: Places, *, families_folder: Path | None = None) -> str:
    """Whether every row of the tables can be read; ``families_folder`` for another build."""
    from genint.knowledge.table_files import read_header  # noqa: PLC0415

    del places
    knowledge = load_knowledge(families_folder)
    own = list(knowledge.own_families.families.values())
    counts = (  # a row is read when it is used: use all
        (len(list(knowledge.families.families.values())), "Pfam families"),
        (len(own), "genint families"),
        (len(list(knowledge.products.products.values())), "products"),
    )
    wrong = [f"no {what}" for count, what in counts if not count]
    for pack in FamilyPack:
        profiles = read_header(read_from(families_folder, pack.file)).profiles
        listed = sum(family.pack is pack for family in own)
        if listed != profiles:
            wrong.append(f"{pack.file} has {profiles:,} profiles, the table {listed:,} families")
    if wrong:
        raise CheckFailed("; ".join(wrong))
    return ", ".join(f"{count:,} {what}" for count, what in counts)


def databases_folder(places: Places) -> str:
    """Whether the folder can be read; there is none before the first database is installed."""
    folder = places.databases_folder
    try:
        there = [entry.name for entry in folder.iterdir() if not entry.name.startswith(".")]
    except FileNotFoundError:
        return f"{folder} does not exist yet: the first `genint db install` makes it"
    except OSError as problem:
        raise CheckFailed(f"{folder}: {problem.strerror or problem}") from problem
    return f"{folder}: {', '.join(sorted(there)) or 'empty'}"


def database_check(name: str) -> Check:
    """The check of a database: its manifest, format, sizes and times, not every byte of it."""
    look = partial(_installed_database, name=name)
    return Check(f"database {name}", f"run `genint db install {name}`", look)


def _installed_database(places: Places, *, name: str) -> str:
    folder = places.databases_folder
    found = look_up(folder, name)
    if isinstance(found, Problem):
        raise CheckFailed(found.reason, found.cure)
    unfinished, changing = is_unfinished(folder, name), is_changing(folder, name)
    if found is None and unfinished:
        raise NotInstalled("its installation was interrupted and will be resumed")
    if found is None and changing:
        raise NotInstalled("it is being installed or removed now")
    if found is None:
        raise NotInstalled("local mode does without it, and its reports say so")
    text = f"{found.release}, {found.entries:,} entries, sizes and times are right"
    if unfinished:
        return f"{text}; its update was interrupted, `genint db install {name}` resumes it"
    return f"{text}; it is being installed or removed now" if changing else text


def cache_folder(places: Places) -> str:
    """Whether the folder can be written. A run works without one, only slower."""
    folder = places.cache_folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as stream:
            stream.write(bytes(4096))
            stream.flush()
    except OSError as problem:
        raise CheckFailed(f"cannot write to {folder}: {problem.strerror or problem}") from problem
    return f"{folder} can be written, {cache_info(folder).size_bytes / 1e6:,.0f} MB"


def all_indexed(places: Places) -> str:
    """Whether all profiles can be read, indexed now where that is not done."""
    read = partial(_readable, places.cache_folder)
    # Much is done without the interpreter lock: a thread for each pack pays.
    with ThreadPoolExecutor(len(SHIPPED_PACKS)) as threads:
        counts = threads.map(read, SHIPPED_PACKS)
        read_all = [f"{file} ({n:,})" for file, n in zip(SHIPPED_PACKS, counts, strict=True)]
    return f"all profiles can be read: {', '.join(read_all)}"


def _readable(cache_folder: Path, file: str) -> int:
    """How many profiles of a pack there are, all of which were read as a search reads them."""
    from genint.sources.profiles import ProfileDatabase  # noqa: PLC0415 - loads HMMER

    pack = indexed(ProfileDatabase.of(file, is_prefiltered=True), cache_folder)
    if pack.index is None:
        raise CheckFailed("nothing can be written to the cache folder", UNWRITABLE)
    count = _indexed(pack)
    if count != pack.profiles:
        raise CheckFailed(f"{count:,} of {pack.profiles:,} profiles of {file} can be read")
    return count


def _indexed(pack: ProfileDatabase) -> int:
    """How many profiles an index has; none where a byte of it is wrong."""
    from genint.knowledge.family_index import is_index_of  # noqa: PLC0415 - loads numpy

    try:
        is_sound = pack.index is not None and is_index_of(pack.unpacked(), pack.index)
    except OSError:
        is_sound = False
    return pack.profiles if is_sound else 0


def cached_results(places: Places) -> str:
    """Whether the cache of results returns what it was given."""
    folder, limit_bytes = places.cache_folder, places.cache_limit_bytes
    if not limit_bytes:
        return "switched off by GENINT_CACHE_MB"
    source, answer, key = "self-test", "as kept", protein_key("MAKE")
    ResultCache(folder, limit_bytes=limit_bytes).keep(source, {key: answer})
    known = ResultCache(folder, limit_bytes=limit_bytes).known(source, [key])
    if known.get(key) != answer:
        cure = CLEAR_CACHE if folder.is_dir() else UNWRITABLE
        raise CheckFailed("a result that was stored could not be read again", cure)
    return "a result was stored and read again"
