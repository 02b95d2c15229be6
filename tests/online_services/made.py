"""Answers made by rule from what a protein is said to be; nothing in them is real."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from .checksums import crc64_of, md5_of
from .made_entries import uniparc_record, uniprot_entry
from .made_matches import go_lines, matches_of
from .world import Json, World


class Known(Enum):
    """How well the services know a sequence."""

    REVIEWED = "reviewed"
    UNREVIEWED = "unreviewed"
    """Named by a rule of UniProt."""
    SUBMITTED = "submitted"
    """Unreviewed, with the name of the record that it came from."""
    UNIPARC_ONLY = "uniparc only"
    """No entry of UniProtKB; signatures are known."""
    WITHOUT_SIGNATURE = "without signature"
    """In UniParc, scanned, and nothing was found."""
    SPURIOUS = "spurious"
    """In UniParc alone, with a signature of AntiFam."""
    UNKNOWN = "unknown"


class Ids(NamedTuple):
    """Identifiers of a protein; empty where it has none."""

    refseq: str = ""
    cds: str = ""
    locus_tag: str = ""
    symbol: str = ""


NO_IDS = Ids()


@dataclass(frozen=True)
class Protein:
    """What a protein is said to be.

    Attributes:
        residues: One-letter codes without stop.
        product: Name; the services give it back by rule.
        known: How well they know it.
        eco: Evidence of the name of its entry; None: by kind.
        ec: EC numbers.
        pfam: Pfam accession and its name; None: made up.
        entry_type: Of the InterPro entry of its main signature.
        other_residues: The entry has this sequence instead (same locus, other sequence).
    """

    residues: str
    product: str = "Hypothetical protein"
    ids: Ids = NO_IDS
    taxon_id: int = 2681611
    organism: str = "Made-up phage"
    known: Known = Known.REVIEWED
    eco: str | None = None
    ec: tuple[str, ...] = ()
    pfam: tuple[str, str] | None = None
    entry_type: str = "Family"
    other_residues: str | None = None

    @property
    def md5(self) -> str:
        """Of its residues."""
        return md5_of(self.residues)

    @property
    def crc64(self) -> str:
        """Of its residues."""
        return crc64_of(self.residues)


HAVE_ENTRIES = (Known.REVIEWED, Known.UNREVIEWED, Known.SUBMITTED)


def world_of(proteins: Iterable[Protein]) -> World:
    """What the services know of these proteins, each as its ``known`` says."""
    entries: dict[str, Json] = {}
    records: dict[str, Json] = {}
    matches: dict[str, tuple[Json, ...]] = {}
    lines = []
    for protein in proteins:
        if protein.known is Known.UNKNOWN:
            continue
        found = matches_of(protein)
        lines += go_lines(protein)
        matches[protein.md5] = found
        accessions: list[str] = []
        if protein.known in HAVE_ENTRIES:
            entry = uniprot_entry(protein)
            _add(entries, entry)
            if protein.other_residues is None:
                accessions = [entry["primaryAccession"]]
        known = records.setdefault(protein.md5, uniparc_record(protein, found))
        known["uniProtKBAccessions"] += [
            one for one in accessions if one not in known["uniProtKBAccessions"]
        ]
    return World(
        tuple(entries.values()), tuple(records.values()), matches, tuple(dict.fromkeys(lines))
    )


def _add(entries: dict[str, Json], entry: Json) -> None:
    """Copies of one protein in one organism are one entry with the identifiers of all."""
    known = entries.setdefault(entry["primaryAccession"], entry)["uniProtKBCrossReferences"]
    known += [one for one in entry["uniProtKBCrossReferences"] if one not in known]


def by_rule(proteins: Sequence[Protein], unknown_share: float = 0.12) -> tuple[Protein, ...]:
    """The same proteins, known as well as their checksum has it.

    A share is unknown; of the others 40 % are reviewed, 30 % named by rule, 10 % submitted, 16 %
    in UniParc alone and 4 % without signature: much as for a phage or bacterium that is not a
    model organism.
    """
    return tuple(_known_by_rule(protein, unknown_share) for protein in proteins)


_SHARES = (
    (0.40, Known.REVIEWED),
    (0.70, Known.UNREVIEWED),
    (0.80, Known.SUBMITTED),
    (0.96, Known.UNIPARC_ONLY),
    (1.01, Known.WITHOUT_SIGNATURE),
)


def _known_by_rule(protein: Protein, unknown_share: float) -> Protein:
    chance = int(protein.md5[:8], 16) / 2**32
    if chance < unknown_share:
        return replace(protein, known=Known.UNKNOWN)
    rest = (chance - unknown_share) / (1 - unknown_share)
    known = next(kind for border, kind in _SHARES if rest < border)
    return replace(protein, known=known)
