"""What a gene finder measured and where a gene could start, as the result holds them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from genint.formats import read_genome_bytes
from genint.genes import call_genes, decide
from genint.knowledge import load_confidence
from genint.model import reverse_complement, start_codons
from genint.report import GeneItem, GenintResult, build_result
from tests.builders.results import summarise


@pytest.fixture(scope="module")
def predicted(examples) -> GenintResult:
    text = (examples / "phiX174.gbk").read_text()
    bases = "".join(filter(str.isalpha, text.partition("ORIGIN")[2])).upper()
    genome = read_genome_bytes(f">x [topology=circular]\n{bases}\n".encode(), "x.fasta")
    return build_result(summarise(decide(call_genes(genome))), load_confidence())


def test_predicted_genes_tell_what_was_measured(predicted):
    assert predicted.genes
    for gene in predicted.genes:
        assert gene.call is not None
        assert gene.call.total == pytest.approx(gene.call.coding + gene.call.start, abs=0.02)
        assert (gene.call.rbs_motif is None) == (gene.call.rbs_spacer is None)
        assert 0.5 <= gene.call.confidence <= 1


def test_the_start_is_the_one_that_the_gene_finder_called(predicted):
    assert [g.start_choice and g.start_choice.codon for g in predicted.genes] == [
        g.call and g.call.start_codon for g in predicted.genes
    ]


def test_genes_of_the_file_were_not_measured(phix_result):
    assert all(gene.call is None for gene in phix_result.genes)


def bases_from(genome_bases: str, place: int, strand: str) -> str:
    """The codon whose first base is at a 1-based place of a circle."""
    around = genome_bases * 3
    at = len(genome_bases) + place - 1
    return around[at : at + 3] if strand == "+" else reverse_complement(around[at - 2 : at + 1])


def genes_with_starts(genes: Iterable[GeneItem]) -> list[GeneItem]:
    return [gene for gene in genes if gene.start_choice is not None]


def test_other_starts_are_start_codons_of_the_same_frame(phix_summary, phix_result):
    (contig,) = phix_summary.genome.contigs
    found = genes_with_starts(phix_result.genes)
    assert len(found) == len(phix_result.genes)
    assert any(gene.start_choice.upstream for gene in found)
    for gene in found:
        called = gene.start if gene.strand == "+" else gene.end
        assert bases_from(contig.bases, called, gene.strand) == gene.start_choice.codon
        for place in gene.start_choice.upstream:
            assert bases_from(contig.bases, place, gene.strand) in start_codons(11)
            step = called - place if gene.strand == "+" else place - called
            assert step % len(contig) % 3 == 0
