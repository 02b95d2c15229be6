"""What was told is held against the record: genes, names, letters; and genomes together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.accuracy.figures import CogFigures
from benchmarks.accuracy.genomes import BenchGenome
from benchmarks.accuracy.markdown import as_markdown
from benchmarks.accuracy.results import Contender, Result, Told, judged, letters_judged, pooled
from benchmarks.accuracy.usage import Usage
from genint.formats import read_genome_bytes
from genint.knowledge import ProductVocabulary, load_products
from genint.model import (
    CalledBy,
    Contig,
    FileFormat,
    Gene,
    Genome,
    GenomeKind,
    GenomeSource,
    Interval,
    Location,
    Strand,
)
from training.blind.truth import Place, ToldGene, true_genes

RECORD = b"""LOCUS       TEST                     120 bp    DNA     linear PHG 01-JAN-2020
ACCESSION   TEST
VERSION     TEST.1
FEATURES             Location/Qualifiers
     CDS             1..30
                     /product="portal protein"
     CDS             complement(31..60)
                     /product="holin"
     CDS             61..90
                     /product="hypothetical protein"
ORIGIN
        1 atgatgatga tgatgatgat gatgatgtaa ttaatgatga tgatgatgat gatgatgcat
       61 atgaaaaaaa tgatgatgat gatgatgtaa atgatgatga tgatgatgat gatgatgtaa
//
"""
USAGE = Usage(2.0, 1.5, 100.0)
GENINT, PEER = Contender("genint", "offline", "novel"), Contender("prokka")


@pytest.fixture(scope="module")
def vocabulary() -> ProductVocabulary:
    return load_products()


@pytest.fixture(scope="module")
def genome(vocabulary: ProductVocabulary) -> BenchGenome:
    annotated = read_genome_bytes(RECORD, "test.gb")
    truth = true_genes(annotated, vocabulary)
    letters = {truth[0].residues.rstrip("*"): "X"}
    return BenchGenome(
        "T", "group", GenomeKind.PHAGE, 11, annotated, truth, Path("T.fna"), (None,), letters
    )


def told(start: int, end: int, name: str = "", *, strand: int = 1, cog: str = "") -> ToldGene:
    stop = end if strand > 0 else start
    return ToldGene(Place(0, stop, strand), name, span=Interval(start, end), cog=cog)


def result(genome: BenchGenome, vocabulary: ProductVocabulary, contender: Contender) -> Result:
    # The first gene with its start elsewhere, the second on the wrong strand, one of no record.
    genes = (
        told(6, 30, "portal protein", cog="X"),
        told(30, 60, "holin"),
        told(90, 120, "holin"),
    )
    return judged(genome, contender, Told(genes, USAGE, parameters="as shipped"), vocabulary)


def test_genes_are_compared_by_overlap_and_by_stop(
    genome: BenchGenome, vocabulary: ProductVocabulary
) -> None:
    calls = result(genome, vocabulary, GENINT).calls
    assert (calls.genes, calls.calls, calls.stops, calls.exact) == (3, 3, 1, 0)
    assert calls.f1 == pytest.approx(2 * 1 / 6)
    assert (calls.stop_recall, calls.precision) == pytest.approx((1 / 3, 1 / 3))


def test_a_call_that_covers_less_than_half_of_a_gene_is_no_match(
    genome: BenchGenome, vocabulary: ProductVocabulary
) -> None:
    short = Told((told(18, 30, "portal protein"),), USAGE)
    calls = judged(genome, PEER, short, vocabulary).calls
    assert (calls.stops, calls.matched) == (1, 0)


def test_names_count_for_the_gene_with_their_stop(
    genome: BenchGenome, vocabulary: ProductVocabulary
) -> None:
    figures = result(genome, vocabulary, GENINT).names.figures
    assert (figures.informative, figures.named, figures.right) == (2, 1, 1)
    assert figures.coverage == 0.5


def test_letters_are_held_against_those_of_the_same_protein(
    genome: BenchGenome, vocabulary: ProductVocabulary
) -> None:
    assert result(genome, vocabulary, GENINT).cog == CogFigures(1, 1, 1)


def test_letters_of_given_genes_are_judged_without_names() -> None:
    place = Location.simple(Interval(0, 12), Strand.FORWARD)
    genes = (Gene("p1", "c", place, "MKT", 11, CalledBy.GENBANK),)
    contig = Contig(id="c", bases="N" * 12, genes=genes)
    given = Genome((contig,), GenomeSource(filename="c", sha256="", format=FileFormat.FASTA))
    found = letters_judged(given, {"MKT": "J"}, GENINT, Told((told(0, 12, cog="K"),), USAGE), "c")
    assert found.cog == CogFigures(1, 1, 0)
    assert pooled([found]) == ()


def test_genomes_together_are_summed_by_kind_and_contender(
    genome: BenchGenome, vocabulary: ProductVocabulary
) -> None:
    phage = result(genome, vocabulary, GENINT)
    bacterium = replace(phage, genome="B", kind=GenomeKind.BACTERIUM, usage=Usage(1, 1, 300))
    sums = {one.genome: one for one in pooled([phage, replace(phage, genome="T2"), bacterium])}
    assert list(sums) == ["phages", "bacteria", "all"]
    assert (sums["phages"].calls.genes, sums["all"].calls.genes) == (6, 9)
    assert (sums["all"].usage.cpu_s, sums["all"].usage.peak_mib) == (4.0, 300)
    assert sums["all"].names.figures.right == 3
    assert sums["all"].cog == CogFigures(3, 3, 3)


def test_genomes_of_one_kind_have_one_sum(
    genome: BenchGenome, vocabulary: ProductVocabulary
) -> None:
    both = [result(genome, vocabulary, GENINT), result(genome, vocabulary, PEER)]
    assert [(one.genome, one.contender) for one in pooled(both)] == [
        ("all", GENINT),
        ("all", PEER),
    ]


def test_genes_of_prophages_are_summed_apart_by_their_names_alone(
    genome: BenchGenome, vocabulary: ProductVocabulary
) -> None:
    first, *others = genome.truth
    marked = replace(genome, truth=(first._replace(in_prophage=True), *others))
    every, prophages = pooled([result(marked, vocabulary, GENINT)])
    assert (every.genome, prophages.genome) == ("all", "prophages")
    assert [row.gene.id for row in prophages.rows] == [first.id]
    assert (prophages.names.figures.right, prophages.calls.genes, prophages.usage.cpu_s) == (
        1,
        0,
        0,
    )
    assert "| prophages | 1.00, 1.00" in as_markdown([], [prophages], [GENINT])
