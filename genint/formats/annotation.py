"""The neutral record that every GenBank front-end yields and one builder reads.

A front-end knows one library and turns what that library gives into
:class:`RawFeature`; nothing behind it can tell which front-end read the record.
"""

from __future__ import annotations

from typing import NamedTuple

from genint.model.genome import Qualifier, Topology


class RawPart(NamedTuple):
    """One stretch of a location as the file writes it.

    Attributes:
        first: 1-based first base as written (0 or negative in broken files).
        last: 1-based last base, inclusive; smaller than ``first`` over an origin.
        reverse: Read from the reverse strand.
        low_open: The end at ``first`` is marked ``<`` or ``>``.
        high_open: The end at ``last`` is marked ``<`` or ``>``.
        record: Accession of another record that the stretch lies on, else None.
    """

    first: int
    last: int
    reverse: bool = False
    low_open: bool = False
    high_open: bool = False
    record: str | None = None


class RawLocation(NamedTuple):
    """Parts in the order of transcription; () where the text cannot be understood.

    ``doubt`` says what was guessed (``order``, ``one-of``, positions in a range).
    """

    parts: tuple[RawPart, ...]
    doubt: str | None = None


class RawFeature(NamedTuple):
    """One entry of a feature table.

    Attributes:
        key: Such as CDS, gene, tRNA.
        location: Where, as written.
        qualifiers: In file order, quotes and line breaks resolved.
        line: 1-based line of the file that the entry starts on.
    """

    key: str
    location: RawLocation
    qualifiers: tuple[Qualifier, ...]
    line: int

    def value(self, name: str) -> str | None:
        """First non-empty value of a qualifier, stripped; None where there is none."""
        for qualifier in self.qualifiers:
            if qualifier.name == name and qualifier.value and qualifier.value.strip():
                return qualifier.value.strip()
        return None

    def has(self, *names: str) -> bool:
        """Whether one of the qualifiers is there, with or without a value."""
        return any(qualifier.name in names for qualifier in self.qualifiers)


class RecordHeader(NamedTuple):
    """What stands above the feature table.

    Attributes:
        name: Name in the LOCUS line; empty where it has none.
        stated_bp: Length in the LOCUS line, None where it cannot be read.
        unit: ``bp``, ``aa`` (protein) or ``rc`` (records of a master).
        molecule_type: Such as DNA or ss-DNA.
        topology: None where the LOCUS line does not say.
        keywords: First-column keywords of the record (WGS, CONTIG, ...).
    """

    name: str
    stated_bp: int | None
    unit: str
    molecule_type: str | None
    topology: Topology | None
    definition: str
    accession: str
    version: str
    organism: str | None
    lineage: tuple[str, ...]
    keywords: frozenset[str]


KEYS_READ = frozenset(
    {
        "CDS",
        "gene",
        "source",
        "tRNA",
        "rRNA",
        "tmRNA",
        "ncRNA",
        "misc_RNA",
        "antisense_RNA",
        "snRNA",
        "snoRNA",
        "scRNA",
    }
)
"""Feature keys that the builder looks at; front-ends drop all others."""


def clean_value(name: str, value: str) -> str:
    """A qualifier's value on one line.

    Lines of a wrapped value are joined by a blank (residues of a translation by
    nothing); runs of blanks become one, as line breaks leave no other trace.
    """
    if name == "translation":
        return "".join(value.split())
    if "\n" in value or "  " in value or value != value.strip():
        return " ".join(value.split())
    return value
