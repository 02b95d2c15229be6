"""Families of genint's own: their names, and the support of each name.

They are built at release time (``training/families``) from annotated proteins. A family is named
after its members; how many of them carry the name, from how many records, and how well they
agree decides how reliable the name is.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path

from genint.knowledge.products import Product, ProductVocabulary, load_products
from genint.knowledge.spelling import mended
from genint.knowledge.table_files import (
    BACTERIAL_FAMILIES,
    GO_TERMS,
    HEADER_BYTES,
    OWN_FAMILIES,
    OWN_FAMILY_MEMBERS,
    PHAGE_FAMILIES,
    PRODUCT_GO_TERMS,
    LazyTable,
    read_from,
    read_header,
    read_lines,
    read_start,
    shipped_go_terms,
)
from genint.model.evidence import GoTerm, residues_digest

DATABASE = "genint families"
LEAST_CONSENSUS = 0.6
"""Share of the weight of names from which a family has one; in phages half is enough where only a
class has more. A name that a person decided on counts as so much at least, which says nothing of
the names of members."""
_PFAM_COLUMN = 15
_RELEASE = 1
_HASH_DIGITS = len(residues_digest(""))
_DIGEST_DIGITS = 8


class FamilyPack(StrEnum):
    """Which of the two packs a family is in."""

    PHAGE = "phage"
    """A phage or prophage has a member."""
    BACTERIA = "bacteria"

    @property
    def file(self) -> str:
        """Name of the pack's file."""
        return PHAGE_FAMILIES if self is FamilyPack.PHAGE else BACTERIAL_FAMILIES


@dataclass(frozen=True, slots=True)
class OwnFamily:
    """One family.

    Attributes:
        id: Such as GF0A1B2C3D.
        pack: Where its profile is.
        name: What its members are called, spelt as it is meant.
        product: The term of the vocabulary that the name is; None where it has none.
        symbol: Gene symbol that its members share; None without one.
        length_aa: Match positions of the profile.
        threshold_bits: Score from which a protein is taken for a member.
        members: Distinct proteins that it was made from.
        named_members: Those of them with an informative name.
        records: Genomes and database entries that the members come from.
        consensus: Share of the weight of names that agree with its name, 0..1.
        informative: Share of the names that are informative, 0..1.
        origins: Origin of the names and how many come from it, best origin first.
        cog: COG letter of its members; None where it is not reliable.
        cog_purity: Share of the members with a known letter that have this one, 0..1.
        pfam: Pfam families that most of its members carry.
        go: Terms that hold for its members.
        vague: Its name is a class (tail protein), not a function.
        ec: Enzyme numbers that its curated members share, open ones (1.2.3.-) among them.
    """

    id: str
    pack: FamilyPack
    name: str
    product: Product | None
    symbol: str | None
    length_aa: int
    threshold_bits: float
    members: int
    named_members: int
    records: int
    consensus: float
    informative: float
    origins: tuple[tuple[str, int], ...]
    cog: str | None
    cog_purity: float
    pfam: tuple[str, ...]
    go: tuple[GoTerm, ...]
    vague: bool
    ec: tuple[str, ...] = ()


@dataclass(frozen=True)
class OwnFamilyTable:
    """All families by id.

    Attributes:
        version: Of the build: a release number and a checksum.
        families: By id.
        agreeing: Family id to the first digits of the hashes of the members that carry
            its name, one after the other.
    """

    version: str
    families: Mapping[str, OwnFamily]
    agreeing: Mapping[str, str]

    def __getitem__(self, id: str) -> OwnFamily:
        return self.families[id]

    def __contains__(self, id: object) -> bool:
        return id in self.families

    def __len__(self) -> int:
        return len(self.families)

    @cached_property
    def database(self) -> str:
        """Name and version, as evidence cites it."""
        return f"{DATABASE} {self.version}"

    @cached_property
    def with_pfam(self) -> Mapping[str, tuple[str, ...]]:
        """By family of Pfam, the ids of the families whose members carry it.

        Cost: 30 ms for 12,000 families.
        """
        found: defaultdict[str, list[str]] = defaultdict(list)
        carried: Iterable[tuple[str, str]]
        if isinstance(self.families, LazyTable):
            carried = self.families.column(_PFAM_COLUMN)
        else:
            carried = ((id, " ".join(family.pfam)) for id, family in self.families.items())
        for id, accessions in carried:
            for accession in accessions.split():
                found[accession].append(id)
        return {accession: tuple(ids) for accession, ids in found.items()}

    def named_members_of(self, id: str) -> frozenset[str]:
        """Digests (:func:`residues_digest`) of the members that carry the family's name."""
        hashes = self.agreeing.get(id, "")
        return frozenset(
            hashes[at : at + _HASH_DIGITS] for at in range(0, len(hashes), _HASH_DIGITS)
        )


def load_own_families(
    folder: Path | None = None, products: ProductVocabulary | None = None
) -> OwnFamilyTable:
    """Read the families that ship with genint, or those of another build.

    Args:
        folder: Where the build is; None for what ships.
        products: The vocabulary; None to read it.

    Raises:
        UnavailableError: the folder lacks a file.

    Cost: 10 ms for 4,000 families, each read on first use; what ships is read once.
    """
    shipped = load_products()
    if folder is None and products in (None, shipped):
        return _shipped_families()
    return _read_families(folder, products or shipped)


@cache
def _shipped_families() -> OwnFamilyTable:
    return _read_families(None, load_products())


def _read_families(folder: Path | None, vocabulary: ProductVocabulary) -> OwnFamilyTable:
    terms = (shipped_go_terms(PRODUCT_GO_TERMS), shipped_go_terms(GO_TERMS))
    return OwnFamilyTable(
        version=build_version(folder),
        families=LazyTable(
            read_lines(OWN_FAMILIES, folder), lambda row: _family(row, vocabulary, terms)
        ),
        agreeing=LazyTable(read_lines(OWN_FAMILY_MEMBERS, folder), lambda row: row[1]),
    )


def read_pack(pack: FamilyPack, folder: Path | None = None) -> bytes:
    """The profiles of a pack, to be decoded.

    Raises:
        UnavailableError: the folder lacks it.
    """
    return read_from(folder, pack.file)


def build_version(folder: Path | None = None) -> str:
    """Release and a checksum of names and profiles: another build is never taken for this one.

    Cost: 10 ms; what ships is read once.
    """
    return _shipped_version() if folder is None else _read_version(folder)


@cache
def _shipped_version() -> str:
    return _read_version(None)


def _read_version(folder: Path | None) -> str:
    content = hashlib.sha256(read_from(folder, OWN_FAMILIES))
    content.update(read_from(folder, OWN_FAMILY_MEMBERS))
    for pack in FamilyPack:
        content.update(read_header(read_start(folder, pack.file, HEADER_BYTES)).digest.encode())
    return f"{_RELEASE}-{content.hexdigest()[:_DIGEST_DIGITS]}"


def _family(
    row: tuple[str, ...],
    vocabulary: ProductVocabulary,
    terms: tuple[Mapping[str, GoTerm], ...],
) -> OwnFamily:
    (
        id_, pack, name, product, symbol, length, threshold, members, named, records, consensus,
        informative, origins, cog, purity, pfam, go, vague, ec,
    ) = row  # fmt: skip
    return OwnFamily(
        id=id_,
        pack=FamilyPack(pack),
        name=mended(name),
        product=vocabulary.products.get(product) if product else None,
        symbol=symbol or None,
        length_aa=int(length),
        threshold_bits=float(threshold),
        members=int(members),
        named_members=int(named),
        records=int(records),
        consensus=float(consensus),
        informative=float(informative),
        origins=tuple(_origin(part) for part in origins.split()),
        cog=cog or None,
        cog_purity=float(purity or 0),
        pfam=tuple(pfam.split()),
        go=tuple(_term(id_, terms) for id_ in go.split()),
        vague=bool(vague),
        ec=tuple(ec.split()),
    )


def _term(id: str, tables: tuple[Mapping[str, GoTerm], ...]) -> GoTerm:
    """The term of the first table that knows it; without a name where none does."""
    return next((table[id] for table in tables if id in table), GoTerm(id, ""))


def _origin(text: str) -> tuple[str, int]:
    name, _, count = text.partition(":")
    return name, int(count)
