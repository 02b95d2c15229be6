import pytest

from genint.model import ConfidenceLevel, Strand
from genint.selftest.genome import KnownGene, known_genes, known_proteins


def test_the_built_in_genome_has_genes_on_both_strands_and_one_dark_gene():
    genes = known_genes()
    assert {gene.strand for gene in genes} == set(Strand)
    assert [gene.level for gene in genes if not gene.name] == [ConfidenceLevel.NONE]


def test_every_known_gene_encodes_a_whole_protein():
    for gene, (_, protein) in zip(known_genes(), known_proteins(), strict=True):
        assert len(protein) == (gene.last - gene.first + 1) // 3 - 1
        assert protein.startswith("M")
        assert "*" not in protein


def test_a_row_says_all_of_a_gene():
    for gene in known_genes():
        assert KnownGene.of(gene.cells) == gene


def test_a_row_with_a_column_too_few_is_no_gene():
    with pytest.raises(ValueError, match="unpack"):
        KnownGene.of(("1", "90", "+", "portal protein"))
