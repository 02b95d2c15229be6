"""GFF3 rendering: for genome browsers and annotation tools.

Every record has its region, every gene a ``gene`` row with a ``CDS`` row for each of its
parts below it (one id for all parts), every RNA gene a ``gene`` row and one of its kind,
every CRISPR array a ``CRISPR`` row. Alternative starts and products are notes at their gene;
what was searched for besides protein-coding genes is in the comments at the top.

Pseudogenes are ``pseudogene`` rows with ``pseudogenic_*`` rows below: a ``CDS`` is no part of a
pseudogene in the Sequence Ontology. Column 6 is the confidence score of the gene, dark genes
have none; of RNA genes it is the score of the search. What runs over the origin of a circle
ends at its end plus the length of the record, and parts behind the origin are counted on in the
same way, so that children lie within their parents; what a file joins over the ends of a linear
record is two rows of one id. Parts are in the order of transcription;
where that is not the order of the strand, ``part`` numbers them.

There is no ``##FASTA`` section: a result does not hold the sequence.

Source: Sequence Ontology, Generic Feature Format Version 3, 1.26; the attributes that the
specification leaves free are those of the NCBI where it has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from genint.formats.genbank.features import NOTE_START
from genint.formats.gff3 import ADDED
from genint.model.genome import CalledBy, Topology
from genint.model.overview import Topic
from genint.report.audit import audit_note
from genint.report.insdc import (
    anticodon_value,
    context_text,
    cross_references,
    eco_codes,
    feature_names,
    inferences,
    note,
    product_name,
)
from genint.report.locus_tags import old_tag_of, tag_of
from genint.report.overview import overview_texts
from genint.report.result import (
    AlternativeProductItem,
    CrisprArrayItem,
    GeneItem,
    GenintResult,
    OtherFeatureItem,
    Record,
    RnaGeneItem,
)
from genint.report.result_overview import GenomeStatementItem
from genint.report.score import level_sentences
from genint.report.wording import (
    Alternatives,
    alternative_texts,
    alternatives_of,
    answer_texts,
    array_text,
    method_parts,
    product_text,
    repeat_text,
    rescue_arithmetic,
    rescue_place,
    rna_facts,
    rna_inference,
    rna_reference,
    rna_score,
    search_text,
    shown_text,
    spans_text,
    transcribed,
    use_texts,
)

Attributes: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Tag and values of each attribute, in the order of writing; those without values fall out."""

_SEQID_FORBIDS: Final = re.compile(r"[^a-zA-Z0-9.:^*$@!+_?\-|]")
_REGIONS: Final = MappingProxyType(
    {
        Topic.PROPHAGE: "prophage",
        Topic.MOBILE_ELEMENT: "mobile_genetic_element",
        Topic.PSEUDOGENE: "pseudogene",
    }
)
"""Terms of the Sequence Ontology for stretches that statements on the genome are about."""
_VALUE_FORBIDS: Final = re.compile(r"[\x00-\x1f\x7f%;=&,]")


class Row(NamedTuple):
    """One line of a feature.

    Attributes:
        seqid: Id of the record, as the result has it.
        kind: A term of the Sequence Ontology.
        start: 1-based first base, never larger than ``end``.
        end: Last base; larger than the record over the origin of a circle.
        phase: Bases to skip before the first whole codon; None but in CDS.
    """

    seqid: str
    source: str
    kind: str
    start: int
    end: int
    strand: str
    attributes: Attributes
    score: float | None = None
    phase: int | None = None

    def line(self) -> str:
        """The row as text, escaped, without line end."""
        columns = (
            escaped_seqid(self.seqid),
            self.source,
            self.kind,
            str(self.start),
            str(self.end),
            "." if self.score is None else str(self.score),
            self.strand,
            "." if self.phase is None else str(self.phase),
            _written(self.attributes),
        )
        return "\t".join(columns)


def escaped_seqid(record: str) -> str:
    """A record id for the first column, where only few characters are allowed unescaped.

    ``>`` is not one of them, so no row is taken for the head of a sequence.
    """
    return _SEQID_FORBIDS.sub(_percent, record)


def identifier(text: str) -> str:
    """An id for the ninth column that stays unique, whatever characters it has.

    Characters that cannot be shown are escaped, not replaced: replacing could make two
    ids one.
    """
    escaped = _VALUE_FORBIDS.sub(_percent, text)
    if escaped.isprintable():
        return escaped
    return "".join(c if c.isprintable() else _percent_of(c) for c in escaped)


def _written(attributes: Attributes) -> str:
    written = (
        f"{tag}={','.join(values if tag in {'ID', 'Parent'} else map(_value, values))}"
        for tag, values in attributes
        if values
    )
    return ";".join(written) or "."


def _value(text: str) -> str:
    return _VALUE_FORBIDS.sub(_percent, shown_text(text))


def _percent(found: re.Match[str]) -> str:
    return _percent_of(found[0])


def _percent_of(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


OF_FILE: Final = "GenBank"
_OWN: Final = "genint"
_SO_TERMS: Final = frozenset("tRNA rRNA tmRNA ncRNA antisense_RNA snRNA snoRNA scRNA mRNA".split())
"""Feature keys of RNA genes that are terms of the Sequence Ontology under the same name."""
_PRECURSORS: Final = frozenset({"precursor_RNA", "prim_transcript"})
_PSEUDOGENIC: Final = frozenset({"tRNA", "rRNA"})
_NO_GENES: Final = MappingProxyType(
    {"regulatory": "regulatory_region", "misc_feature": "sequence_feature"}
)
"""Found stretches that are no genes: riboswitches, introns."""


def unrolled(start: int, end: int, record_bp: int) -> tuple[int, int]:
    """Both ends, the last beyond the record where it lies behind the origin."""
    return (start, end) if start <= end else (start, end + record_bp)


def given(text: str | None) -> tuple[str, ...]:
    """The values of an attribute that may be absent."""
    return (text,) if text else ()


def rna_rows(rna: RnaGeneItem, record_bp: int) -> tuple[Row, ...]:
    """An RNA gene, of the file or found, and what it makes; one row for what is no gene."""
    start, end = unrolled(rna.start, rna.end, record_bp)
    name = identifier(rna.id)
    found = rna.method is not None
    names: Attributes = (
        ("Name", (rna.name or tag_of(rna) or rna.id,)),
        ("gene", given(rna.name)),
        ("locus_tag", given(tag_of(rna) or (rna.id if found else None))),
        ("old_locus_tag", given(old_tag_of(rna))),
        ("pseudo", ("true",) if rna.pseudo else ()),
    )
    kind, gene_kind = _rna_kind(rna), "pseudogene" if rna.pseudo else "gene"
    no_gene = _NO_GENES.get(rna.kind) if found else None
    gene_ids: Attributes = (("ID", (f"rnagene-{name}",)),)
    biotype: Attributes = (("gene_biotype", (rna.kind,) if found and not rna.pseudo else ()),)
    ids: Attributes = (("ID", (f"rna-{name}",)), ("Parent", (f"rnagene-{name}",)))
    product: Attributes = (
        ("product", given(rna.product)),
        ("feature_key", (rna.kind,)),
        ("genint_class", given(rna.insdc_class if found else None)),
        ("inference", given(rna_inference(rna))),
        ("Dbxref", given(rna_reference(rna))),
        ("Note", ("; ".join(rna_facts(rna)),) if found else ()),
        ("anticodon", given(anticodon_value(rna, record_bp))),
        ("genint_anticodon", given(rna.anticodon)),
        ("genint_score", given(rna_score(rna))),
    )
    place = (start, end, rna.strand)
    source = next(iter(method_parts(rna.method)), _OWN) if found else OF_FILE
    if no_gene is not None:
        own = (*ids[:1], *names, *product)
        return (Row(rna.record, source, no_gene, *place, own, score=rna.score),)
    return (
        Row(rna.record, source, gene_kind, *place, (*gene_ids, *names, *biotype)),
        Row(rna.record, source, kind, *place, (*ids, *names, *product), score=rna.score),
    )


def _rna_kind(rna: RnaGeneItem) -> str:
    """The term of the Sequence Ontology for a feature key."""
    if rna.pseudo:
        return f"pseudogenic_{rna.kind if rna.kind in _PSEUDOGENIC else 'transcript'}"
    if rna.kind in _SO_TERMS:
        return rna.kind
    return "primary_transcript" if rna.kind in _PRECURSORS else "transcript"


def array_row(array: CrisprArrayItem, record_bp: int) -> Row:
    """A CRISPR array, whose strand is not known."""
    start, end = unrolled(array.start, array.end, record_bp)
    attributes: Attributes = (
        ("ID", (f"crispr-{identifier(array.id)}",)),
        ("Name", (array.id,)),
        ("Note", (array_text(array),)),
        ("rpt_family", ("CRISPR",)),
        ("rpt_type", ("direct",)),
        ("rpt_unit_seq", given(array.repeat)),
        ("genint_spacers", array.spacers),
    )
    source = next(iter(method_parts(array.method)), _OWN)
    return Row(array.record, source, "CRISPR", start, end, ".", attributes)


def slip_row(product: AlternativeProductItem, record_bp: int) -> Row:
    """The bases at which ribosomes may slip, with what they would make."""
    start, end = unrolled(product.site_start, product.site_end, record_bp)
    attributes: Attributes = (
        ("ID", (f"slip-{identifier(product.id)}",)),
        ("Name", (product.id,)),
        ("Note", (product_text(product),)),
        ("genint_gene", (product.gene,)),
        ("genint_joined", given(product.joined)),
        ("genint_parts", tuple(spans_text(product.parts).split(","))),
        ("genint_shift", (f"{product.shift:+d}",)),
        ("genint_probability", (f"{product.probability}",)),
    )
    strand = product.parts[0].strand if product.parts else "."
    return Row(
        product.record, _OWN, "sequence_feature", start, end, strand, attributes,
        score=product.probability,
    )  # fmt: skip


def rescue_attributes(gene: GeneItem) -> Attributes:
    """Why there is a gene that the gene finder leaves out."""
    if gene.rescue is None:
        return ()
    return (
        ("genint_gene_probability", (str(gene.rescue.probability),)),
        ("genint_gene_call", (f"{rescue_place(gene.rescue)}: {rescue_arithmetic(gene.rescue)}",)),
    )


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
_GO_TERM: Final = re.compile(r"GO:\d{7}", re.ASCII)


def render_gff3(result: GenintResult) -> str:
    """All genes, RNA genes and other gene features, by record and place.

    Cost: about 90 microseconds and 550 bytes a gene.
    """
    lines = ["##gff-version 3", f"#!processor genint {shown_text(result.genint_version)}"]
    lines += [f"# {text}" for text in level_sentences(result.parameters)]
    lines += [f"# {search_text(search)}" for search in result.searches]
    lines += [f"# {text}" for text in use_texts(result)]
    lines += [
        f"# {shown_text(record.id)}: {text}"
        for record in result.records
        for text in overview_texts(result, record.id)
    ]
    lines += [f"##sequence-region {escaped_seqid(r.id)} 1 {r.length}" for r in result.records]
    found: dict[str, list[tuple[Row, ...]]] = {record.id: [] for record in result.records}
    lengths = {record.id: record.length for record in result.records}
    alternatives = alternatives_of(result)
    for gene in result.genes:
        rows = _gene_rows(gene, lengths[gene.record], result, alternatives[gene.id])
        found[gene.record].append(rows)
    for rna in result.rna_genes:
        found[rna.record].append(rna_rows(rna, lengths[rna.record]))
    for array in result.crispr_arrays:
        found[array.record].append((array_row(array, lengths[array.record]),))
    for product in result.alternative_products:
        found[product.record].append((slip_row(product, lengths[product.record]),))
    for one, number, part_of in _stretches(result):
        row = statement_row(one, number, lengths[one.record], part_of)
        found[one.record].append((row,))
    for other in result.other_features:
        found[other.record].append((_other_row(other, lengths[other.record]),))
    for record in result.records:
        groups = sorted(found[record.id], key=lambda rows: (rows[0].start, -rows[0].end))
        lines.append(_region(record).line())
        placed = (row for rows in groups for row in rows)
        if record.topology is Topology.LINEAR:
            placed = (row for whole in placed for row in _on_line(whole, record.length))
        lines += [row.line() for row in placed]
        lines.append("###")  # nothing below refers to anything above
    return "\n".join(lines) + "\n"


def _on_line(row: Row, record_bp: int) -> tuple[Row, ...]:
    """A row of a record with ends: what the file joins over both is two rows of one id."""
    if row.end <= record_bp:
        return (row,)
    end = row.end - record_bp
    behind = row._replace(start=max(row.start - record_bp, 1), end=end)
    behind = behind._replace(
        attributes=tuple(
            (tag, (str(end), ".") if tag == "end_range" and values else values)
            for tag, values in row.attributes
            if row.start > record_bp or tag != "start_range"
        )
    )
    if row.start > record_bp:
        return (behind,)
    before = tuple(one for one in row.attributes if one[0] != "end_range")
    return row._replace(end=record_bp, attributes=before), behind


def _stretches(result: GenintResult) -> Iterator[tuple[GenomeStatementItem, str, str]]:
    """Statements on a stretch, each with a number and with what it is a part of."""
    for at, one in enumerate(result.overview, start=1):
        parts = enumerate(one.parts, start=1)
        every = (
            (one, f"{at}", ""),
            *((part, f"{at}.{number}", f"{one.subject}, ") for number, part in parts),
        )
        yield from (found for found in every if found[0].start is not None)


def statement_row(one: GenomeStatementItem, number: str, record_bp: int, part_of: str = "") -> Row:
    """The stretch that a statement on the genome is about; ``number`` makes its id unique.

    A stretch that is a part of another one's has that one's name before its own.
    """
    start, end = unrolled(one.start or 1, one.end or record_bp, record_bp)
    attributes: Attributes = (
        ("ID", (f"genome-statement-{number}",)),
        ("Name", (f"{part_of}{one.topic}: {one.subject}",)),
        ("Note", (one.text,)),
    )
    kind = _REGIONS.get(one.topic, "region")
    return Row(one.record, _OWN, kind, start, end, ".", attributes, score=one.probability)


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
    gene: GeneItem, record_bp: int, result: GenintResult, alternatives: Alternatives
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
    of_protein = (*_protein(gene, result, alternatives), *rescue_attributes(gene))
    return row, *_parts(gene, row, record_bp, of_protein)


def _parts(gene: GeneItem, over: Row, record_bp: int, of_protein: Attributes) -> Iterator[Row]:
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
                *of_protein,
                ("part", (str(number),) if gene.part_order else ()),
                *_partial(gene, start, end, (over.start, over.end)),
            ),
            score=None if gene.is_dark else gene.score,
            phase=None if gene.pseudo else skip,
        )
        skip = (skip - (end - start + 1)) % 3


def _names(gene: GeneItem) -> Attributes:
    """Its names; the locus tag of a predicted gene is its id, as in GenBank output."""
    predicted = _SOURCES[gene.called_by] != OF_FILE
    return (
        ("Name", (gene.name,)),
        ("gene", (gene.name,) if gene.name != gene.id else ()),
        ("locus_tag", given(tag_of(gene) or (gene.id if predicted else None))),
        ("old_locus_tag", given(old_tag_of(gene))),
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


def _protein(gene: GeneItem, result: GenintResult, alternatives: Alternatives) -> Attributes:
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
        ("Note", _notes(gene, alternatives)),
        (ADDED, ("product",) if product and not gene.product else ()),
        ("genint_basis", given(gene.basis)),
        ("genint_features", feature_names(gene)),
        ("genint_context", given(context_text(gene.context) if gene.context else None)),
        ("genint_online", answer_texts(gene)),
        *_kind_of_gene(gene),
    )


def _notes(gene: GeneItem, alternatives: Alternatives) -> tuple[str, ...]:
    own = (note(gene), *given(gene.call_note), *given(audit_note(gene)))
    return (*own, *(f"{NOTE_START}{text}" for text in alternative_texts(alternatives)))


def _other_row(other: OtherFeatureItem, record_bp: int) -> Row:
    """A gene feature that was not interpreted, with the reason."""
    start, end = unrolled(other.start, other.end, record_bp)
    pseudo = other.reason == "pseudogene"
    attributes: Attributes = (
        ("ID", ("other-" + identifier(other.id),)),
        ("Name", (other.name or other.id,)),
        ("gene", given(other.name)),
        ("locus_tag", given(tag_of(other))),
        ("old_locus_tag", given(old_tag_of(other))),
        ("Note", (f"not interpreted: {other.reason}",)),
    )
    kind = "pseudogene" if pseudo else "gene"
    return Row(other.record, OF_FILE, kind, start, end, other.strand, attributes)
