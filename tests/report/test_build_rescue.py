"""From the values of a genome to the items of the result, bases counted by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.formats import read_genome_bytes
from genint.knowledge import load_confidence
from genint.model import (
    AlternativeProduct,
    AlternativeStart,
    CalledBy,
    Contig,
    CrisprArray,
    FeatureSearch,
    Gene,
    Genome,
    HeldOut,
    Interval,
    Location,
    Part,
    RejectedFrame,
    Rescue,
    RescueKind,
    RescueTerm,
    RnaGene,
    Strand,
    Topology,
)
from genint.report import GenintResult, build_result, contradictions
from tests.builders.results import summarise

LENGTH = 600


def gene(name: str, start: int, end: int, strand: Strand, **more: object) -> Gene:
    place = Location.simple(Interval(start, end), strand)
    protein = "M" + "K" * ((end - start) // 3 - 2)
    return Gene(name, "c", place, protein, 11, CalledBy.PYRODIGAL, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def genome() -> Genome:
    read = read_genome_bytes(f">c\n{'ACGTTGCA' * (LENGTH // 8)}\n".encode(), "c.fasta")
    rescue = Rescue(
        RescueKind.NESTED,
        0.6224593,
        0.5,
        (RescueTerm("few such frames are genes", -4.0), RescueTerm("start score", 4.5)),
        "host",
        1.0,
        held_out=HeldOut(0.6, 0.8, 10, 16),
    )
    near = replace(rescue, probability=0.0474, terms=(RescueTerm("prior", -3.0),))
    genes = (
        gene("host", 0, 300, Strand.FORWARD),
        gene("nested", 31, 121, Strand.FORWARD, rescue=rescue),
        gene("wraps", 540, 660, Strand.REVERSE),
    )
    contig: Contig = replace(
        read.contigs[0],
        topology=Topology.CIRCULAR,
        genes=genes,
        rejected=(
            RejectedFrame("miss", "c", Interval(40, 70), Strand.FORWARD, 9, near, "weak"),
            RejectedFrame("rna", "c", Interval(400, 460), Strand.FORWARD, 19, None, "in an RNA"),
        ),
        alternative_starts=(
            AlternativeStart(
                "wraps", "c", Interval(540, 630), Strand.REVERSE, "GTG", None, 9.25, 0.75, 0.3, "r"
            ),
        ),
        alternative_products=(
            AlternativeProduct(
                "host_fs", "host", "nested", "c",
                Location((
                    Part(Interval(0, 100), Strand.FORWARD), Part(Interval(99, 121), Strand.FORWARD),
                )),
                "MKKK", -1, "GGGAAAG", Interval(93, 100), 0.2, "why",
            ),
        ),
        rna_genes=(
            RnaGene(
                "t1", "c", Location.simple(Interval(400, 476), Strand.REVERSE), "tRNA", "tRNA-Met",
                anticodon="CAT", method="aragorn 1.2", score=80.126, score_unit="bits",
                accession="RF00005", note="n",
            ),
        ),
        crispr_arrays=(
            CrisprArray(
                "a1", "c", Location.simple(Interval(590, 650), Strand.FORWARD), "ACGT", 3,
                ("AA", "CC"), "own 1",
            ),
        ),
        terminal_repeat_bp=12,
    )  # fmt: skip
    searches = (
        FeatureSearch("tRNA and tmRNA", "aragorn 1.2", 1),
        FeatureSearch("CRISPR arrays", "own 1", 1),
        FeatureSearch("rRNA", None, None, "not installed"),
    )
    return replace(read, contigs=(contig,), searches=searches)


@pytest.fixture(scope="module")
def result(genome) -> GenintResult:
    return build_result(summarise(genome), load_confidence())


def test_what_is_built_does_not_contradict_itself(result):
    assert not list(contradictions(result))


def test_a_rescued_gene_has_its_addends_rounded_and_its_host(result):
    host, nested, _ = result.genes
    assert host.rescue is None
    assert (nested.rescue.probability, nested.rescue.host) == (0.622, "host")
    assert [term.log_odds for term in nested.rescue.terms] == [-4.0, 4.5]
    assert (nested.rescue.held_out.genes, nested.rescue.held_out.frames) == (10, 16)


def test_near_misses_have_places_from_one(result):
    miss, dropped = result.rejected
    assert (miss.id, miss.start, miss.end, miss.strand, miss.length_aa) == ("miss", 41, 70, "+", 9)
    assert miss.rescue is not None
    assert (dropped.rescue, dropped.reason) == (None, "in an RNA")


def test_an_alternative_start_over_the_origin_counts_residues_without_the_stop(result):
    (start,) = result.alternative_starts
    assert (start.start, start.end, start.length_aa, start.strand) == (541, 30, 29, "-")
    assert (start.share, start.probability, start.start_score) == (0.75, 0.3, 9.25)


def test_an_alternative_product_keeps_both_parts_and_its_site(result):
    (product,) = result.alternative_products
    assert [(part.start, part.end) for part in product.parts] == [(1, 100), (100, 121)]
    assert (product.site_start, product.site_end, product.length_aa) == (94, 100, 4)
    assert (product.joined, product.shift) == ("nested", -1)


def test_rna_genes_arrays_and_searches_are_told(result):
    (rna,), (array,) = result.rna_genes, result.crispr_arrays
    assert (rna.start, rna.end, rna.anticodon, rna.score) == (401, 476, "CAT", 80.13)
    assert (rna.method, rna.score_unit, rna.accession) == ("aragorn 1.2", "bits", "RF00005")
    assert (array.start, array.end, array.repeats, array.spacers) == (591, 50, 3, ("AA", "CC"))
    assert [one.found for one in result.searches] == [1, 1, None]
    assert result.records[0].terminal_repeat_bp == 12
    assert result.summary.total_genes == 3  # RNA genes, arrays and products are no genes


def test_dark_genes_say_what_they_may_make_besides(result):
    told = {gene.id: " ".join(gene.novelty.observations) for gene in result.genes}
    assert "base 30 (GTG, no ribosome binding site seen): 29 amino acids, 75%" in told["wraps"]
    assert "slip one base back (-1) at GGGAAAG" in told["host"]
    assert "the gene itself is uncertain (probability 0.62 that it is a gene)" in told["nested"]
