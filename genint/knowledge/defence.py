"""Defence systems: the definitions of an installed PADLOC-DB.

A protein is recognised by a profile with limits of its own; a system is a set of genes that lie
close together (Payne LJ, et al. Nucleic Acids Res 2021;49:10868).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from genint.errors import UnavailableError
from genint.knowledge.table_files import read_table
from genint.model.evidence import by_gene
from genint.model.overview import MarkerHit

PRESSED = "profiles"
PROFILE_TABLE = "profiles.tsv"
PROFILE_COLUMNS = (
    *("accession", "name", "proteins", "groups", "description"),
    *("evalue_at_most", "profile_coverage_from", "protein_coverage_from"),
)
SYSTEM_TABLE = "systems.json"
CRISPR_ARRAY = "CRISPR_array"
"""What definitions call an array among the genes."""
_PARTED_BY = "|"
_DECIMALS = 3
"""To which shares of coverage are rounded before they are compared with a limit."""


class DefenceProfile(NamedTuple):
    """A profile of a protein of a defence system.

    Attributes:
        accession: Of the profile (``PDLC00001``).
        name: Of the profile.
        proteins: What definitions of systems call its protein; often one.
        groups: Groups of proteins that definitions name instead of each (``cas_effector``).
        description: What it is, in words.
        evalue_at_most: E-value of the best domain among the proteins of a genome, at most.
        profile_coverage_from: Share of the profile that this domain covers, at least.
        protein_coverage_from: Share of the protein that it covers, at least.
    """

    accession: str
    name: str
    proteins: tuple[str, ...]
    groups: tuple[str, ...]
    description: str
    evalue_at_most: float
    profile_coverage_from: float
    protein_coverage_from: float


@dataclass(frozen=True, slots=True)
class DefenceSystem:
    """What makes a defence system.

    Attributes:
        id: Such as ``RM_type_I``.
        title: For reports (``RM Type I``).
        group: Of systems that are alike; ``PDC`` for candidates.
        is_one_strand: All of its genes are on the same strand.
        most_between: Genes of others that may lie between two of it.
        least_core: Different core proteins, at least.
        least_total: Different core and secondary proteins, at least.
        core: Names of proteins or of groups, as defined.
        secondary: Not always there; count towards the total.
        neutral: Not always there; do not count.
        prohibited: May not be there.
    """

    id: str
    title: str
    group: str
    is_one_strand: bool
    most_between: int
    least_core: int
    least_total: int
    core: tuple[str, ...]
    secondary: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()
    prohibited: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """What the types of one system have in common: ``RM``."""
        return self.id.partition("_")[0]

    @property
    def is_other(self) -> bool:
        """Genes of a family that are none of its known types."""
        return "_other" in self.id


@dataclass(frozen=True, slots=True)
class DefenceDatabase:
    """Profiles and systems.

    Attributes:
        name: With its release, as reports call it.
        profiles: By accession.
        systems: In the order of the file.
        members: Group -> proteins in it.
    """

    name: str
    profiles: Mapping[str, DefenceProfile]
    systems: tuple[DefenceSystem, ...]
    members: Mapping[str, frozenset[str]]

    @classmethod
    def of(
        cls, name: str, profiles: Iterable[DefenceProfile], systems: Iterable[DefenceSystem]
    ) -> DefenceDatabase:
        """A database of profiles and systems."""
        known = {profile.accession: profile for profile in profiles}
        members: dict[str, set[str]] = {}
        for profile in known.values():
            for group in profile.groups:
                members.setdefault(group, set()).update(profile.proteins)
        groups = {group: frozenset(proteins) for group, proteins in members.items()}
        return cls(name, known, tuple(systems), groups)

    def proteins(self, names: Iterable[str]) -> frozenset[str]:
        """Proteins that names of a definition stand for: themselves, and members of groups."""
        listed = frozenset(names)
        return listed.union(*(self.members.get(name, frozenset()) for name in listed))

    def judged(
        self, markers: Mapping[str, Sequence[MarkerHit]], proteins: int
    ) -> Mapping[str, tuple[MarkerHit, ...]]:
        """Hits that keep the limits of their profile in a genome, with E-values of that genome.

        Args:
            markers: By gene id; hits of other references are left as they are. Those of this
                one have the E-values of one protein alone.
            proteins: How many the genome has.
        """
        return by_gene(
            judged
            for hits in markers.values()
            for hit in hits
            if (judged := self._judged(hit, proteins)) is not None
        )

    def _judged(self, hit: MarkerHit, proteins: int) -> MarkerHit | None:
        if hit.database != self.name:
            return hit
        profile, evalue = self.profiles.get(hit.accession), hit.evalue * proteins
        if profile is None or not is_within(profile, evalue, hit.target_coverage, hit.coverage):
            return None
        return hit._replace(evalue=evalue)


def is_within(
    profile: DefenceProfile, evalue: float, profile_coverage: float, protein_coverage: float
) -> bool:
    """Whether a hit keeps the limits of its profile."""
    return (
        evalue <= profile.evalue_at_most
        and round(profile_coverage, _DECIMALS) >= profile.profile_coverage_from
        and round(protein_coverage, _DECIMALS) >= profile.protein_coverage_from
    )


def load_defence(folder: Path, name: str) -> DefenceDatabase:
    """Read what ``genint db install padloc`` wrote.

    Args:
        folder: Of the installed version.
        name: With its release, as reports call it.

    Raises:
        UnavailableError: a file is gone or damaged.

    Cost: 20 ms.
    """
    try:
        systems = json.loads((folder / SYSTEM_TABLE).read_bytes())
        return DefenceDatabase.of(name, load_defence_profiles(folder), map(_system, systems))
    except (OSError, ValueError, TypeError) as problem:
        raise UnavailableError(
            f"{name}: {SYSTEM_TABLE} cannot be read; `genint db verify padloc` says what is wrong"
        ) from problem


def load_defence_profiles(folder: Path) -> tuple[DefenceProfile, ...]:
    """The profiles alone, in the order in which they are searched.

    Raises:
        UnavailableError: the table is gone.
        ValueError: it is damaged.
    """
    _, *rows = read_table(folder / PROFILE_TABLE)
    return tuple(_profile(row.split("\t")) for row in rows)


def profile_row(profile: DefenceProfile) -> tuple[str, ...]:
    """A profile as a row of the table."""
    return (
        profile.accession,
        profile.name,
        _PARTED_BY.join(profile.proteins),
        _PARTED_BY.join(profile.groups),
        profile.description,
        repr(profile.evalue_at_most),
        repr(profile.profile_coverage_from),
        repr(profile.protein_coverage_from),
    )


def _profile(row: list[str]) -> DefenceProfile:
    accession, name, proteins, groups, description, *limits = row
    evalue, profile_coverage, protein_coverage = map(float, limits)
    return DefenceProfile(
        *(accession, name, parted(proteins), parted(groups), description),
        *(evalue, profile_coverage, protein_coverage),
    )


def parted(text: str) -> tuple[str, ...]:
    """Names between vertical bars; none where it is empty."""
    return tuple(part for part in text.split(_PARTED_BY) if part)


def _system(item: Mapping[str, object]) -> DefenceSystem:
    values = {name: tuple(x) if isinstance(x, list) else x for name, x in item.items()}
    return DefenceSystem(**values)  # type: ignore[arg-type]  # as the builder wrote them
