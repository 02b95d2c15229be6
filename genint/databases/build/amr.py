"""NCBI's reference genes of resistance and virulence: an index of their proteins, and profiles.

Formats (documentation of the AMRFinderPlus database): the headers of ``AMRProt.fa`` have fields
with ``|`` between: in older releases the number of the sequence first; then accession, part and
number of parts of a fusion, allele, family, mechanism, how it is reported (0: not), class,
subclass, and last the product with ``_`` for blanks; short ones leave fields out before the
product. ``fam.tsv`` is the tree of families: node, parent, symbol, profile, its cut-offs, other
cut-offs, how it is reported, and last type, subtype, class, subclass, name. ``AMR.LIB`` has the
profiles in HMMER3 text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from pyhmmer.errors import EaselError
from pyhmmer.plan7 import HMMFile

from genint.databases.build import Built, Report, Step, malformed, quoted, text_lines
from genint.knowledge.markers import MarkerEntry, meaning_of, write_markers
from genint.knowledge.protein_index import INDEX_FORMAT
from genint.knowledge.protein_index_build import build_index
from genint.model.evidence import ReferenceEntry, ReferenceProtein, residues_digest
from genint.model.overview import MarkerMeaning

INDEX: Final = "index"
PROFILES: Final = "profiles.hmm"
_FAMILY_COLUMNS: Final = 18
_TYPE, _CLASS, _NAME, _REPORTED = -5, -3, -1, -6
_NONE: Final = "-"
_MUTATED: Final = frozenset({"mutation", "susceptible"})
"""Mechanisms of proteins that only a mutation, or a lack, makes resistant: being like them tells
nothing."""
_FEWEST_FIELDS: Final = 5
_FIELDS_WITH_CLASS: Final = 9
_NUMBER: Final = re.compile(r"\d+")
_RESIDUES: Final = re.compile(r"[A-Za-z*-]+")


class _Family(NamedTuple):
    """A node of the tree."""

    node: str
    parent: str
    symbol: str
    profile: str
    is_reported: bool
    type: str
    kind: str
    name: str


class _Header(NamedTuple):
    """What the header of a protein says."""

    accession: str
    allele: str
    family: str
    mechanism: str
    is_reported: bool
    kind: str
    product: str


def build(sources: Mapping[str, Path], target: Path, progress: Report) -> Built:
    """Index the proteins into ``index/``, with what they mean, and keep the profiles there.

    Raises:
        FormatError: a published file cannot be read, or no protein is of a known family.

    Cost: 5 s and 40 MB for 10,000 proteins.
    """
    families = _families(sources["fam.tsv"])
    proteins = list(_proteins(sources["AMRProt.fa"]))
    progress(Step("reading proteins", len(proteins), len(proteins)))
    folder = target / INDEX
    folder.mkdir()
    entries = {header.accession: _entry(header, families) for header, _ in proteins}
    kept = [(header, residues) for header, residues in proteins if entries[header.accession].means]
    if not kept:
        raise malformed(sources["AMRProt.fa"], None, "no protein of it is of a family in fam.tsv")
    info = build_index((_protein(header, residues) for header, residues in kept), folder)
    rows = [entry for entry in entries.values() if entry.means]
    profiles = _profiles(sources.get("AMR.LIB"), families, folder)
    write_markers((*rows, *profiles), folder)
    progress(Step("indexing proteins", info.proteins, info.proteins))
    return Built(
        info.proteins,
        facts=(("index_format", str(INDEX_FORMAT)), ("profiles", str(len(profiles)))),
    )


def _entry(header: _Header, families: Mapping[str, _Family]) -> MarkerEntry:
    family = families.get(header.allele) or families.get(header.family)
    kind = header.kind or (family.kind if family else "")
    product = header.product or (family.name if family else "")
    is_known = header.is_reported and header.mechanism not in _MUTATED
    means = _meaning(family, product, kind) if is_known else None
    name = header.allele or (family.symbol if family else "")
    return MarkerEntry(header.accession, name, kind, means, product)


def _meaning(family: _Family | None, product: str, kind: str) -> MarkerMeaning | None:
    """By the type of the family; resistance to metals, heat and the like is none of them."""
    if family is None or family.type.startswith("AMR"):
        return MarkerMeaning.RESISTANCE
    if not family.type.startswith("VIRULENCE"):
        return None
    told = meaning_of(product, kind)
    return told if told is MarkerMeaning.TOXIN else MarkerMeaning.VIRULENCE


def _protein(header: _Header, residues: str) -> ReferenceProtein:
    entry = ReferenceEntry(
        header.accession,
        header.product,
        symbol=header.allele,
        length_aa=len(residues),
        digest=residues_digest(residues),
    )
    return ReferenceProtein(entry, residues)


def _families(file: Path) -> dict[str, _Family]:
    """The tree by node.

    Raises:
        FormatError: a line has too few columns, or there is none.
    """
    families: dict[str, _Family] = {}
    for number, line in text_lines(file):
        columns = [_plain(column) for column in line.split("\t")]
        if line.startswith("#") or columns[0] == "node_id":
            continue
        if len(columns) < _FAMILY_COLUMNS:
            raise malformed(file, number, f"{len(columns)} columns, where 18 are expected")
        node, parent, symbol, profile = columns[:4]
        families[node] = _Family(
            node,
            parent,
            symbol,
            profile,
            columns[_REPORTED] != "0",
            columns[_TYPE].upper(),
            columns[_CLASS],
            columns[_NAME],
        )
    if not families:
        raise malformed(file, None, "there is no family in it")
    return families


def _plain(column: str) -> str:
    text = column.strip()
    return "" if text == _NONE else text


def _proteins(file: Path) -> Iterator[tuple[_Header, str]]:
    """Proteins with their headers; a second one of an accession (another part) is left out.

    Raises:
        FormatError: a header or a line of residues cannot be read, or there is none.
    """
    header: _Header | None = None
    pieces: list[str] = []
    seen = set[str]()
    for number, line in text_lines(file):
        if line.startswith(">"):
            if header is not None and pieces:
                yield header, "".join(pieces)
            header, pieces = _header(file, number, line[1:]), []
            if header.accession in seen:
                header = header._replace(accession=f"{header.accession}#{number}")
            seen.add(header.accession)
        elif header is None or not _RESIDUES.fullmatch(line.strip()):
            raise malformed(file, number, f"{quoted(line)} is no residues of a protein")
        else:
            pieces.append(line.strip().upper().replace("*", "").replace("-", ""))
    if header is None:
        raise malformed(file, None, "there is no protein in it")
    if pieces:
        yield header, "".join(pieces)


def _header(file: Path, number: int, text: str) -> _Header:
    first, _, beside = text.strip().partition(" ")
    fields = first.split("|")
    if _NUMBER.fullmatch(fields[0]):
        fields = fields[1:]  # of older releases
    if len(fields) < _FEWEST_FIELDS or not fields[0]:
        raise malformed(file, number, f"{quoted(text)} is no header of a reference protein")
    accession, *rest = fields
    while rest and (_NUMBER.fullmatch(rest[0]) or _is_of_nucleotides(rest[0])):
        rest = rest[1:]  # part, parts; accession of the gene
    allele, family = [*rest, "", ""][:2]
    has_class = len(fields) >= _FIELDS_WITH_CLASS
    reported = rest[3] if has_class and len(rest) > 3 else ""  # noqa: PLR2004 - see above
    return _Header(
        accession,
        allele,
        family,
        rest[2] if has_class and len(rest) > 2 else "",  # noqa: PLR2004 - likewise
        reported != "0",
        fields[-3] if has_class else "",
        f"{fields[-1]} {beside}".replace("_", " ").strip() if len(rest) > 1 else "",
    )


def _is_of_nucleotides(field: str) -> bool:
    return re.fullmatch(r"N[GCZ]_?[A-Z]*\d+(?:\.\d+)?", field) is not None


def _profiles(
    file: Path | None, families: Mapping[str, _Family], folder: Path
) -> tuple[MarkerEntry, ...]:
    """Copy the profiles that are reported, and say what each means.

    Raises:
        FormatError: it is no file of HMMER3 profiles.
    """
    if file is None:
        return ()
    of_profile = {one.profile.partition(".")[0]: one for one in families.values() if one.profile}
    kept: dict[str, MarkerEntry] = {}
    try:
        with HMMFile(str(file)) as profiles, (folder / PROFILES).open("wb") as copy:
            for profile in profiles:
                accession = str(profile.accession or profile.name).partition(".")[0]
                family = of_profile.get(accession)
                if family is None or not family.is_reported or profile.cutoffs.trusted is None:
                    continue
                means = _meaning(family, family.name, family.kind)
                name = family.symbol or family.node
                kept[accession] = MarkerEntry(accession, name, family.kind, means, family.name)
                if means:
                    profile.write(copy)
    except (ValueError, EOFError, EaselError) as problem:
        raise malformed(file, None, "this is no file of HMMER3 profiles") from problem
    return tuple(entry for entry in kept.values() if entry.means)
