"""The files that ship with genint or are installed: tables, and headers of profile packs."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from genint.errors import UnavailableError
from genint.model.evidence import GoTerm
from genint.model.vocabulary import GoAspect

_Value = TypeVar("_Value")

PFAM_PACK = "pfam_pack.bin"
PFAM_FAMILIES = "pfam_families.tsv"
GO_TERMS = "go_terms.tsv"
PFAM_COG = "pfam_cog.tsv"
PHAGE_FAMILIES = "phage_families.bin"
BACTERIAL_FAMILIES = "bacterial_families.bin"
OWN_FAMILIES = "families.tsv"
OWN_FAMILY_MEMBERS = "family_members.tsv"
COLUMN_KINDS = "column_kinds.tsv"
PRODUCTS = "products.tsv"
PRODUCT_KEYS = "product_keys.tsv"
PRODUCT_GO_TERMS = "product_go_terms.tsv"
ROLES = "roles.toml"
FUNCTION_WORDS = "function_words.toml"
CONFIDENCE = "confidence.toml"
GENE_ORDER = "gene_order.toml"
RESCUE = "rescue.toml"
NAME_LENGTHS = "name_lengths.tsv"
DARK_RANKING = "dark_ranking.toml"
CONTIG_KINDS = "contig_kinds.toml"
RELATIVES = "relatives.tsv"
RELATIVE_LIMITS = "relatives.toml"
LIFESTYLES = "lifestyles.toml"
SAFETY_MARKERS = "safety_markers.toml"
DEFENCE_NAMES = "defence_names.toml"
UNIVERSAL_PROTEINS = "universal_proteins.toml"
PROPHAGES = "prophages.toml"
RECORD_KINDS = "record_kinds.toml"


class LazyTable(Mapping[str, _Value], Generic[_Value]):
    """Values of the rows of a table by their first column, made when first used and kept.

    Args:
        lines: Rows, columns parted by tabs.
        read: Makes the value of the columns of a row.
        key: Makes the key of the first column.

    Cost: one microsecond a row, and ``read`` once for each row that is looked up.
    """

    def __init__(
        self,
        lines: Iterable[str],
        read: Callable[[tuple[str, ...]], _Value],
        key: Callable[[str], str] = str,
    ) -> None:
        self._lines = {key(line.partition("\t")[0]): line for line in lines}
        self._read = read
        self._values: dict[str, _Value] = {}

    def __getitem__(self, id: str) -> _Value:
        value = self._values.get(id)
        if value is None:
            value = self._values[id] = self._read(tuple(self._lines[id].split("\t")))
        return value

    def column(self, number: int) -> Iterator[tuple[str, str]]:
        """Key and one column of every row, of which nothing else is read; the first is 0.

        Cost: two microseconds a row.
        """
        for id, line in self._lines.items():
            yield id, line.split("\t", number + 1)[number]

    def __contains__(self, id: object) -> bool:
        return id in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


class InstalledTables(NamedTuple):
    """Paths of the tables of installed databases.

    Attributes:
        pfam_families: Families of the installed Pfam-A.
        pfam_database: Its name and release, such as ``Pfam 38.0``.
        go_terms: Terms of the Gene Ontology.
        pfam2go: Terms of Pfam families.
        interpro2go: Terms of InterPro entries.
        cog_definitions: Letters of COGs.
    """

    pfam_families: Path | None = None
    pfam_database: str = ""
    go_terms: Path | None = None
    pfam2go: Path | None = None
    interpro2go: Path | None = None
    cog_definitions: Path | None = None


NOTHING_INSTALLED = InstalledTables()


@dataclass(frozen=True, slots=True)
class Terms:
    """What identifiers of a file mean, where such tables are installed.

    Attributes:
        go: Id -> term; ids that were merged into another one give that one.
        cog: COG id -> its letters.
    """

    go: Mapping[str, GoTerm] = field(default_factory=dict)
    cog: Mapping[str, str] = field(default_factory=dict)

    def completed(self, term: GoTerm) -> GoTerm:
        """A term with the name and aspect that it lacks, under its own id."""
        known = self.go.get(term.id)
        if known is None:
            return term
        return GoTerm(term.id, term.name or known.name, term.aspect or known.aspect)


NO_TERMS = Terms()


def load_terms(tables: InstalledTables) -> Terms:
    """Read the meaning of identifiers.

    Raises:
        UnavailableError: a table is gone.

    Cost: 60 ms for the Gene Ontology.
    """
    return Terms(read_go_terms(tables.go_terms), _cog_letters(tables.cog_definitions))


def read_go_terms(file: Path | None) -> Mapping[str, GoTerm]:
    """Terms by id; rows are id, aspect, name, and the main id where that is another."""
    return {} if file is None else LazyTable(read_table(file), _go_term)


def shipped_go_terms(name: str) -> Mapping[str, GoTerm]:
    """Terms by id, of a table that ships."""
    return LazyTable(read_lines(name), _go_term)


def _go_term(row: tuple[str, ...]) -> GoTerm:
    id_, aspect, name, *main = row
    return GoTerm(next(filter(None, main), id_), name, GoAspect(aspect))


def read_pfam2go(file: Path) -> Mapping[str, tuple[str, ...]]:
    """Pfam accession -> ids of its terms."""
    return LazyTable(read_table(file), lambda row: tuple(row[1].split()))


def read_interpro2go(file: Path, go_terms: Path) -> Mapping[str, tuple[GoTerm, ...]]:
    """InterPro accession -> its terms, with names.

    Raises:
        UnavailableError: a table is gone.
    """
    named = read_go_terms(go_terms)

    def terms(row: tuple[str, ...]) -> tuple[GoTerm, ...]:
        return tuple(named.get(id_) or GoTerm(id_, "") for id_ in row[1].split())

    return LazyTable(read_table(file), terms)


def _cog_letters(file: Path | None) -> Mapping[str, str]:
    return {} if file is None else LazyTable(read_table(file), lambda row: row[1])


def read_table(file: Path) -> list[str]:
    """Lines of a table of an installed database.

    Raises:
        UnavailableError: it is gone.
    """
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as cause:
        raise UnavailableError(
            f"{file.parent.parent.name}: the installed database cannot be read; `genint db verify "
            f"{file.parent.parent.name}` says what is wrong and what to do"
        ) from cause


def read_shipped(name: str) -> bytes:
    """The bytes of a file in ``genint/knowledge/data``.

    Raises:
        FileNotFoundError: the installation lacks it.
    """
    return resources.files("genint.knowledge").joinpath("data", name).read_bytes()


def read_from(folder: Path | None, name: str) -> bytes:
    """The bytes of a file of a build in ``folder``; of what ships where that is None.

    Raises:
        UnavailableError: the folder lacks it.
    """
    if folder is None:
        return read_shipped(name)
    try:
        return (folder / name).read_bytes()
    except OSError as cause:
        raise _no_build(folder, cause) from cause


def read_start(folder: Path | None, name: str, length_bytes: int) -> bytes:
    """The first bytes of a file that :func:`read_from` reads, such as the header of a pack.

    Raises:
        UnavailableError: the folder lacks it.
    """
    if folder is None:
        place = resources.files("genint.knowledge").joinpath("data", name)
        with place.open("rb") as stream:
            return stream.read(length_bytes)
    try:
        with (folder / name).open("rb") as stream:
            return stream.read(length_bytes)
    except OSError as cause:
        raise _no_build(folder, cause) from cause


def _no_build(folder: Path, cause: OSError) -> UnavailableError:
    return UnavailableError(f"{folder}: no build of families is there: {cause}")


def read_lines(name: str, folder: Path | None = None) -> list[str]:
    """Lines of a table without ``#`` comments and without the heading.

    Args:
        name: Of the file.
        folder: Where it is; None for what ships.
    """
    lines = read_from(folder, name).decode().splitlines()
    first = next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return [line for line in lines[first + 1 :] if not line.startswith("#")]


def read_rows(name: str, folder: Path | None = None) -> tuple[tuple[str, ...], ...]:
    """Rows of a table (tabs, ``#`` comments, one heading line), without the heading.

    Args:
        name: Of the file.
        folder: Where it is; None for what ships.
    """
    return tuple([tuple(line.split("\t")) for line in read_lines(name, folder)])


FORMAT_VERSION = 3
MAGIC = b"GIPROFIL"
HEADER = struct.Struct("<8sHIQ32s")
STEPS = struct.Struct("<H")
"""Behind the header."""
HEADER_BYTES = HEADER.size + STEPS.size
"""So many bytes of a file are enough for :func:`read_header`."""
FINEST_STEPS = 12
"""Per bit. Finer ones would put probabilities that HMMER scores beyond the byte."""


class PackHeader(NamedTuple):
    """Header of a profile pack.

    Attributes:
        profiles: How many it holds.
        payload_bytes: Size when unpacked.
        digest: SHA-256 of what was packed, hex: its identity.
        steps_per_bit: How finely probabilities are kept.
    """

    profiles: int
    payload_bytes: int
    digest: str
    steps_per_bit: int


def read_header(packed: bytes) -> PackHeader:
    """Read the header of a pack; needs its first bytes only.

    Raises:
        UnavailableError: not a pack, or of a version that is not known here.
    """
    if len(packed) < HEADER.size or not packed.startswith(MAGIC):
        raise UnavailableError("the profile pack is damaged: it has no header")
    _, version, profiles, payload_bytes, digest = HEADER.unpack_from(packed)
    if version != FORMAT_VERSION:
        raise UnavailableError(
            f"the profile pack has format {version}, this version reads {FORMAT_VERSION}"
        )
    if len(packed) < HEADER_BYTES:
        raise UnavailableError("the profile pack is damaged: its header is cut off")
    (steps_per_bit,) = STEPS.unpack_from(packed, HEADER.size)
    if not 1 <= steps_per_bit <= FINEST_STEPS:
        raise UnavailableError(f"the profile pack is damaged: it has {steps_per_bit} steps a bit")
    return PackHeader(profiles, payload_bytes, digest.hex(), steps_per_bit)
