"""Whole GenBank records for sequences that came without one.

Source: GenBank release notes, section 3.4 (columns of the LOCUS line and of ORIGIN).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from genint.formats.naming import unique_names
from genint.formats.wrapping import LINE_COLUMNS, ascii_text, feature_lines, one_word, wrapped
from genint.model.genome import Qualifier
from genint.report.found_words import repeat_text, search_text
from genint.report.genbank_features import locus_tags, predicted_features
from genint.report.genbank_found import Telling, array_feature, rna_feature
from genint.report.levels import levels_in_words
from genint.report.online_words import SENT, use_texts
from genint.report.result import GenintResult, Record

TABLE_TITLE: Final = "FEATURES             Location/Qualifiers"
LOCUS_DATE: Final = "01-JAN-1980"
"""The date that every LOCUS line carries: the format asks for one, and a result must not
depend on the day. It is the one that tools write where they know none."""

_LOCUS_NAME: Final = re.compile(r"[A-Za-z0-9_.\-]{1,16}")
_INDENT: Final = 12
_LINE_BASES: Final = 60
_BLOCK_BASES: Final = 10


class Names(NamedTuple):
    """What records and genes are called in GenBank, where a name is one word in ASCII.

    Attributes:
        accessions: By record, for ACCESSION and VERSION.
        loci: By record, for the LOCUS line.
        tags: Locus tags by gene.
    """

    accessions: Mapping[str, str]
    loci: Mapping[str, str]
    tags: Mapping[str, str]


def names_of(result: GenintResult) -> Names:
    """Names of all records and genes of a result.

    The id of a record stands in ACCESSION and VERSION; the LOCUS line, which has room for
    16 plain characters, carries it where it fits and else the number of the record. Names
    that become alike are told apart by ``_2``, ``_3`` and so on, in file order.
    """
    ids = [record.id for record in result.records]
    accessions = unique_names(
        [one_word(name) or f"record_{number}" for number, name in enumerate(ids, start=1)]
    )
    loci = unique_names(
        [
            name if _LOCUS_NAME.fullmatch(name) else f"record_{number}"
            for number, name in enumerate(accessions, start=1)
        ]
    )
    return Names(
        dict(zip(ids, accessions, strict=True)),
        dict(zip(ids, loci, strict=True)),
        locus_tags(result.genes),
    )


def whole_record(result: GenintResult, record: Record, bases: str, names: Names) -> str:
    """One record of a result as a GenBank record with its sequence.

    Args:
        result: What was found.
        record: One of its records.
        bases: Of the record.
        names: Of the result.

    Cost: O(bases + genes).
    """
    name, locus = names.accessions[record.id], names.loci[record.id]
    organism = ascii_text(record.organism or "unknown")
    lines = [
        f"LOCUS       {locus:<16} {record.length:>11} bp    DNA     {record.topology:<8} "
        f"UNK {LOCUS_DATE}",
        *_field("DEFINITION", ascii_text(record.description or "") or "."),
        f"ACCESSION   {name}",
        f"VERSION     {name}",
        *_field("KEYWORDS", "."),
        *_field("SOURCE", organism),
        *_field("  ORGANISM", organism),
        " " * _INDENT + "Unclassified.",
        *_comment(result, record),
        TABLE_TITLE,
        *source_feature(record),
        *_features(result, record, names.tags),
        "ORIGIN",
        *_sequence(bases),
        "//\n",
    ]
    return "\n".join(lines)


def source_feature(record: Record) -> tuple[str, ...]:
    """The ``source`` feature over a whole record."""
    qualifiers = (
        Qualifier("organism", record.organism or "unknown"),
        Qualifier("mol_type", "genomic DNA"),
    )
    return feature_lines("source", f"1..{record.length}", qualifiers)


def _features(result: GenintResult, record: Record, tags: Mapping[str, str]) -> list[str]:
    """Genes, RNA genes and CRISPR arrays in the order of their places."""
    length_bp = record.length
    telling = Telling.of(result)
    found = [
        (
            gene.start,
            predicted_features(
                gene,
                telling,
                tag=tags[gene.id],
                length_bp=length_bp,
                beside_others=False,
            ),
        )
        for gene in result.genes
        if gene.record == record.id
    ]
    found += [
        (rna.start, rna_feature(rna, length_bp=length_bp, with_tag=True))
        for rna in result.rna_genes
        if rna.record == record.id
    ]
    found += [
        (array.start, array_feature(array, length_bp=length_bp))
        for array in result.crispr_arrays
        if array.record == record.id
    ]
    found.sort(key=lambda entry: entry[0])
    return [line for _, lines in found for line in lines]


def _comment(result: GenintResult, record: Record) -> Iterator[str]:
    """By what the annotation was made, so that the file explains itself."""
    paragraphs = [
        f"Annotated by genint {result.genint_version} from {result.input.filename} "
        f"(sha256 {result.input.sha256}).",
        f"Genes: {record.gene_calling or 'none'}; genetic code {record.translation_table}.",
        f"Topology: {record.topology}; {record.topology_reason or 'as the file says'}.",
        *([f"Record: {repeat_text(record.terminal_repeat_bp)}."] * bool(record.terminal_repeat_bp)),
        *(f"{search_text(search)}." for search in result.searches),
        "Programs: " + _listed(f"{one.name} {one.version}" for one in result.programs),
        "Databases: "
        + _listed(f"{one.name} {one.version} ({one.licence})" for one in result.databases),
        f"Confidence: {result.parameters.confidence_basis}",
        *levels_in_words(result.parameters),
        *((*use_texts(result), SENT) if result.online else ()),
        "The date of the LOCUS line is a fixed one and says nothing.",
    ]
    for at, paragraph in enumerate(paragraphs):
        yield from _field("COMMENT" if at == 0 else "", ascii_text(paragraph))


def _listed(texts: Iterable[str]) -> str:
    return "; ".join(texts) + "."


def _field(keyword: str, text: str) -> list[str]:
    """Lines of a header field."""
    first, *others = wrapped(text, LINE_COLUMNS - _INDENT)
    return [keyword.ljust(_INDENT) + first, *(" " * _INDENT + line for line in others)]


def _sequence(bases: str) -> Iterator[str]:
    """Sixty bases a line in blocks of ten, numbered."""
    small = bases.lower()
    for start in range(0, len(small), _LINE_BASES):
        end = min(start + _LINE_BASES, len(small))
        blocks = (small[at : min(at + _BLOCK_BASES, end)] for at in range(start, end, _BLOCK_BASES))
        yield f"{start + 1:>9} {' '.join(blocks)}"
