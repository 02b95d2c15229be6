"""GFF3 rendering: for genome browsers and annotation tools.

Every record has its region, every gene a ``gene`` row with a ``CDS`` row for each of its
parts below it (one id for all parts), every RNA gene a ``gene`` row and one of its kind,
every CRISPR array a ``CRISPR`` row. Alternative starts and products are notes at their gene;
what was searched for besides protein-coding genes stands in the comments at the top.

Pseudogenes are ``pseudogene`` rows with ``pseudogenic_*`` rows below: a ``CDS`` is no part of a
pseudogene in the Sequence Ontology. Column 6 is the confidence score of the gene, dark genes
have none; of RNA genes it is the score of the search. What runs over the origin of a circle
ends at its end plus the length of the record, and parts behind the origin are counted on in the
same way, so that children lie within their parents. Parts stand in the order of transcription;
where that is not the order of the strand, ``part`` numbers them.

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
from genint.report.found_words import NO_OTHERS, Others, others_of, repeat_text, search_text
from genint.report.gff3_found import (
    OF_FILE,
    array_row,
    given,
    other_notes,
    rescue_attributes,
    rna_rows,
    slip_row,
    unrolled,
)
from genint.report.gff3_rows import Attributes, Row, escaped_seqid, identifier
from genint.report.levels import levels_in_words
from genint.report.online_words import answer_texts, use_texts
from genint.report.places import transcribed
from genint.report.result import (
    GeneItem,
    GenintResult,
    OtherFeatureItem,
    Record,
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
_OWN: Final = "genint"
_GO_TERM: Final = re.compile(r"GO:\d{7}", re.ASCII)


def render_gff3(result: GenintResult) -> str:
    """All genes, RNA genes and other gene features, by record and place.

    Cost: about 90 microseconds and 550 bytes a gene.
    """
    lines = ["##gff-version 3", f"#!processor genint {shown_text(result.genint_version)}"]
    lines += [f"# {told}" for told in levels_in_words(result.parameters)]
    lines += [f"# {search_text(search)}" for search in result.searches]
    lines += [f"# {asked}" for asked in use_texts(result)]
    lines += [f"##sequence-region {escaped_seqid(r.id)} 1 {r.length}" for r in result.records]
    found: dict[str, list[tuple[Row, ...]]] = {record.id: [] for record in result.records}
    lengths = {record.id: record.length for record in result.records}
    others = others_of(result)
    for gene in result.genes:
        told = others.get(gene.id, NO_OTHERS)
        found[gene.record].append(_gene_rows(gene, lengths[gene.record], result, told))
    for rna in result.rna_genes:
        found[rna.record].append(rna_rows(rna, lengths[rna.record]))
    for array in result.crispr_arrays:
        found[array.record].append((array_row(array, lengths[array.record]),))
    for product in result.alternative_products:
        found[product.record].append((slip_row(product, lengths[product.record]),))
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
        ("Note", tuple(text for text in (record.description, _repeat(record)) if text)),
        ("organism", given(record.organism)),
        ("transl_table", () if code is None else (str(code),)),
    )
    return Row(record.id, _OWN, "region", 1, record.length, "+", attributes)


def _repeat(record: Record) -> str:
    return repeat_text(record.terminal_repeat_bp) if record.terminal_repeat_bp else ""


def _gene_rows(
    gene: GeneItem, record_bp: int, result: GenintResult, others: Others
) -> tuple[Row, ...]:
    """The gene, then its parts in the order of transcription."""
    source = _SOURCES[gene.called_by]
    name = identifier(gene.id)
    start, end = unrolled(gene.start, gene.end, record_bp)
    attributes: Attributes = (
        ("ID", (f"gene-{name}",)),
        *_names(gene),
        ("gene_biotype", () if gene.pseudo else ("protein_coding",)),
        *_kind_of_gene(gene),
        *_partial(gene, start, end, (start, end)),
    )
    kind = "pseudogene" if gene.pseudo else "gene"
    row = Row(gene.record, source, kind, start, end, gene.strand, attributes)
    told = (*_told(gene, result, others), *rescue_attributes(gene))
    return row, *_parts(gene, row, record_bp, told)


def _parts(gene: GeneItem, over: Row, record_bp: int, told: Attributes) -> Iterator[Row]:
    name = identifier(gene.id)
    skip = gene.codon_start - 1
    for number, part in enumerate(transcribed(gene), start=1):
        start, end = unrolled(part.start, part.end, record_bp)
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


def _names(gene: GeneItem) -> Attributes:
    """Its names; the locus tag of a predicted gene is its id, as in GenBank output."""
    has_tag = not gene.locus.startswith(f"{gene.record}:")
    tag = gene.locus if has_tag else gene.id
    predicted = _SOURCES[gene.called_by] != OF_FILE
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


def _told(gene: GeneItem, result: GenintResult, others: Others) -> Attributes:
    """What is known of the protein; ``product`` is that of the file where it has one.

    A pseudogene makes no protein that could be named.
    """
    product = gene.product or (None if gene.pseudo else product_name(gene))
    compared = gene.compared
    in_file = compared.product if compared else None
    code = gene.translation_table
    return (
        *_names(gene),
        ("product", given(product)),
        ("product_in_file", given(in_file if in_file != product else None)),
        ("id_in_file", (compared.id,) if compared else ()),
        ("protein_id", given(gene.protein_id)),
        ("transl_table", () if code is None else (str(code),)),
        ("confidence", (gene.confidence,)),
        ("confidence_score", () if gene.is_dark else (str(gene.score),)),
        ("evidence_eco", eco_codes(gene)),
        ("inference", inferences(gene, result)),
        ("Dbxref", cross_references(gene)),
        ("Ontology_term", tuple(term for term in gene.go_terms if _GO_TERM.fullmatch(term))),
        ("cog_category", given(gene.cog_category)),
        ("Note", _notes(gene, others)),
        ("genint_features", feature_names(gene)),
        ("genint_context", given(context_words(gene.context) if gene.context else None)),
        ("genint_online", answer_texts(gene)),
        *_kind_of_gene(gene),
    )


def _notes(gene: GeneItem, others: Others) -> tuple[str, ...]:
    own = (note(gene), *given(gene.call_note), *given(audit_note(gene)))
    return (*own, *other_notes(others))


def _other_row(other: OtherFeatureItem, record_bp: int) -> Row:
    """A gene feature that was not interpreted, with the reason."""
    start, end = unrolled(other.start, other.end, record_bp)
    pseudo = other.reason == "pseudogene"
    attributes: Attributes = (
        ("ID", ("other-" + identifier(other.id),)),
        ("Name", (other.name or other.id,)),
        ("gene", given(other.name)),
        ("Note", (f"not interpreted: {other.reason}",)),
    )
    kind = "pseudogene" if pseudo else "gene"
    return Row(other.record, OF_FILE, kind, start, end, other.strand, attributes)
