"""Cells of the gene table that are told of other things than one gene item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from genint.report.arithmetic import signed
from genint.report.found_words import Others, rescue_terms, start_base
from genint.report.result import CrisprArrayItem, GeneItem, RnaGeneItem

Cell: TypeAlias = str | int | float | None


def rna_cells(rna: RnaGeneItem) -> Mapping[str, Cell]:
    """Cells of an RNA gene by column."""
    return {
        "type": rna.kind,
        "record": rna.record,
        "id": rna.id,
        "locus": rna.locus_tag,
        "name": rna.name,
        "start": rna.start,
        "end": rna.end,
        "strand": rna.strand,
        "partial": "yes" if rna.partial_5 or rna.partial_3 else "no",
        "pseudo": "yes" if rna.pseudo else "no",
        "product": rna.product,
        # what a search found stands in no file
        "product_in_file": rna.product if rna.method is None else None,
        "anticodon": rna.anticodon,
        "found_by": rna.method,
        "found_score": rna.score,
        "found_score_unit": rna.score_unit,
        "found_model": rna.accession,
        "found_note": rna.note,
    }


def array_cells(array: CrisprArrayItem) -> Mapping[str, Cell]:
    """Cells of a CRISPR array by column."""
    return {
        "type": "CRISPR",
        "record": array.record,
        "id": array.id,
        "start": array.start,
        "end": array.end,
        "found_by": array.method,
        "found_note": f"{array.repeats} repeats of {array.repeat}",
    }


def other_cells(others: Others) -> Mapping[str, Cell]:
    """What a gene may make besides its protein, by column."""
    starts = (
        f"{start_base(one)} ({one.codon}, {one.length_aa} aa, {one.probability:.2f})"
        for one in others.starts
    )
    products = (
        f"{one.id} ({one.shift:+d} at {one.heptamer}, {one.length_aa} aa, {one.probability:.2f})"
        for one in others.products
    )
    return {"alternative_starts": "; ".join(starts), "alternative_products": "; ".join(products)}


def rescue_reasons(gene: GeneItem) -> str | None:
    """Addends of the probability of a rescued gene."""
    if gene.rescue is None:
        return None
    return " | ".join(f"{reason} {signed(value)}" for reason, value in rescue_terms(gene.rescue))
