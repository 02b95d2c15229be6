"""Families of Pfam: what each is called, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from genint.knowledge.cog import CogCall, load_cog_calls
from genint.knowledge.installed_tables import (
    NOTHING_INSTALLED,
    InstalledTables,
    read_go_terms,
    read_pfam2go,
    read_table,
)
from genint.knowledge.lazy_table import LazyTable
from genint.knowledge.shipped import GO_TERMS, PFAM_FAMILIES, read_lines
from genint.model.evidence import GoTerm
from genint.model.vocabulary import GoAspect


class EntryType(StrEnum):
    """What an InterPro entry stands for."""

    FAMILY = "family"
    """Whole proteins of common descent and function."""
    DOMAIN = "domain"
    REPEAT = "repeat"
    CONSERVED_SITE = "conserved_site"
    PTM = "ptm"
    """Site that is modified after translation."""


@dataclass(frozen=True, slots=True)
class InterProEntry:
    """The InterPro entry that a family belongs to."""

    accession: str
    type: EntryType
    name: str


@dataclass(frozen=True, slots=True)
class Family:
    """One Pfam family.

    Attributes:
        accession: Without version, such as PF03237.
        version: Version of the accession.
        name: Short name, such as Terminase_6N.
        description: What Pfam says that it is.
        length_aa: Match positions of the profile.
        gathering_bits: Score from which a protein is a member.
        interpro: Entry that it belongs to; None where there is none.
        go: Terms of that entry; they hold for every member.
        cog: COG letter learned from proteins that carry it; None without grounds.
    """

    accession: str
    version: int
    name: str
    description: str
    length_aa: int
    gathering_bits: float
    interpro: InterProEntry | None
    go: tuple[GoTerm, ...]
    cog: CogCall | None

    @property
    def stands_for_protein(self) -> bool:
        """Whether a member is known by it as a whole, not by a domain of it only."""
        return self.interpro is not None and self.interpro.type is EntryType.FAMILY


PACK_DATABASE = "Pfam 35.0"
"""Name and release of the families that ship."""


@dataclass(frozen=True)
class FamilyTable:
    """All families by accession without version.

    Attributes:
        families: Those of the pack, or of the installed Pfam-A.
        database: Name and release of what they come from.
    """

    families: Mapping[str, Family]
    database: str = PACK_DATABASE

    def __getitem__(self, accession: str) -> Family:
        return self.families[accession]

    def __contains__(self, accession: object) -> bool:
        return accession in self.families

    def __len__(self) -> int:
        return len(self.families)

    @cached_property
    def by_name(self) -> Mapping[str, Family]:
        """Families by their short name."""
        return MappingProxyType({family.name: family for family in self.families.values()})


def load_families(installed: InstalledTables = NOTHING_INSTALLED) -> FamilyTable:
    """Read what Pfam families mean.

    Args:
        installed: Tables of Pfam-A and of the Gene Ontology that are used instead of those
            that ship. InterPro entries, and letters of COG, are those that ship.

    Raises:
        UnavailableError: an installed table is gone.

    Cost: 5 ms; each family is read when it is asked for. Installed tables 60 ms.
    """
    shipped = _shipped_families(_go_of_families(installed))
    if installed.pfam_families is None:
        return FamilyTable(shipped)
    go_of, cog = _go_of_families(installed), load_cog_calls()

    def read(row: tuple[str, ...]) -> Family:
        versioned, name, length, gathering, _type, _clan, description = row
        accession, _, version = versioned.partition(".")
        known = shipped.get(accession)
        shipped_go = known.go if known else ()
        return Family(
            accession=accession,
            version=int(version or 0),
            name=name,
            description=description,
            length_aa=int(length),
            gathering_bits=float(gathering),
            interpro=known.interpro if known else None,
            go=shipped_go if go_of is None else go_of(accession),
            cog=cog.get(accession),
        )

    rows = read_table(installed.pfam_families)[1:]  # behind the heading
    return FamilyTable(LazyTable(rows, read, _unversioned), installed.pfam_database)


GoOf = Callable[[str], tuple[GoTerm, ...]]
"""Terms of a Pfam accession."""


def _shipped_families(go_of: GoOf | None) -> Mapping[str, Family]:
    terms, cog = read_pfam_go_terms(), load_cog_calls()

    def read(row: tuple[str, ...]) -> Family:
        family = _family(row, terms, cog)
        return family if go_of is None else replace(family, go=go_of(family.accession))

    return LazyTable(read_lines(PFAM_FAMILIES), read, _unversioned)


def _go_of_families(installed: InstalledTables) -> GoOf | None:
    """Terms by the installed mapping; None where there is none."""
    if installed.pfam2go is None or installed.go_terms is None:
        return None
    mapping, terms = read_pfam2go(installed.pfam2go), read_go_terms(installed.go_terms)

    def go_of(accession: str) -> tuple[GoTerm, ...]:
        # A mapping may be newer than the ontology, or still name a term that became obsolete.
        known = (terms[id_] for id_ in mapping.get(accession, ()) if id_ in terms)
        return tuple({term.id: term for term in known}.values())

    return go_of


def read_pfam_go_terms() -> Mapping[str, GoTerm]:
    """The terms of the families by id."""
    return LazyTable(read_lines(GO_TERMS), _go_term)


def _go_term(row: tuple[str, ...]) -> GoTerm:
    id_, aspect, name = row
    return GoTerm(id_, name, GoAspect(aspect))


def _unversioned(accession: str) -> str:
    return accession.partition(".")[0]


def _family(
    row: tuple[str, ...], terms: Mapping[str, GoTerm], cog: Mapping[str, CogCall]
) -> Family:
    versioned, name, length, gathering, entry, kind, entry_name, go, description = row
    accession, _, version = versioned.partition(".")
    return Family(
        accession=accession,
        version=int(version),
        name=name,
        description=description,
        length_aa=int(length),
        gathering_bits=float(gathering),
        interpro=InterProEntry(entry, EntryType(kind), entry_name) if entry else None,
        go=tuple(terms[term] for term in go.split()),
        cog=cog.get(accession),
    )
