"""GenBank features and notes of RNA genes, CRISPR arrays, rescued genes and other products.

An alternative product is a note at its gene and no feature: it is only flagged. The anticodon
of a tRNA is told in a note: ``/anticodon`` asks for its place, which a result does not hold.

Source: INSDC feature table definition (``tRNA``, ``ncRNA``, ``repeat_region``, ``/inference``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, Self

from genint.formats.wrapping import Stretch, feature_lines, location_text
from genint.model.genome import Qualifier
from genint.report.found_words import (
    NO_OTHERS,
    Others,
    array_text,
    others_of,
    product_text,
    rescue_meaning,
    rescue_place,
    rna_facts,
    rna_inference,
    rna_reference,
    start_text,
)
from genint.report.result import CrisprArrayItem, GeneItem, GenintResult, RnaGeneItem

_NON_CODING: Final = "ncRNA"
_REGULATORY: Final = "regulatory"
_ANY_RNA: Final = "misc_RNA"
_KEY: Final = re.compile(r"[A-Za-z_\-]{1,15}", re.ASCII)
"""What a feature key is made of."""


class Telling(NamedTuple):
    """A result, and what its genes may make besides their proteins, looked up once."""

    result: GenintResult
    others: Mapping[str, Others]

    @classmethod
    def of(cls, result: GenintResult) -> Self:
        """Of a result."""
        return cls(result, others_of(result))


def rna_feature(gene: RnaGeneItem, *, length_bp: int, with_tag: bool = False) -> tuple[str, ...]:
    """Lines of an RNA gene.

    Args:
        gene: The gene.
        length_bp: Of its record.
        with_tag: A gene that was found has its id as locus tag: in records of our own.
    """
    span = Stretch(gene.start, gene.end, gene.strand == "-")
    found = gene.method is not None
    values = (
        ("locus_tag", gene.locus_tag or (gene.id if found and with_tag else None)),
        ("gene", gene.name),
        ("product", gene.product),
        # the feature has to name a class
        ("ncRNA_class", _class_of(gene, _NON_CODING)),
        ("regulatory_class", _class_of(gene, _REGULATORY)),
        ("inference", rna_inference(gene)),
        ("db_xref", rna_reference(gene)),
        ("note", "; ".join(rna_facts(gene)) if found else None),
    )
    qualifiers = [Qualifier(name, value) for name, value in values if value]
    if gene.pseudo:
        qualifiers.append(Qualifier("pseudo", None))
    key = gene.kind if _KEY.fullmatch(gene.kind) else _ANY_RNA
    place = location_text([span], length_bp, partial_5=gene.partial_5, partial_3=gene.partial_3)
    return feature_lines(key, place, qualifiers)


def _class_of(gene: RnaGeneItem, kind: str) -> str | None:
    """The class of a found gene whose feature key is ``kind``."""
    if gene.method is None or gene.kind != kind:
        return None
    return gene.insdc_class or "other"


def array_feature(array: CrisprArrayItem, *, length_bp: int) -> tuple[str, ...]:
    """Lines of a CRISPR array."""
    span = Stretch(array.start, array.end, reverse=False)
    qualifiers = (
        Qualifier("rpt_family", "CRISPR"),
        Qualifier("rpt_type", "direct"),
        Qualifier("rpt_unit_seq", array.repeat.lower()),
        Qualifier("note", array_text(array)),
    )
    return feature_lines("repeat_region", location_text([span], length_bp), qualifiers)


def rescue_note(gene: GeneItem) -> str | None:
    """Why there is a gene that the gene finder leaves out, with what its probability means."""
    if gene.rescue is None:
        return f"gene call: {gene.call_note}" if gene.call_note else None
    why = (gene.call_note or rescue_place(gene.rescue)).removesuffix(".")
    return f"gene call: {why}; {rescue_meaning(gene.rescue)}"


def other_notes(gene: GeneItem, telling: Telling) -> Iterator[str]:
    """Other starts and products of a gene."""
    others = telling.others.get(gene.id, NO_OTHERS)
    for start in others.starts:
        yield f"alternative start at {start_text(start)}"
    for product in others.products:
        yield f"alternative product {product_text(product)}"
