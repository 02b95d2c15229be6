"""GFF3 rows of RNA genes, CRISPR arrays and slippery sites, and what is told of other products.

A product of slipping ribosomes is only flagged: it gets a row for the site where they may slip
and a note at its gene, and no ``CDS`` row that would be counted among the proteins.

Source: Sequence Ontology (CRISPR SO:0001459); INSDC feature table (``/inference``).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from genint.report.found_words import (
    Others,
    array_text,
    method_parts,
    product_text,
    rescue_arithmetic,
    rescue_place,
    rna_facts,
    rna_inference,
    rna_reference,
    rna_score,
    spans_text,
    start_text,
)
from genint.report.gff3_rows import Attributes, Row, identifier
from genint.report.result import (
    AlternativeProductItem,
    CrisprArrayItem,
    GeneItem,
    RnaGeneItem,
)

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
        ("Name", (rna.name or rna.locus_tag or rna.id,)),
        ("gene", given(rna.name)),
        ("locus_tag", given(rna.locus_tag or (rna.id if found else None))),
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


def other_notes(others: Others) -> tuple[str, ...]:
    """Notes on other starts and products of a gene."""
    return (
        *(f"genint: alternative start at {start_text(one)}" for one in others.starts),
        *(f"genint: alternative product {product_text(one)}" for one in others.products),
    )
