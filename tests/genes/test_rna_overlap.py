"""Predicted genes that lie in RNA are none; where a family knows the protein they are."""

from __future__ import annotations

import pytest

from genint.genes import with_doubts, without_genes_in_rna
from genint.model import (
    CalledBy,
    CallScores,
    Contig,
    CrisprArray,
    Gene,
    Interval,
    Location,
    RnaGene,
    Strand,
)

PLUS, MINUS = Strand.FORWARD, Strand.REVERSE


def gene(start: int, end: int, strand: Strand = PLUS, *, confidence: float = 0.99) -> Gene:
    scores = CallScores(10.0, 8.0, 2.0, "ATG", None, confidence)
    return Gene(
        f"g{start}", "c1", Location.simple(Interval(start, end), strand), "M" * 30, 11,
        CalledBy.PYRODIGAL, scores=scores,
    )  # fmt: skip


def rna(
    kind: str, start: int, end: int, insdc_class: str | None = None, method: str | None = "Rfam"
) -> RnaGene:
    place = Location.simple(Interval(start, end), PLUS)
    return RnaGene(
        f"r{start}", "c1", place, kind, "some RNA", method=method, insdc_class=insdc_class
    )


def array(start: int, end: int) -> CrisprArray:
    place = Location.simple(Interval(start, end), PLUS)
    return CrisprArray("a1", "c1", place, "ACGT", 4, ("A", "C", "G"), "x")


def left(genes, rnas=(), arrays=(), evidenced=(), length=10_000) -> Contig:
    contig = Contig("c1", "A" * length, genes=tuple(genes))
    return without_genes_in_rna(contig, rnas, arrays, evidenced)


@pytest.mark.parametrize("strand", [PLUS, MINUS])
def test_a_call_inside_rrna_is_rejected_with_its_reason(strand):
    contig = left([gene(500, 740, strand), gene(3000, 3900)], [rna("rRNA", 100, 1600)])
    assert [g.id for g in contig.genes] == ["g3000"]
    (rejected,) = contig.rejected
    assert (rejected.id, rejected.interval, rejected.strand) == ("g500", Interval(500, 740), strand)
    assert rejected.rescue is None
    assert rejected.length_aa == 30
    assert rejected.reason == "100% of it lie in some RNA (r100), where no protein is coded."


@pytest.mark.parametrize("place", ["tRNA", "tmRNA", "CRISPR"])
def test_a_call_mostly_inside_other_rna_is_rejected_but_not_one_that_a_family_knows(place):
    rnas = [] if place == "CRISPR" else [rna(place, 400, 800)]
    arrays = [array(400, 800)] if place == "CRISPR" else []
    call = gene(300, 700)
    assert left([call], rnas, arrays).genes == ()
    assert left([call], rnas, arrays, {"g300"}).genes == (call,)


def test_what_a_family_knows_is_no_gene_inside_rrna():
    assert left([gene(500, 740)], [rna("rRNA", 100, 1600)], evidenced={"g500"}).genes == ()


def test_a_gene_that_overlaps_an_end_of_a_trna_stays():
    call = gene(300, 1300)
    assert left([call], [rna("tRNA", 1270, 1346)]).genes == (call,)


def test_a_call_over_two_trna_stays_only_if_the_finder_is_sure_of_it():
    trnas = [rna("tRNA", 400, 476), rna("tRNA", 500, 576)]
    sure, doubtful = gene(300, 750), gene(300, 750, confidence=0.8)
    assert left([sure], trnas).genes == (sure,)
    assert left([doubtful], trnas).rejected[0].reason.startswith("34% of it lie in some RNA (r400)")


def test_other_rna_costs_no_gene_but_that_of_rnase_p_does():
    call = gene(300, 600)
    for kind, insdc_class in (("ncRNA", "other"), ("regulatory", "riboswitch")):
        assert left([call], [rna(kind, 200, 700, insdc_class)]).genes == (call,)
    assert left([call], [rna("ncRNA", 200, 700, "RNase_P_RNA")]).genes == ()
    of_file = rna("ncRNA", 200, 700, "RNase_P_RNA", method=None)
    assert left([call], [of_file]).genes == (call,)


def test_places_over_the_origin_count():
    call = gene(10, 250)
    assert left([call], [rna("rRNA", 9_000, 10_500)]).genes == ()


def test_a_contig_without_rna_stays_as_it_is():
    contig = Contig("c1", "A" * 100, genes=(gene(3, 63),))
    assert without_genes_in_rna(contig, (), (), ()) is contig


def test_a_trna_inside_a_gene_that_a_family_knows_is_doubted():
    contig = Contig("c1", "A" * 10_000, genes=(gene(300, 1300), gene(4000, 5000)))
    trnas = (rna("tRNA", 700, 776), rna("tRNA", 4100, 4176), rna("tRNA", 1290, 1366))
    notes = [each.note for each in with_doubts(trnas, contig, {"g300"})]
    assert notes == [
        "It lies in g300, whose protein a family recognises: it may be a fold by chance.",
        None,
        None,
    ]
