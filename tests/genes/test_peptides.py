"""Peptides of mass spectrometry: they move starts, show genes, and leave the file's genes alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.genes import call_genes, decide, with_peptides, with_seen_peptides
from genint.model.genome import CalledBy, Topology
from genint.model.imported import ReadPeptide
from genint.model.sequence import reverse_complement, start_sites, translate

EXAMPLE = Path(__file__).parents[2] / "examples" / "phiX174.gbk"
OF_E = ("WTLWDTLAFLLLLSLLLPSLLIMFIPSTFK", "LPCVYAQETLTFLLTQK")
"""Two tryptic peptides of protein E, whose gene lies inside D in another frame."""
E_STARTS = "MVRWTLWDTLAF"
NO_PEPTIDE = "HWHWHWHWHWH"


@pytest.fixture(scope="module")
def phage():
    return read_genome(EXAMPLE)


@pytest.fixture(scope="module")
def calls(phage):
    return call_genes(phage)


def decided(calls, *peptides: str | ReadPeptide):
    read = [ReadPeptide(one) if isinstance(one, str) else one for one in peptides]
    return with_seen_peptides(decide(with_peptides(calls, read), []), read, are_fixed=False)


def gene_with(genome, beginning: str):
    return next((one for one in genome.genes if one.protein.startswith(beginning)), None)


def test_two_peptides_make_a_gene_of_a_frame_inside_another(calls) -> None:
    assert gene_with(decided(calls), E_STARTS) is None
    found = gene_with(decided(calls, *OF_E), E_STARTS)
    assert found.called_by is CalledBy.GENINT_NESTED
    assert [one.residues for one in found.peptides] == list(OF_E)
    assert "mass spectrometry saw 2 peptides" in found.note
    assert found.rescue.probability > 0.9


def test_one_peptide_is_not_enough_for_a_frame_that_nothing_else_shows(calls) -> None:
    genome = decided(calls, OF_E[0])
    assert gene_with(genome, E_STARTS) is None
    reasons = [frame.reason for contig in genome.contigs for frame in contig.rejected]
    assert any("below 0.50" in reason for reason in reasons)


def test_a_peptide_inside_another_is_no_second_sight(calls) -> None:
    assert gene_with(decided(calls, OF_E[0], OF_E[0][3:]), E_STARTS) is None


def test_other_genes_keep_their_ids_and_places_beside_a_new_one(calls) -> None:
    before = {one.id: one.location for one in decided(calls).genes}
    after = {one.id: one.location for one in decided(calls, *OF_E).genes}
    assert before.items() <= after.items()


@pytest.fixture(scope="module")
def with_longer_frame(calls):
    """A base call with a start codon upstream of it, and the residues between the two."""
    [of_contig] = calls.contigs
    contig = of_contig.contig
    for gene in contig.genes:
        sites = start_sites(contig.bases, gene.location, 11, circular=True)
        if sites.upstream and (gene.span.start + 1 - sites.upstream[0]) // 3 > 10:
            first = sites.upstream[0] - 1
            return gene, first, translate(contig.bases[first : gene.span.start], 11)
    raise AssertionError("phiX174 has such a gene")


def test_a_peptide_before_the_start_moves_it_upstream(calls, with_longer_frame) -> None:
    gene, first, residues = with_longer_frame
    moved = next(one for one in decided(calls, residues[1:10]).genes if one.id == gene.id)
    assert moved.location.span.start == first
    assert moved.location.span.end == gene.span.end
    assert moved.protein.endswith(gene.protein[1:])
    assert "upstream" in moved.note
    assert residues[1:10] in moved.note


def test_a_peptide_behind_the_start_leaves_it_where_it_is(calls) -> None:
    before = decided(calls).genes[0]
    after = decided(calls, before.protein[20:35]).genes[0]
    assert after.location == before.location
    assert after.peptides[0].first == 21


def test_a_first_residue_with_an_acetyl_group_settles_the_start_further_in(calls) -> None:
    gene = max(decided(calls).genes, key=lambda one: len(one.protein))
    at = gene.protein.index("M", 5)
    peptide = ReadPeptide(gene.protein[at : at + 12], is_n_terminal=True)
    moved = next(one for one in decided(calls, peptide).genes if one.id == gene.id)
    assert moved.protein == gene.protein[at:]
    assert moved.peptides[0].shows_start
    both = decided(calls, peptide, gene.protein[1:9]).genes
    contradicted = next(one for one in both if one.id == gene.id)
    assert contradicted.location == gene.location


def test_leucine_and_isoleucine_are_one_residue(calls) -> None:
    swapped = [name.translate(str.maketrans("LI", "IL")) for name in OF_E]
    assert gene_with(decided(calls, *swapped), E_STARTS) is not None


def test_what_several_places_encode_shows_no_gene(phage) -> None:
    [contig] = phage.contigs
    twice = replace(contig, bases=contig.bases * 2, topology=Topology.LINEAR)
    doubled = call_genes(replace(phage, contigs=(twice,)))
    assert gene_with(decided(doubled, *OF_E), E_STARTS) is None


def test_both_strands_are_searched(phage) -> None:
    [contig] = phage.contigs
    turned = replace(contig, bases=reverse_complement(contig.bases))
    found = gene_with(decided(call_genes(replace(phage, contigs=(turned,))), *OF_E), E_STARTS)
    assert found.strand.symbol == "-"


def test_genes_of_the_file_stay_and_a_remark_says_what_peptides_show(phage) -> None:
    [contig] = phage.contigs
    without = tuple(one for one in contig.genes if not one.protein.startswith(E_STARTS))
    file = replace(phage, contigs=(replace(contig, genes=without),))
    read = [ReadPeptide(one) for one in (*OF_E, NO_PEPTIDE)]
    seen = with_seen_peptides(file, read, are_fixed=True)
    assert [one.location for one in seen.genes] == [one.location for one in without]
    texts = [one.text for one in seen.warnings]
    assert any("in a frame that is no gene of the file" in text for text in texts)
    assert any("1 of 3 peptides is encoded nowhere" in text for text in texts)
