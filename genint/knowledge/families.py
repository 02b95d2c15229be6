"""Families of the profile pack: what each is called, and what is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from genint.knowledge.cog import CogCall, load_cog_calls
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
    """One Pfam family of the pack.

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


@dataclass(frozen=True)
class FamilyTable:
    """All families of the pack by accession without version."""

    families: Mapping[str, Family]

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


def load_families() -> FamilyTable:
    """Read the tables that ship with genint.

    Cost: 5 ms; each family is read when it is asked for.
    """
    terms = read_pfam_go_terms()
    cog = load_cog_calls()
    rows = read_lines(PFAM_FAMILIES)
    return FamilyTable(LazyTable(rows, lambda row: _family(row, terms, cog), _unversioned))


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
