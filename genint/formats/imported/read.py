"""One file of another program or of an experiment -> values: recognised by its content."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from hashlib import sha256
from typing import Final, NamedTuple

from genint.errors import FormatError
from genint.formats.compression import decompressed
from genint.formats.fasta import record_id, split_records
from genint.formats.imported import (
    bakta,
    eggnog,
    interproscan,
    json_values,
    peptides,
    phage_annotators,
)
from genint.formats.proteins import are_nucleotides
from genint.formats.reader import decoded, refuse_binary
from genint.formats.warnings import WarningLog
from genint.model.imported import (
    ImportedEvidence,
    ImportedGene,
    ImportedRecord,
    ImportedResults,
    PeptideTable,
    QueryProteins,
)
from genint.model.vocabulary import EvidenceSource

MAX_BYTES: Final = 1_000_000_000
"""Of the text of one file."""
READ_FORMATS: Final = (
    "evidence may be the JSON of Bakta, GenBank or the gene table of Pharokka and Phold, "
    "*.emapper.annotations of eggNOG-mapper, TSV or JSON of InterProScan, a table or FASTA of "
    "peptides"
)
_LOCUS: Final = re.compile(r"^LOCUS\b", re.MULTILINE)
_PHROG: Final = re.compile(r"^ {21}/phrog=", re.MULTILINE)
_BAKTA_RECORD: Final = re.compile(r"Annotated with Bakta")
_QUERY: Final = re.compile(r"^#query(?:_name)?\t", re.MULTILINE)


class _File(NamedTuple):
    """A file on its way."""

    text: str
    raw: bytes
    source: str
    sha256: str

    def results(
        self,
        program: EvidenceSource,
        genes: tuple[ImportedGene, ...],
        versions: tuple[str, str] = ("", ""),
        records: tuple[ImportedRecord, ...] = (),
    ) -> ImportedResults:
        return ImportedResults(
            self.source, self.sha256, program, *versions, genes=genes, records=records
        )

    def refused(
        self, reason: str, line: int | None = None, cure: str = READ_FORMATS
    ) -> FormatError:
        return FormatError(source=self.source, line=line, reason=reason, cure=cure)


def read_imported(content: bytes, filename: str) -> ImportedEvidence:
    """What a file holds, plain, gzip, bgzip or bzip2.

    Args:
        content: The bytes as given.
        filename: For errors and reports; folders in it are dropped.

    Raises:
        FormatError: another format, or a damaged file; says where, why and what to do.

    Cost: tables 5 us a row and column, JSON 20 MB/s, GenBank 10 MB/s.
    """
    source = filename.replace("\\", "/").rsplit("/", 1)[-1] or "evidence"
    raw = decompressed(content, source=source, max_bytes=MAX_BYTES)
    try:
        refuse_binary(raw, source=source)
    except FormatError as fault:
        reason = fault.reason.replace(", which genint does not read", "")
        raise FormatError(source=source, line=None, reason=reason, cure=READ_FORMATS) from None
    text = decoded(raw, source=source, log=WarningLog())
    file = _File(text, raw, source, sha256(content).hexdigest())
    found = _reader_of(file)(file)
    if not any((found.peptides, found.queries)) and not any(one.genes for one in found.results):
        raise file.refused("holds no gene")
    return found


def joined(parts: Iterable[ImportedEvidence]) -> ImportedEvidence:
    """The evidence of several files, in their order."""
    each = tuple(parts)
    return ImportedEvidence(
        tuple(one for part in each for one in part.results),
        tuple(one for part in each for one in part.peptides),
        tuple(one for part in each for one in part.queries),
    )


def _reader_of(file: _File) -> Callable[[_File], ImportedEvidence]:
    """Who reads a file, by its first line that is not blank."""
    start = file.text.lstrip()
    if start.startswith(("{", "[")):
        return _read_json
    if start.startswith(">"):
        return _read_fasta
    if _LOCUS.search(file.text):
        return _read_record
    if _QUERY.search(file.text):
        return _read_eggnog
    return _read_table


def _read_json(file: _File) -> ImportedEvidence:
    content = json_values.loaded(file.text, file.source)
    if isinstance(content, dict) and interproscan.is_interproscan(content):
        found = ImportedResults(
            file.source,
            file.sha256,
            EvidenceSource.INTERPROSCAN,
            interproscan.version_of(content),
            "",
            interproscan.genes_of(content, file.source),
            go=interproscan.go_of(content),
        )
        return ImportedEvidence((found,))
    if isinstance(content, dict) and bakta.is_bakta(content):
        genes, records = bakta.genes_of(content, file.source), bakta.records_of(content)
        versions = bakta.versions_of(content)
        return ImportedEvidence((file.results(EvidenceSource.BAKTA, genes, versions, records),))
    raise file.refused("this JSON file is neither of Bakta nor of InterProScan")


def _read_record(file: _File) -> ImportedEvidence:
    version = phage_annotators.phold_version(file.text)
    if version is None and not _PHROG.search(file.text):
        what, cure = "this GenBank file is neither of Pharokka nor of Phold", READ_FORMATS
        if _BAKTA_RECORD.search(file.text):
            what = "this is the GenBank file of Bakta"
            cure = "give its JSON file, which says what each name rests on"
        raise file.refused(what, cure=cure)
    program = EvidenceSource.PHAROKKA if version is None else EvidenceSource.PHOLD
    genes, records = phage_annotators.read_record(file.raw, file.source, program)
    return ImportedEvidence((file.results(program, genes, (version or "", "PHROG"), records),))


def _read_eggnog(file: _File) -> ImportedEvidence:
    genes = eggnog.read_table(file.text, file.source)
    versions = eggnog.versions_of(file.text)
    return ImportedEvidence((file.results(EvidenceSource.EGGNOG_MAPPER, genes, versions),))


def _read_table(file: _File) -> ImportedEvidence:
    line, header = _first_row(file.text)
    columns = [name.strip() for name in header.split("\t")]
    if interproscan.is_row(header):
        genes = interproscan.read_table(file.text, file.source)
        found = file.results(EvidenceSource.INTERPROSCAN, genes)
        return ImportedEvidence((replace(found, are_types_stated=False),))
    if phage_annotators.PHAROKKA_COLUMN in columns:
        genes = phage_annotators.read_pharokka_table(file.text, file.source)
        return ImportedEvidence((file.results(EvidenceSource.PHAROKKA, genes, ("", "PHROG")),))
    if phage_annotators.PHOLD_COLUMN in columns:
        return _read_phold_table(file)
    column = peptides.peptide_column(header)
    if column is not None:
        return _of_peptides(file, peptides.read_table(file.text, file.source, column))
    shown = header.split("\t")[0][:40]
    raise file.refused(f"starts with {shown!r}, which no known format does", line)


def _read_phold_table(file: _File) -> ImportedEvidence:
    named = tuple(phage_annotators.read_phold_table(file.text, file.source))
    programs = (EvidenceSource.PHOLD, EvidenceSource.PHAROKKA)
    found = ((one, phage_annotators.of_program(named, one)) for one in programs)
    return ImportedEvidence(
        tuple(file.results(one, genes, ("", "PHROG")) for one, genes in found if genes)
    )


def _read_fasta(file: _File) -> ImportedEvidence:
    """Peptides, or the proteins that other programs were given, which are longer."""
    records = split_records(file.text, source=file.source)
    sections = ["".join(one.section.split()).upper().removesuffix("*") for one in records]
    if are_nucleotides(sections):
        raise file.refused("these are nucleotides, not proteins", 1, "give proteins or peptides")
    if all(len(one) <= peptides.LONGEST_AA for one in sections):
        return _of_peptides(file, peptides.read_fasta(file.text, file.source))
    ids = (record_id(one.header.split()[0]) if one.header else "" for one in records)
    residues = dict(zip(ids, sections, strict=True))
    return ImportedEvidence(queries=(QueryProteins(file.source, file.sha256, residues),))


def _of_peptides(file: _File, found: peptides.Peptides) -> ImportedEvidence:
    if not found.kept:
        reasons = ", ".join(f"{number:,} {why}" for why, number in found.left_out)
        raise file.refused(f"holds no peptide that can be used ({reasons or 'no rows'})")
    table = PeptideTable(file.source, file.sha256, found.kept, found.left_out)
    return ImportedEvidence(peptides=(table,))


def _first_row(text: str) -> tuple[int, str]:
    """The first line that is no comment, with its number."""
    for line, content in enumerate(text.split("\n"), 1):
        if content.strip() and not content.startswith(("##", "# ")):
            return line, content.lstrip("#")
    return 1, ""
