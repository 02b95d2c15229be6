"""Whether everything that ships with genint is there and as it was made."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path

from genint.compute import Backend
from genint.selftest.check import CURE_INSTALLATION, Finding, Places

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
    from genint.knowledge.pack import read_header, unpack  # noqa: PLC0415 - loads numpy
    from genint.knowledge.shipped import read_from  # noqa: PLC0415

    packed = read_from(folder, file)
    header = read_header(packed)
    unpack(packed)  # computes the digest and compares it
    return Finding.ok(f"{header.profiles:,} profiles, digest {header.digest[:12]} as it has to be")


def shipped_packs() -> tuple[str, ...]:
    """Names of the packs that ship."""
    from genint.knowledge.own_families import FamilyPack  # noqa: PLC0415 - lazy
    from genint.knowledge.shipped import PFAM_PACK  # noqa: PLC0415

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
    from genint.knowledge.loading import load_knowledge  # noqa: PLC0415 - lazy

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
    from genint.knowledge.pack_header import HEADER_BYTES, read_header  # noqa: PLC0415
    from genint.knowledge.shipped import read_start  # noqa: PLC0415

    families = load_own_families(families_folder).families
    for pack in FamilyPack:
        header = read_header(read_start(families_folder, pack.file, HEADER_BYTES))
        listed = sum(family.pack is pack for family in families.values())
        if listed != header.profiles:
            yield f"{pack.file} has {header.profiles:,} profiles, the table {listed:,} families"
