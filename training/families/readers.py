"""Read the input files: proteins with what their record says of them.

Every reader yields :class:`Reading`; none judges a name or drops a protein.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, BinaryIO, NamedTuple, cast

import gb_io

from training.families.inputs import Input, InputError, Reader
from training.families.values import Lineage, Naming, Origin

POOLED = "sprot:"
"""Prefix of the record of a protein that is a record of its own."""

_ACCESSION = re.compile(r"([A-Z]{1,2}\d{5,8}|[A-Z]{4,6}\d{8,}|[A-Z]{2}_[A-Z]{0,6}\d{5,})\.\d+")
"""Of INSDC or RefSeq, with version; not the genome numbers of SEED (PHACTS_10760.1)."""
_WITH_DATABASES = re.compile(r"gi\|\d+\|\w+\|([^|]+)\|?")
_ORGANISM = re.compile(r"(?: \([^()]*plasmid[^()]*\))?(?: \[[^\[\]]*\])?$")
_UNIPROT = re.compile(r"(?P<status>sp|tr)\|(?P<accession>\w+)\|\w+ (?P<product>.+?) OS=")
_UNIPROT_GENE = re.compile(r" GN=(\S+)")
_NUMBERED = re.compile(r"^\d+_")
_PROKKA_FIELDS = 4
_OWN_ID = re.compile(
    r"^(?:putative )?(?:[A-Za-z][A-Za-z0-9]*(?:p|_gp|_p)\d{2,4}[._ ]+|[A-Z]{3}\d{5,7}\.\d[_ ]+"
    r"|tr\|\w+\|\w+_9CAUD )"
    r"(?=[A-Za-z]{3})"
)
"""SPP1p028_tail component, CDL74020.1 phage holin, tr|Q8SDP3|Q8SDP3_9CAUD Tail fiber protein: the
id of the gene before its product."""
_EC = re.compile(r"\d+(?:\.(?:\d+|-|n\d+)){3}")
_ALL_NAMES = " (EC "
"""In the name of an entry that was given with all its other names."""
_WORDINGS = {"RefSeq wording": Origin.SUBMITTER, "SEED wording": Origin.SEED}
_STATUSES = {"reviewed": Origin.SWISSPROT, "unreviewed": Origin.AUTOMATIC}
_ORIGIN_OF_NAMES = {
    "submitter": Origin.SUBMITTER,
    "SEED": Origin.SEED,
    "PHROG": Origin.MACHINE,
    "Swiss-Prot": Origin.SWISSPROT,
}


class Reading(NamedTuple):
    """One protein of one record.

    Attributes:
        residues: As in the file.
        naming: What the record says.
        letters: COG letters, if known.
        thinned: Whether it belongs to a pool of which only part is kept.
        partial: Whether the record says that an end is missing.
        is_symbol_of_entry: The symbol is only that of the name of an entry of UniProt.
    """

    residues: str
    naming: Naming
    letters: str = ""
    thinned: bool = False
    partial: bool = False
    is_symbol_of_entry: bool = False


class _Origins(NamedTuple):
    """What the table of training records says."""

    by_record: Mapping[str, Origin]


def record_id(text: str) -> str:
    """Id of a record as exclusions name it: the accession without version.

    Two copies of one record are one record by this.
    """
    with_databases = _WITH_DATABASES.fullmatch(text)
    name = with_databases[1] if with_databases else text
    accession = _ACCESSION.fullmatch(name)
    return accession[1] if accession else name


def pooled_id(accession: str) -> str:
    """Id of a protein that is a record of its own."""
    return POOLED + accession.partition(".")[0]


def read_all(data: Path, inputs: Iterable[Input]) -> Iterator[Reading]:
    """All proteins of all inputs, in their order.

    Raises:
        InputError: a file is not as its reader expects.
    """
    wanted = tuple(inputs)
    origins = _Origins(
        {
            record: origin
            for table in wanted
            if table.reader is Reader.RECORD_TABLE
            for record, origin in _record_origins(data / table.path)
        }
    )
    for source in wanted:
        if source.reader is Reader.TRAIN_FASTA:
            yield from _train(data, source, origins)
        elif source.reader in _READERS:
            yield from _READERS[source.reader](data, source)


def _record_origins(path: Path) -> Iterator[tuple[str, Origin]]:
    with _text(path) as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            first = row["names"].split()[0]
            if first not in _ORIGIN_OF_NAMES:
                raise InputError(f"{path.name}: names of an unknown origin: {row['names']}")
            yield row["record"], _ORIGIN_OF_NAMES[first]


def _train(data: Path, source: Input, origins: _Origins) -> Iterator[Reading]:
    """``number_protein|record|gene|product``; protein and record may hold bars."""
    for header, residues in _fasta(data / source.path):
        front, symbol, product = header.rsplit("|", 2)
        protein, record = _split(front, origins.by_record)
        pooled = source.is_pool(record)
        naming = Naming(
            pooled_id(_NUMBERED.sub("", protein)) if pooled else record_id(record),
            product,
            symbol,
            origins.by_record[record],
            _lineage(source),
        )
        yield Reading(residues, naming, thinned=source.is_thinned(record))


def _split(front: str, records: Mapping[str, Origin]) -> tuple[str, str]:
    at = front.find("|")
    while at >= 0:
        if front[at + 1 :] in records:
            return front[:at], front[at + 1 :]
        at = front.find("|", at + 1)
    raise InputError(f"a training protein belongs to no known record: {front}")


def _genbank(data: Path, source: Input) -> Iterator[Reading]:
    with _binary(data / source.path) as stream:
        for entry in gb_io.iter(stream):
            record = record_id((entry.version or entry.accession or entry.name or "").split()[0])
            for feature in entry.features:
                said: dict[str, str] = {}
                for qualifier in feature.qualifiers:
                    said.setdefault(qualifier.key, " ".join((qualifier.value or "").split()))
                if feature.kind == "CDS" and said.get("translation"):
                    naming = Naming(
                        record,
                        said.get("product", ""),
                        said.get("gene", ""),
                        _origin(source),
                        _lineage(source),
                    )
                    partial = "pseudo" in said or "pseudogene" in said
                    yield Reading(said["translation"].replace(" ", ""), naming, partial=partial)


def _genome_fasta(data: Path, source: Input) -> Iterator[Reading]:
    """``protein product [organism]``, and a table of COG letters."""
    letters: dict[str, str] = {}
    if source.letters:
        with _text(data / source.letters) as stream:
            for row in csv.DictReader(stream, delimiter="\t"):
                letters[row["QUERY_ID"]] = row["COG_LETTER"]
    for header, residues in _fasta(data / source.path):
        protein, _, product = header.partition(" ")
        naming = Naming(
            source.record, _ORGANISM.sub("", product), "", _origin(source), _lineage(source)
        )
        yield Reading(residues, naming, letters=letters.get(protein, ""))


def _uniprot_fasta(data: Path, source: Input) -> Iterator[Reading]:
    """A proteome; names that no curator has seen (``tr``) come from the submitters."""
    for header, residues in _fasta(data / source.path):
        found = _UNIPROT.match(header)
        if found is None:
            raise InputError(f"{source.path}: not a header of UniProt: {header}")
        symbol = _UNIPROT_GENE.search(header)
        naming = Naming(
            source.record or pooled_id(found["accession"]),
            found["product"],
            symbol[1] if symbol else "",
            _origin(source) if found["status"] == "sp" else Origin.SUBMITTER,
            _lineage(source),
        )
        yield Reading(residues, naming)


def _prokka_fasta(data: Path, source: Input) -> Iterator[Reading]:
    """``accession EC~~~gene~~~product~~~COG``."""
    for header, residues in _fasta(data / source.path):
        accession, _, said = header.partition(" ")
        fields = said.split("~~~")
        if len(fields) != _PROKKA_FIELDS:
            raise InputError(f"{source.path}: not four fields between ~~~: {header}")
        naming = Naming(
            pooled_id(accession), fields[2], fields[1], _origin(source), _lineage(source)
        )
        yield Reading(residues, naming, thinned=source.is_thinned(""))


def _tabbed(path: Path, fields: int) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """``id product``, then fields between tabs: id, product, those fields, residues."""
    for header, residues in _fasta(path):
        front, *more = header.split("\t")
        if len(more) > fields:
            raise InputError(f"{path.name}: over {fields} fields behind the product: {header}")
        more += [""] * (fields - len(more))  # empty ones at the end are cut off
        name, _, product = front.partition(" ")
        yield name, _OWN_ID.sub("", product), tuple(more), residues


def _tabbed_phages(data: Path, source: Input) -> Iterator[Reading]:
    """``id product``, source: proteins of phages whose records are not told apart."""
    for name, product, _, residues in _tabbed(data / source.path, 1):
        naming = Naming(pooled_id(name), product, "", _origin(source), _lineage(source))
        yield Reading(residues, naming, thinned=source.is_thinned(""))


def _tabbed_proteomes(data: Path, source: Input) -> Iterator[Reading]:
    """``id product``, organism, wording: each organism is a record."""
    for _, product, (organism, wording), residues in _tabbed(data / source.path, 2):
        if wording not in _WORDINGS:
            raise InputError(f"{source.path}: a wording that is not known: {wording}")
        lineage = Lineage.ARCHAEA if organism in source.archaea else _lineage(source)
        naming = Naming("_".join(organism.split()), product, "", _WORDINGS[wording], lineage)
        yield Reading(residues, naming)


def _tabbed_enzymes(data: Path, source: Input) -> Iterator[Reading]:
    """``id name``, status, enzyme numbers, taxon, entry: every protein is a record of its own."""
    for name, names, (status, numbers, _, entry), residues in _tabbed(data / source.path, 4):
        if status not in _STATUSES:
            raise InputError(f"{source.path}: a status that is not known: {status}")
        product = names.partition(" (")[0] if _ALL_NAMES in names else names
        accession = name.split("|")[1] if "|" in name else name.rpartition("_")[2]
        symbol = entry.partition("_")[0].lower() if status == "reviewed" else ""
        naming = Naming(
            pooled_id(accession),
            product,
            _symbol_of_entry(symbol),
            _STATUSES[status],
            _lineage(source),
            tuple(sorted(set(_EC.findall(numbers)))),
        )
        yield Reading(residues, naming, is_symbol_of_entry=True)


_ENTRY_SYMBOL = re.compile(r"[a-z]{4}")
"""RECA_ECOLI is of recA; SYC_ARTS2 and Y123_ECOLI are of no symbol. Many look like one that are
none: DNLJ_ECOLI is of ligA."""


def _symbol_of_entry(mnemonic: str) -> str:
    if not _ENTRY_SYMBOL.fullmatch(mnemonic) or mnemonic.startswith("y"):
        return ""
    return mnemonic[:3] + mnemonic[3].upper()


_READERS: Mapping[Reader, Callable[[Path, Input], Iterator[Reading]]] = {
    Reader.GENBANK: _genbank,
    Reader.GENOME_FASTA: _genome_fasta,
    Reader.UNIPROT_FASTA: _uniprot_fasta,
    Reader.PROKKA_FASTA: _prokka_fasta,
    Reader.TABBED_PHAGES: _tabbed_phages,
    Reader.TABBED_PROTEOMES: _tabbed_proteomes,
    Reader.TABBED_ENZYMES: _tabbed_enzymes,
}


def _origin(source: Input) -> Origin:
    if source.origin is None:
        raise InputError(f"input {source.path} needs an origin")
    return source.origin


def _lineage(source: Input) -> Lineage:
    if source.lineage is None:
        raise InputError(f"input {source.path} needs a lineage")
    return source.lineage


def _fasta(path: Path) -> Iterator[tuple[str, str]]:
    header: str | None = None
    lines: list[str] = []
    with _text(path) as stream:
        for line in stream:
            if line.startswith(">"):
                if header is not None:
                    yield header, "".join(lines)
                header, lines = line[1:].strip(), []
            else:
                lines.append(line.strip())
    if header is not None:
        yield header, "".join(lines)


def _text(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def _binary(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")
