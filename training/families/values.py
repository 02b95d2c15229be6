"""What the build of our own families passes from step to step: frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple


class Origin(StrEnum):
    """Who named a protein."""

    SWISSPROT = "swissprot"
    SUBMITTER = "submitter"
    SEED = "seed"
    AUTOMATIC = "automatic"
    MACHINE = "machine"

    @property
    def weight(self) -> int:
        """How much a name of this origin counts; 0: its protein helps to cluster only."""
        return _WEIGHTS[self]


_WEIGHTS = {
    Origin.SWISSPROT: 5,
    Origin.SUBMITTER: 3,
    Origin.SEED: 1,
    Origin.AUTOMATIC: 1,
    Origin.MACHINE: 0,
}


class Lineage(StrEnum):
    """Where a protein was found; a prophage's protein is a phage's."""

    PHAGE = "phage"
    BACTERIA = "bacteria"
    ARCHAEA = "archaea"


class Naming(NamedTuple):
    """What one record says of a protein.

    Attributes:
        record: Accession without version, or ``sprot:<accession>`` for a protein of
            a pooled collection: what an exclusion names.
        product: As written; empty if the record gives none.
        symbol: Gene symbol as written, or empty.
        origin: Who gave the name.
        lineage: Of the record, or of the collection.
        ec: Enzyme numbers that the record gives, sorted.
    """

    record: str
    product: str
    symbol: str
    origin: Origin
    lineage: Lineage
    ec: tuple[str, ...] = ()


class CogLetter(NamedTuple):
    """A COG letter that one record gives a protein."""

    record: str
    letter: str


@dataclass(frozen=True, slots=True)
class TrainingProtein:
    """One sequence with all that its records say of it.

    Attributes:
        hash: SHA-256 (hex) of the residues.
        residues: Upper case, without the stop.
        namings: Sorted; at least one.
        cog_letters: COG letters where they are known, with who says so, sorted.
    """

    hash: str
    residues: str
    namings: tuple[Naming, ...]
    cog_letters: tuple[CogLetter, ...] = ()

    @property
    def cogs(self) -> tuple[str, ...]:
        """COG letters, sorted."""
        return tuple(sorted({call.letter for call in self.cog_letters}))

    @property
    def records(self) -> frozenset[str]:
        """Records that carry this sequence."""
        return frozenset(naming.record for naming in self.namings)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """What a blind build must not know.

    Attributes:
        records: Ids of records, as in :attr:`Naming.record`.
        proteins: SHA-256 (hex) of residues: out, whichever record has them.
    """

    records: frozenset[str] = frozenset()
    proteins: frozenset[str] = frozenset()

    def masks(self, protein: TrainingProtein) -> bool:
        """Whether anything of the protein is hidden."""
        return protein.hash in self.proteins or not self.records.isdisjoint(protein.records)


@dataclass(frozen=True, slots=True)
class Corpus:
    """All training proteins, by hash and in its order."""

    proteins: Mapping[str, TrainingProtein]

    def without(self, exclusion: Exclusion) -> Corpus:
        """The corpus as if the excluded records and proteins did not exist.

        A protein that another record has too keeps what that one says: its names and
        its COG letters.
        """
        kept: dict[str, TrainingProtein] = {}
        for key, protein in self.proteins.items():
            if not exclusion.masks(protein):
                kept[key] = protein
            elif key not in exclusion.proteins:
                namings = tuple(
                    naming for naming in protein.namings if naming.record not in exclusion.records
                )
                calls = tuple(
                    call for call in protein.cog_letters if call.record not in exclusion.records
                )
                if namings:
                    kept[key] = replace(protein, namings=namings, cog_letters=calls)
        return Corpus(kept)


@dataclass(frozen=True, slots=True)
class Cluster:
    """Proteins that cluster together.

    Attributes:
        id: ``GF`` and the first 8 hex digits of the representative's hash, upper
            case; the same when members are masked.
        members: Hashes, sorted.
        whole: Id of the cluster that this is a part of; empty for a whole one.
    """

    id: str
    members: tuple[str, ...]
    whole: str = ""
