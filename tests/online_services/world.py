"""What the fake services know, and how they behave where nobody knows how the real ones do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, Literal, NamedTuple, Self

Json = Any
"""A JSON value; objects are plain dictionaries."""


class Release(NamedTuple):
    """Of one service, as it writes it itself."""

    version: str
    date: str


UNIPROT_RELEASE = Release("2026_03", "02-September-2026")
INTERPRO_RELEASE = Release("109.0", "2026-09-17")
LIBRARIES: Mapping[str, str] = {
    "PRINTS": "42.0",
    "COILS": "2.2.1",
    "Phobius": "1.01",
    "Pfam": "38.1",
    "PIRSF": "3.10",
    "NCBIFAM": "18.0",
    "PROSITE profiles": "2026_01",
    "CATH-FunFam": "4.3.0",
    "CATH-Gene3D": "4.3.0",
    "CDD": "3.21",
    "SFLD": "4",
    "PIRSR": "2026_01",
    "MobiDB-lite": "4.0",
    "SUPERFAMILY": "1.75",
    "SMART": "9.0",
    "HAMAP": "2026_01",
    "PROSITE patterns": "2026_01",
    "AntiFam": "8.0",
    "PANTHER": "19.0",
}
"""Name and version of what InterPro runs."""


class GoLine(NamedTuple):
    """One line of interpro2go."""

    entry: str
    entry_name: str
    go_id: str
    go_name: str


@dataclass(frozen=True)
class World:
    """All that the services know.

    Attributes:
        entries: Of UniProtKB, active and inactive, whole.
        uniparc: Light records of UniParc.
        matches: MD5 -> what InterPro found in that sequence; no key: it does not know it.
        go: Lines of interpro2go.
        uniprot_release, interpro_release: Shown by every answer of UniProt, and by ``/info``.
        libraries: Name -> version of what InterPro runs.
    """

    entries: tuple[Json, ...] = ()
    uniparc: tuple[Json, ...] = ()
    matches: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    go: tuple[GoLine, ...] = ()
    uniprot_release: Release = UNIPROT_RELEASE
    interpro_release: Release = INTERPRO_RELEASE
    libraries: Mapping[str, str] = field(default_factory=lambda: dict(LIBRARIES))

    def __add__(self, other: Self) -> Self:
        """All of both; the releases of the first."""
        return replace(
            self,
            entries=self.entries + other.entries,
            uniparc=self.uniparc + other.uniparc,
            matches={**self.matches, **other.matches},
            go=tuple(dict.fromkeys(self.go + other.go)),
        )

    def with_releases(self, uniprot: str | None = None, interpro: str | None = None) -> Self:
        """The same in later releases; InterPro's libraries get a version of their own each."""
        world = self
        if uniprot is not None:
            world = replace(world, uniprot_release=Release(uniprot, "18-November-2026"))
        if interpro is not None:
            libraries = {name: f"{version}+{interpro}" for name, version in self.libraries.items()}
            release = Release(interpro, "2026-11-19")
            world = replace(world, interpro_release=release, libraries=libraries)
        return world

    @cached_property
    def entry_of(self) -> Mapping[str, Json]:
        """Entry of UniProtKB by its primary accession."""
        return {entry["primaryAccession"]: entry for entry in self.entries}

    @cached_property
    def entries_by(self) -> Mapping[tuple[str, str], tuple[Json, ...]]:
        """Active entries by kind of identifier and identifier in lower case.

        Kinds: ``checksum`` (MD5 and CRC64), ``organism_id``, ``xref`` (``refseq-np_1.1``, with and
        without version), ``accession``, ``uniparc``, ``gene``.
        """
        found: dict[tuple[str, str], list[Json]] = {}
        for entry in self.entries:
            if entry["entryType"] != "Inactive":
                for key in dict.fromkeys(_keys(entry)):
                    found.setdefault(key, []).append(entry)
        return {key: tuple(sorted(some, key=_rank)) for key, some in found.items()}

    @cached_property
    def uniparc_by_checksum(self) -> Mapping[str, Json]:
        """Light record by MD5 and by CRC64, in lower case."""
        records = {}
        for record in self.uniparc:
            records[record["sequence"]["md5"].lower()] = record
            records[record["sequence"]["crc64"].lower()] = record
        return records


def _rank(entry: Json) -> tuple[bool, float, str]:
    reviewed = "Swiss-Prot" in entry["entryType"]
    return not reviewed, -entry.get("annotationScore", 0), entry["primaryAccession"]


def _keys(entry: Json) -> Iterable[tuple[str, str]]:
    yield "accession", entry["primaryAccession"].lower()
    sequence = entry.get("sequence", {})
    for name in ("md5", "crc64"):
        if name in sequence:
            yield "checksum", sequence[name].lower()
    if "organism" in entry:
        yield "organism_id", str(entry["organism"]["taxonId"])
    upi = entry.get("extraAttributes", {}).get("uniParcId")
    if upi:
        yield "uniparc", upi.lower()
    for gene in entry.get("genes", ()):
        for name in chain(
            [gene["geneName"]] if "geneName" in gene else [], gene.get("orderedLocusNames", ())
        ):
            yield "gene", name["value"].lower()
    for reference in entry.get("uniProtKBCrossReferences", ()):
        database = reference["database"].lower()
        values = [reference["id"]]
        if database in ("refseq", "embl"):
            values += [one["value"] for one in reference.get("properties", ())]
        for value in values:
            whole = f"{database}-{value}".lower()
            yield "xref", whole
            yield "xref", whole.rsplit(".", 1)[0]


@dataclass(frozen=True)
class Behaviour:
    """Ways in which the real services may differ from what is known of them.

    Attributes:
        most_or_terms: A query with more gets 400.
        accessions_page: Entries of a page of ``uniprotkb/accessions`` where no size is asked for;
            None: all in one.
        knows_uniparc_names: ``fullSequence`` and ``fullsequencefeatures`` are fields of UniParc;
            else 400.
        crc64_mapping: What comes of mapping from CRC64.
        mapped_ids: Which ids of RefSeq and EMBL are mapped: with version, without, or both.
        polls: Times that a job is said to be NEW or RUNNING before it is finished.
        job_end: How a finished job answers: 303 with Location, or 200; or it fails (400, 500), or
            is forgotten (404).
        predictions: InterPro-N predictions stand among the matches.
        go_date: Of interpro2go (``2026-09-17``); None: the one of InterPro's release.
        compresses: Bodies are gzipped for those who can read it.
    """

    most_or_terms: int = 50
    accessions_page: int | None = None
    knows_uniparc_names: bool = True
    crc64_mapping: Literal["works", "refused", "finds_nothing"] = "works"
    mapped_ids: Literal["both", "versioned", "unversioned"] = "both"
    polls: int = 2
    job_end: Literal["redirect", "plain", "error", "failure", "forgotten"] = "redirect"
    predictions: bool = False
    go_date: str | None = None
    compresses: bool = True
