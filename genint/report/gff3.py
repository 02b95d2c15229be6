"""GFF3 rendering: for genome browsers and annotation tools.

Every record has its region, every gene a ``gene`` row with a ``CDS`` row for each of its
parts below it (one id for all parts), every RNA gene of the file a ``gene`` row and one of
its kind. Pseudogenes are ``pseudogene`` rows with ``pseudogenic_*`` rows below: a ``CDS``
is no part of a pseudogene in the Sequence Ontology. Column 6 is the confidence score of
the gene; dark genes have none. What runs over the origin of a circle ends at its end plus
the length of the record, and parts behind the origin are counted on in the same way, so
that children lie within their parents. Parts stand in the order of transcription; where
that is not the order of the strand, ``part`` numbers them.

There is no ``##FASTA`` section: a result does not hold the sequence.

Source: Sequence Ontology, Generic Feature Format Version 3, 1.26; the attributes that the
specification leaves free are those of the NCBI where it has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from genint.model.genome import CalledBy, Topology
from genint.report.audit import audit_note
from genint.report.gff3_rows import Attributes, Row, escaped_seqid, identifier
from genint.report.levels import levels_in_words
from genint.report.places import transcribed
from genint.report.result import (
    GeneItem,
    GenintResult,
    OtherFeatureItem,
    Record,
    RnaGeneItem,
)
from genint.report.statements import (
    context_words,
    cross_references,
    eco_codes,
    feature_names,
    inferences,
    note,
    product_name,
)
from genint.report.texts import shown_text

_SOURCES: Final = MappingProxyType(
    {
        CalledBy.GENBANK: "GenBank",
        CalledBy.GENBANK_GENE: "GenBank",
        CalledBy.PYRODIGAL: "pyrodigal",
        CalledBy.PYRODIGAL_GV: "pyrodigal-gv",
        CalledBy.GENINT_NESTED: "genint",
        CalledBy.GENINT_OVERLAPPING: "genint",
        CalledBy.GENINT_INTERNAL_START: "genint",
    }
)
_FILE: Final = "GenBank"
_OWN: Final = "genint"
_SO_TERMS: Final = frozenset("tRNA rRNA tmRNA ncRNA antisense_RNA snRNA snoRNA scRNA mRNA".split())
"""Feature keys of RNA genes that are terms of the Sequence Ontology under the same name."""
_PRECURSORS: Final = frozenset({"precursor_RNA", "prim_transcript"})
_PSEUDOGENIC: Final = frozenset({"tRNA", "rRNA"})
_GO_TERM: Final = re.compile(r"GO:\d{7}", re.ASCII)


def render_gff3(result: GenintResult) -> str:
    """All genes, RNA genes and other gene features, by record and place.

    Cost: about 90 microseconds and 550 bytes a gene.
    """
    lines = ["##gff-version 3", f"#!processor genint {shown_text(result.genint_version)}"]
    lines += [f"# {told}" for told in levels_in_words(result.parameters)]
    lines += [f"##sequence-region {escaped_seqid(r.id)} 1 {r.length}" for r in result.records]
    found: dict[str, list[tuple[Row, ...]]] = {record.id: [] for record in result.records}
    lengths = {record.id: record.length for record in result.records}
    for gene in result.genes:
        found[gene.record].append(_gene_rows(gene, lengths[gene.record], result))
    for rna in result.rna_genes:
        found[rna.record].append(_rna_rows(rna, lengths[rna.record]))
    for other in result.other_features:
        found[other.record].append((_other_row(other, lengths[other.record]),))
    for record in result.records:
        groups = sorted(found[record.id], key=lambda rows: (rows[0].start, -rows[0].end))
        lines.append(_region(record).line())
        lines += [row.line() for rows in groups for row in rows]
        lines.append("###")  # nothing below refers to anything above
    return "\n".join(lines) + "\n"


def _region(record: Record) -> Row:
    circular = record.topology is Topology.CIRCULAR
    code = record.translation_table
    attributes: Attributes = (
        ("ID", ("region-" + identifier(record.id),)),
        ("Name", (record.id,)),
        ("Is_circular", ("true",) if circular else ()),
        ("Note", _given(record.description)),
        ("organism", _given(record.organism)),
        ("transl_table", () if code is None else (str(code),)),
    )
    return Row(record.id, _OWN, "region", 1, record.length, "+", attributes)


def _gene_rows(gene: GeneItem, record_bp: int, result: GenintResult) -> tuple[Row, ...]:
    """The gene, then its parts in the order of transcription."""
    source = _SOURCES[gene.called_by]
    name = identifier(gene.id)
    start, end = _unrolled(gene.start, gene.end, record_bp)
    attributes: Attributes = (
        ("ID", (f"gene-{name}",)),
        *_names(gene),
        ("gene_biotype", () if gene.pseudo else ("protein_coding",)),
        *_kind_of_gene(gene),
        *_partial(gene, start, end, (start, end)),
    )
    kind = "pseudogene" if gene.pseudo else "gene"
    row = Row(gene.record, source, kind, start, end, gene.strand, attributes)
    return row, *_parts(gene, row, record_bp, result)


def _parts(gene: GeneItem, over: Row, record_bp: int, result: GenintResult) -> Iterator[Row]:
    told = _told(gene, result)
    name = identifier(gene.id)
    skip = gene.codon_start - 1
    for number, part in enumerate(transcribed(gene), start=1):
        start, end = _unrolled(part.start, part.end, record_bp)
        if start < over.start:  # behind the origin, over which the gene runs
            start, end = start + record_bp, end + record_bp
        yield Row(
            gene.record,
            over.source,
            "pseudogenic_CDS" if gene.pseudo else "CDS",
            start,
            end,
            part.strand,
            (
                ("ID", (f"cds-{name}",)),
                ("Parent", (f"gene-{name}",)),
                *told,
                ("part", (str(number),) if gene.part_order else ()),
                *_partial(gene, start, end, (over.start, over.end)),
            ),
            score=None if gene.is_dark else gene.score,
            phase=None if gene.pseudo else skip,
        )
        skip = (skip - (end - start + 1)) % 3


def _unrolled(start: int, end: int, record_bp: int) -> tuple[int, int]:
    return (start, end) if start <= end else (start, end + record_bp)


def _names(gene: GeneItem) -> Attributes:
    """Its names; the locus tag of a predicted gene is its id, as in GenBank output."""
    has_tag = not gene.locus.startswith(f"{gene.record}:")
    tag = gene.locus if has_tag else gene.id
    predicted = _SOURCES[gene.called_by] != _FILE
    return (
        ("Name", (gene.name,)),
        ("gene", (gene.name,) if gene.name != gene.id else ()),
        ("locus_tag", (tag,) if has_tag or predicted else ()),
    )


def _kind_of_gene(gene: GeneItem) -> Attributes:
    return (
        ("pseudo", ("true",) if gene.pseudo else ()),
        ("exception", ("trans-splicing",) if gene.trans_spliced else ()),
    )


def _partial(gene: GeneItem, start: int, end: int, ends: tuple[int, int]) -> Attributes:
    """Which ends of a row are cut off, where it has an end of the gene.

    Args:
        gene: The gene.
        start: First column of the row.
        end: Its last one.
        ends: Both of the whole gene.
    """
    forward = gene.strand == "+"
    low, high = (gene.partial_5, gene.partial_3) if forward else (gene.partial_3, gene.partial_5)
    return (
        ("partial", ("true",) if gene.partial else ()),
        ("start_range", (".", str(start)) if low and start == ends[0] else ()),
        ("end_range", (str(end), ".") if high and end == ends[1] else ()),
    )


def _told(gene: GeneItem, result: GenintResult) -> Attributes:
    """What is known of the protein; ``product`` is that of the file where it has one.

    A pseudogene makes no protein that could be named.
    """
    product = gene.product or (None if gene.pseudo else product_name(gene))
    compared = gene.compared
    in_file = compared.product if compared else None
    code = gene.translation_table
    return (
        *_names(gene),
        ("product", _given(product)),
        ("product_in_file", _given(in_file if in_file != product else None)),
        ("id_in_file", (compared.id,) if compared else ()),
        ("protein_id", _given(gene.protein_id)),
        ("transl_table", () if code is None else (str(code),)),
        ("confidence", (gene.confidence,)),
        ("confidence_score", () if gene.is_dark else (str(gene.score),)),
        ("evidence_eco", eco_codes(gene)),
        ("inference", inferences(gene, result)),
        ("Dbxref", cross_references(gene)),
        ("Ontology_term", tuple(term for term in gene.go_terms if _GO_TERM.fullmatch(term))),
        ("cog_category", _given(gene.cog_category)),
        ("Note", (note(gene), *_given(gene.call_note), *_given(audit_note(gene)))),
        ("genint_features", feature_names(gene)),
        ("genint_context", _given(context_words(gene.context) if gene.context else None)),
        *_kind_of_gene(gene),
    )


def _rna_rows(rna: RnaGeneItem, record_bp: int) -> tuple[Row, Row]:
    start, end = _unrolled(rna.start, rna.end, record_bp)
    name = identifier(rna.id)
    names: Attributes = (
        ("Name", (rna.name or rna.locus_tag or rna.id,)),
        ("gene", _given(rna.name)),
        ("locus_tag", _given(rna.locus_tag)),
        ("pseudo", ("true",) if rna.pseudo else ()),
    )
    kind, gene_kind = _rna_kind(rna), "pseudogene" if rna.pseudo else "gene"
    gene_ids: Attributes = (("ID", (f"rnagene-{name}",)),)
    ids: Attributes = (("ID", (f"rna-{name}",)), ("Parent", (f"rnagene-{name}",)))
    product: Attributes = (("product", _given(rna.product)), ("feature_key", (rna.kind,)))
    place = (start, end, rna.strand)
    return (
        Row(rna.record, _FILE, gene_kind, *place, (*gene_ids, *names)),
        Row(rna.record, _FILE, kind, *place, (*ids, *names, *product)),
    )


def _rna_kind(rna: RnaGeneItem) -> str:
    """The term of the Sequence Ontology for a feature key."""
    if rna.pseudo:
        return f"pseudogenic_{rna.kind if rna.kind in _PSEUDOGENIC else 'transcript'}"
    if rna.kind in _SO_TERMS:
        return rna.kind
    return "primary_transcript" if rna.kind in _PRECURSORS else "transcript"


def _other_row(other: OtherFeatureItem, record_bp: int) -> Row:
    """A gene feature that was not interpreted, with the reason."""
    start, end = _unrolled(other.start, other.end, record_bp)
    pseudo = other.reason == "pseudogene"
    attributes: Attributes = (
        ("ID", ("other-" + identifier(other.id),)),
        ("Name", (other.name or other.id,)),
        ("gene", _given(other.name)),
        ("Note", (f"not interpreted: {other.reason}",)),
    )
    kind = "pseudogene" if pseudo else "gene"
    return Row(other.record, _FILE, kind, start, end, other.strand, attributes)


def _given(text: str | None) -> tuple[str, ...]:
    return (text,) if text else ()
