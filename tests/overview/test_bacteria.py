"""Insertion sequences, toxin-antitoxin pairs and tRNA genes of bacteria."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.model import GenomeKind, Interval, Location, RnaGene, Strand, Topic
from tests.builders.overviews import described, genome_of

HOUSE = ("ribosomal protein L2", "acetyl-CoA carboxylase")


def said(products, topic, kind=GenomeKind.BACTERIUM):
    return [one for one in described(genome_of(products, kind=kind)) if one.topic is topic]


def test_transposases_are_counted_by_the_family_of_their_names():
    names = ("IS5 family transposase", "IS5 family transposase", "IS30 family transposase")
    (found,) = said((*HOUSE, *names, "transposase"), Topic.MOBILE_ELEMENT)
    assert [role.gene_id for role in found.genes] == ["g3", "g4", "g5", "g6"]
    assert "IS5 (2), IS30 (1), family unknown (1)" in found.text


def test_a_toxin_beside_its_antitoxin_is_a_pair():
    pair = ("antitoxin YefM", "mRNA interferase toxin RelE")
    (found,) = said((*HOUSE, *pair, *HOUSE), Topic.TOXIN_ANTITOXIN)
    assert [(role.gene_id, role.role) for role in found.genes] == [
        ("g4", "toxin"),
        ("g3", "antitoxin"),
    ]


@pytest.mark.parametrize(
    "products",
    [
        ("antitoxin YefM", "antitoxin RelB"),
        ("antitoxin YefM", *HOUSE, "mRNA interferase toxin RelE"),
        ("toxin-antitoxin system antitoxin component", "ribosomal protein L2"),
    ],
)
def test_what_is_no_toxin_beside_an_antitoxin_is_no_pair(products):
    assert said(products, Topic.TOXIN_ANTITOXIN) == []


def with_trnas(*products):
    genome = genome_of(HOUSE, kind=GenomeKind.BACTERIUM)
    rnas = tuple(
        RnaGene(
            f"t{at}",
            "made",
            Location.simple(Interval(5_000 + 100 * at, 5_076 + 100 * at), Strand.FORWARD),
            "tRNA",
            product=product,
        )
        for at, product in enumerate(products)
    )
    contig = replace(genome.contigs[0], bases="ACGT" * 130_000, rna_genes=rnas)
    statements = described(replace(genome, contigs=(contig,)))
    return [one for one in statements if one.topic is Topic.TRNA]


def test_amino_acids_without_a_trna_gene_are_named_as_not_found():
    names = "Ala Arg Asn Asp Cys Gln Glu Gly His Ile Leu Lys Met Phe Pro Ser Thr Trp Tyr".split()
    (found,) = with_trnas(*(f"tRNA-{name}" for name in names))
    assert found.value == "19 of 20 amino acids"
    assert found.missing == ("tRNA-Val",)
    assert found.searched


def test_a_trna_of_selenocysteine_is_pointed_out():
    (found,) = with_trnas("tRNA-Ala", "tRNA-Sec")
    assert any("selenocysteine" in step for step in found.reasoning)


def test_without_trna_genes_nothing_is_said():
    assert with_trnas() == []
