"""Candidates that bind the host or cut its capsule."""

from __future__ import annotations

from dataclasses import replace

from genint.model import Topic
from genint.model.overview import Outcome
from tests.builders.overviews import described, genome_of

TAILED = ("terminase large subunit", "portal protein", "tape measure protein")


def said_of(products, *, long=()):
    genome = genome_of(products)
    contig = genome.contigs[0]
    genes = tuple(
        replace(gene, protein="M" * 700) if gene.id in long else gene for gene in contig.genes
    )
    genome = replace(genome, contigs=(replace(contig, genes=genes),))
    said = described(genome)
    return {one.subject: one for one in said if one.topic is Topic.RECEPTOR_BINDING}


def test_fibres_and_spikes_are_candidates_and_what_folds_them_is_none():
    said = said_of((*TAILED, "tail fiber protein", "tail fiber assembly protein", "tail spike"))
    binding = said["receptor-binding proteins"]
    assert [one.gene_id for one in binding.genes] == ["g4", "g6"]
    assert "dark" in binding.uncertainties[0]


def test_a_long_capsule_enzyme_beside_the_tail_is_a_candidate_with_its_length():
    said = said_of((*TAILED, "pectate lyase"), long={"g4"})["depolymerases"]
    assert [one.role for one in said.genes] == ["depolymerase"]
    assert any("700 amino acids" in step for step in said.reasoning)


def test_short_ones_and_those_far_from_the_tail_are_none():
    short = said_of((*TAILED, "pectate lyase"))["depolymerases"]
    far = said_of((*TAILED, *[None] * 8, "pectate lyase"), long={"g12"})["depolymerases"]
    assert {short.outcome, far.outcome} == {Outcome.NOT_FOUND}
    assert short.searched == ("Pfam (35.0)",)
