"""What a run searches with and knows: what ships, what is installed, the user's proteins."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from genint.cache.profiles import made_once
from genint.cache.search_results import ResultCache
from genint.databases.installed import Installed, Problem, look_up, using
from genint.databases.recipes import RECIPES
from genint.formats.markers import read_markers
from genint.formats.proteins import read_proteins
from genint.knowledge.defence import PRESSED, DefenceDatabase, load_defence
from genint.knowledge.markers import MarkerEntry, meaning_of, write_markers
from genint.knowledge.table_files import InstalledTables
from genint.model.imported import NO_IMPORTS, ImportedEvidence
from genint.model.interpretation import Parameters
from genint.model.overview import MarkerMeaning
from genint.model.vocabulary import EvidenceSource
from genint.pipeline.gene_calling import Payload, as_payload
from genint.pipeline.imported import read_evidence

if TYPE_CHECKING:
    from genint.sources.defence_profiles import DefenceProfiles
    from genint.sources.markers import MarkerDatabase
    from genint.sources.profiles import ProfileDatabase
    from genint.sources.similarity.search import ReferenceDatabase

_MARKERS_VERSION = 1
"""Raised whenever the table beside an index of markers changes."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Where a run finds things.

    Attributes:
        cache: Indexed profiles and results; may be deleted at any time.
        databases: What is installed; None to use nothing of it.
        families: A build of families other than the one that ships.
        cache_limit_bytes: How large the cache of results may grow; 0 for none.
    """

    cache: Path
    databases: Path | None = None
    families: Path | None = None
    cache_limit_bytes: int = 1_000_000_000

    @property
    def answer_cache(self) -> Path | None:
        """Where answers are kept from run to run; None where none are to be kept."""
        return self.cache if self.cache_limit_bytes else None

    def results(self) -> ResultCache:
        """The cache of results."""
        return ResultCache(self.answer_cache, limit_bytes=self.cache_limit_bytes)


@dataclass(frozen=True, slots=True)
class UserProteins:
    """The proteins that the user gave to compare with.

    Attributes:
        reference: Their index.
        proteins: How many there are.
        sha256: Of the file, hex.
        is_temporary: The index is to be removed after the run.
        means: What they tell, where they are markers.
    """

    reference: ReferenceDatabase
    proteins: int
    sha256: str
    is_temporary: bool
    means: frozenset[MarkerMeaning] = frozenset()


@dataclass(frozen=True, slots=True)
class Resources:
    """What a run uses; small and picklable.

    Attributes:
        folders: Where it is stored.
        installed: Databases that are there, sound and wanted, by name.
        unavailable: What the mode would use but cannot, and what is done without it.
        proteins: The user's proteins.
        markers: The user's files of marker proteins.
        is_offline: Nothing that is installed was looked for.
        imported: What other programs and experiments found.
        threads_alone: That search a genome which is searched in one piece; 1 where other genomes
            are interpreted beside it, as two searches at a time need more memory.
    """

    folders: Folders
    installed: Mapping[str, Installed] = field(default_factory=dict)
    unavailable: tuple[str, ...] = ()
    proteins: UserProteins | None = None
    markers: tuple[UserProteins, ...] = ()
    is_offline: bool = False
    imported: ImportedEvidence = NO_IMPORTS
    threads_alone: int = 2

    @property
    def installed_tables(self) -> InstalledTables:
        """Tables of what is installed."""
        pfam, go, cog = (self.installed.get(name) for name in ("pfam", "go", "cog"))
        return InstalledTables(
            pfam_families=pfam.folder / "families.tsv" if pfam else None,
            pfam_database=f"Pfam {pfam.release}" if pfam else "",
            go_terms=go.folder / "terms.tsv" if go else None,
            pfam2go=go.folder / "pfam2go.tsv" if go else None,
            interpro2go=go.folder / "interpro2go.tsv" if go else None,
            cog_definitions=cog.folder / "definitions.tsv" if cog else None,
        )

    @property
    def pfam_blocks(self) -> tuple[ProfileDatabase, ...]:
        """The installed Pfam-A, in blocks; empty where it is not installed."""
        pfam = self.installed.get("pfam")
        if pfam is None:
            return ()
        from genint.databases.build.pfam import BLOCK_PROFILES, BLOCKS  # noqa: PLC0415 - loads HMMER
        from genint.sources.profiles import ProfileDatabase  # noqa: PLC0415

        size = BLOCK_PROFILES
        starts = range(0, pfam.entries, size)
        return tuple(
            ProfileDatabase(
                file=f"Pfam-A {pfam.release}",
                folder=None,
                digest=f"{identity_of(pfam)}:{number}",
                profiles=min(size, pfam.entries - start),
                pressed=pfam.folder / BLOCKS / f"{number:02}",
                block_of=pfam.entries,
                is_installed=True,
            )
            for number, start in enumerate(starts)
        )

    @property
    def defence_profiles(self) -> DefenceProfiles | None:
        """The installed PADLOC-DB; None where it is not installed."""
        padloc = self.installed.get("padloc")
        if padloc is None:
            return None
        from genint.sources.defence_profiles import DefenceProfiles  # noqa: PLC0415 - loads HMMER

        return DefenceProfiles(
            name=f"PADLOC-DB {padloc.release}",
            folder=padloc.folder,
            stem=padloc.folder / PRESSED,
            digest=identity_of(padloc),
        )

    @property
    def defence_database(self) -> DefenceDatabase | None:
        """Profiles and systems of the installed PADLOC-DB; None where it is not installed.

        Raises:
            UnavailableError: a file of it is gone or damaged.
        """
        profiles = self.defence_profiles
        return load_defence(profiles.folder, profiles.name) if profiles else None

    @property
    def references(self) -> tuple[ReferenceDatabase, ...]:
        """What is searched for similar proteins, the user's own first."""
        own = (self.proteins.reference,) if self.proteins else ()
        sprot = self.installed.get("swissprot")
        if sprot is None:
            return own
        from genint.sources.similarity.search import ReferenceDatabase  # noqa: PLC0415 - loads numpy

        curated = ReferenceDatabase(
            source=EvidenceSource.SWISSPROT,
            name=f"Swiss-Prot {sprot.release}",
            folder=sprot.folder / "index",
            digest=identity_of(sprot),
        )
        return (*own, curated)

    @property
    def marker_databases(self) -> tuple[MarkerDatabase, ...]:
        """References of markers, the user's own first."""
        amr = self.installed.get("amr")
        if not self.markers and amr is None:
            return ()
        from genint.sources.markers import PROFILES, MarkerDatabase  # noqa: PLC0415 - loads HMMER
        from genint.sources.similarity.search import ReferenceDatabase  # noqa: PLC0415

        own = tuple(
            MarkerDatabase(
                name=one.reference.name,
                reference=one.reference,
                profiles=None,
                digest=f"{one.reference.digest}|{one.sha256}",
                is_installed=False,
            )
            for one in self.markers
        )
        if amr is None:
            return own
        name, folder, digest = f"NCBI {amr.release}", amr.folder / "index", identity_of(amr)
        reference = ReferenceDatabase(EvidenceSource.USER_PROTEINS, name, folder, digest)
        profiles = folder / PROFILES if dict(amr.facts).get("profiles", "0") != "0" else None
        return (*own, MarkerDatabase(name, reference, profiles, digest, is_installed=True))


def identity_of(installed: Installed) -> str:
    """Of what a search reads: results kept before a repair are not used after it."""
    return f"{installed.digest} {installed.installed_at}"


def load_resources(
    parameters: Parameters,
    folders: Folders,
    proteins: Payload | Path | None = None,
    evidence: Sequence[Payload | Path] = (),
    markers: Sequence[Payload | Path] = (),
) -> Resources:
    """Look up what a run may use.

    Args:
        parameters: Its mode decides.
        folders: Where to look.
        proteins: A file of the user's own proteins, indexed now where it is not yet.
        evidence: Results of other programs, and peptides of experiments.
        markers: Files of marker proteins, indexed likewise.

    Raises:
        FormatError: the file of proteins, or one of evidence, cannot be read.
        InputError: it cannot be opened.

    Cost: 5 ms; user proteins 2 s for 5,000 of them at the first time.
    """
    imported = read_evidence(evidence)
    installed, unavailable = _installed(parameters, folders)
    own = None if proteins is None else _user_proteins(as_payload(proteins), folders.cache)
    marking = tuple(_user_markers(as_payload(one), folders.cache) for one in markers)
    is_offline = parameters.mode == "offline"
    return Resources(folders, installed, unavailable, own, marking, is_offline, imported)


def _installed(
    parameters: Parameters, folders: Folders
) -> tuple[dict[str, Installed], tuple[str, ...]]:
    if parameters.mode == "offline":
        return {}, ()
    installed, unavailable = {}, []
    for name, recipe in RECIPES.items():
        found = None if folders.databases is None else look_up(folders.databases, name)
        if found is None:
            if parameters.mode == "online":
                continue  # the services replace it; local databases are an extra in this mode
            why = f"not installed (`genint db install {name}`)"
            unavailable.append(f"{recipe.subject}: {why}, {recipe.without}")
        elif isinstance(found, Problem):
            why = f"{found.reason} ({found.cure})"
            unavailable.append(f"{recipe.subject}: {why}, {recipe.without}")
        else:
            installed[name] = found
    return installed, tuple(unavailable)


@contextmanager
def held_open(resources: Resources) -> Iterator[None]:
    """Keep what a run uses in place until it ends, and remove what it alone needed.

    Databases cannot be deleted under it meanwhile; nothing is blocked by that.
    """
    own = (*([resources.proteins] if resources.proteins else []), *resources.markers)
    try:
        with using(*resources.installed.values()):
            yield
    finally:
        for one in own:
            if one.is_temporary:
                shutil.rmtree(one.reference.folder, ignore_errors=True)


def _user_proteins(payload: Payload, cache_folder: Path) -> UserProteins:
    """Read and index the user's proteins; the index is kept where that can be."""
    from genint.knowledge.protein_index_build import build_index  # noqa: PLC0415 - numpy

    proteins = read_proteins(payload.content, payload.filename)
    make = partial(build_index, proteins)
    return _indexed(payload, cache_folder, len(proteins), make)


def _user_markers(payload: Payload, cache_folder: Path) -> UserProteins:
    """Read and index a file of markers, with what they mean beside the index."""
    from genint.knowledge.protein_index_build import build_index  # noqa: PLC0415 - numpy

    proteins = read_markers(payload.content, payload.filename)
    entries = [
        MarkerEntry(
            one.protein.entry.accession,
            one.gene or one.product,
            one.kind,
            meaning_of(one.product or one.gene, one.kind),
            one.product,
        )
        for one in proteins
    ]

    def make(folder: Path) -> None:
        build_index([one.protein for one in proteins], folder)
        write_markers(entries, folder)

    found = _indexed(payload, cache_folder, len(proteins), make, f"-markers{_MARKERS_VERSION}")
    return replace(found, means=frozenset(one.means for one in entries if one.means))


def _indexed(
    payload: Payload,
    cache_folder: Path,
    proteins: int,
    make: Callable[[Path], object],
    version: str = "",
) -> UserProteins:
    """The index of a user's file, kept where that can be."""
    from genint.knowledge.protein_index import INDEX_FORMAT, open_index  # noqa: PLC0415 - numpy
    from genint.sources.similarity.search import ReferenceDatabase  # noqa: PLC0415

    sha256 = hashlib.sha256(payload.content).hexdigest()
    folder = made_once(cache_folder, f"proteins-{sha256[:16]}-{INDEX_FORMAT}{version}", make)
    is_temporary = folder is None
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="genint-proteins-"))
        make(folder)
    reference = ReferenceDatabase(
        source=EvidenceSource.USER_PROTEINS,
        name=payload.filename,
        folder=folder,
        digest=open_index(folder).info.digest,
    )
    return UserProteins(reference, proteins, sha256, is_temporary)
