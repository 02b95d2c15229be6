"""Genes in two pieces: what parts them, and stop codons that are read as selenocysteine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.knowledge import load_own_families, load_roles
from genint.knowledge.overview_tables import load_overview_knowledge
from genint.model import (
    EvidenceSource,
    EvidenceType,
    GenomeKind,
    Interval,
    Location,
    Measurements,
    Specificity,
    Strand,
    Topic,
)
from genint.model.evidence import Evidence
from genint.model.genome import RnaGene
from genint.overview.interrupted import interrupted_genes
from genint.overview.record import RecordView, players_of
from tests.builders.overviews import genome_of
from tests.builders.results import summarise

NAME = "formate dehydrogenase"


def seen(gene_id, share, accession="GF1"):
    return Evidence(
        gene_id,
        EvidenceSource.GENINT_FAMILY,
        EvidenceType.FAMILY,
        Specificity.PROTEIN,
        NAME,
        NAME,
        NAME,
        "family_named",
        accession,
        "ECO:0000256",
        accession=accession,
        measured=Measurements(target_coverage=share),
    )


def view_of(
    shares, *, shift=0, stop="TGA", strand=Strand.FORWARD, trna=True, name=NAME, accessions=("GF1",)
):
    """Two genes of one strand, 30 bp apart, that match these shares of one family."""
    genome = genome_of((name, name), kind=GenomeKind.BACTERIUM)
    (contig,) = genome.contigs
    first, second = contig.genes
    second_at = second.span.start + shift
    second = replace(second, location=Location.simple(Interval(second_at, second_at + 600), strand))
    first = replace(first, location=Location.simple(first.span, strand))
    bases = list(contig.bases)
    if strand is Strand.FORWARD:
        bases[597:600] = stop
    else:
        at = second_at
        bases[at : at + 3] = stop[::-1].translate(str.maketrans("ACGT", "TGCA"))
    rna = RnaGene("t", contig.id, first.location, "tRNA", product="tRNA-SeC") if trna else None
    contig = replace(
        contig, bases="".join(bases), genes=(first, second), rna_genes=(rna,) if rna else ()
    )
    results = summarise(replace(genome, contigs=(contig,))).results
    parts = []
    for result, share in zip(results, shares, strict=True):
        found = result.interpretation
        lead = replace(
            found.hypotheses[0],
            evidence=tuple(seen(result.gene_id, share, name) for name in accessions),
        )
        parts.append(replace(result, interpretation=replace(found, hypotheses=(lead,))))
    players = players_of(parts, load_roles())
    return RecordView(contig, GenomeKind.BACTERIUM, players, {}, ("Pfam",), ())


def said(*arguments, **options):
    knowledge = load_overview_knowledge(load_roles(), load_own_families().families)
    return list(interrupted_genes(view_of(*arguments, **options), knowledge))


@pytest.mark.parametrize("strand", [Strand.FORWARD, Strand.REVERSE])
def test_a_selenoprotein_with_tga_and_the_trna_is_one_gene(strand):
    (one,) = said((0.3, 0.6), strand=strand)
    assert (one.topic, one.value) == (Topic.RECODING, "selenocysteine")
    order = ["g1", "g2"] if strand is Strand.FORWARD else ["g2", "g1"]
    assert [role.gene_id for role in one.genes] == order
    assert "can be read as selenocysteine" in one.text


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"trna": False}, "stop codon TGA"),
        ({"stop": "TAG"}, "stop codon TAG"),
        ({"shift": 1}, "frameshift"),
        ({"name": "DNA ligase"}, "stop codon TGA"),
    ],
)
def test_other_genes_in_two_pieces_are_broken_by_what_parts_them(options, value):
    (one,) = said((0.3, 0.6), **options)
    assert (one.topic, one.value) == (Topic.PSEUDOGENE, value)
    assert "probably one gene" in one.text


@pytest.mark.parametrize("shares", [(0.95, 0.95), (0.2, 0.2), (0.7, 0.7)])
def test_whole_relatives_side_by_side_and_small_matches_are_no_pieces(shares):
    assert said(shares) == []


def test_genes_far_apart_are_no_pieces():
    assert said((0.3, 0.6), shift=300) == []


def test_of_several_families_that_both_match_the_strongest_evidence_is_named():
    names = tuple(f"GF{number}" for number in range(9, 0, -1))
    (one,) = said((0.3, 0.6), accessions=names)
    assert one.reasoning[0].startswith("Both match GF9:")
