"""What is asked online: checksums and identifiers, each sequence once, and nothing else."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from genint.formats import read_genome
from genint.model import Parameters
from genint.online.identifiers import crc64_of, md5_of
from genint.pipeline.gene_calling import call
from genint.pipeline.online import questions_of


@pytest.fixture(scope="module")
def phix(examples):
    return call(read_genome(examples / "phiX174.gbk"), Parameters("online"))


def with_genes(called, change):
    """The same with every gene changed, its proteins too."""
    contigs = tuple(
        replace(contig, genes=tuple(map(change, contig.genes)))
        for contig in called.annotated.contigs
    )
    genome = replace(called.annotated, contigs=contigs)
    proteins = tuple((gene.id, gene.protein) for gene in genome.genes)
    return replace(called, annotated=genome, proteins=proteins)


def test_every_gene_is_asked_about_by_the_checksums_of_its_protein(phix):
    questions = questions_of(phix)
    for gene in phix.annotated.genes:
        assert questions.md5_of[gene.id] == md5_of(gene.protein)
    by_md5 = {one.md5: one for one in questions.proteins}
    gene = phix.annotated.genes[0]
    asked = by_md5[md5_of(gene.protein)]
    assert (asked.crc64, asked.length_aa) == (crc64_of(gene.protein), len(gene.protein))


def test_no_residues_are_part_of_what_is_asked(phix):
    packed = pickle.dumps(questions_of(phix))
    for gene in phix.annotated.genes:
        assert gene.protein[:12].encode() not in packed


def test_a_sequence_of_two_genes_is_asked_about_once_with_the_ids_of_both(phix):
    ids = iter(("NP_040703.1", "AAA32570.1"))
    two = with_genes(
        phix,
        lambda gene: replace(gene, protein="MKTAYIAKQR", protein_id=next(ids, gene.protein_id)),
    )
    [asked] = questions_of(two).proteins
    assert "NP_040703.1" in asked.refseq_ids
    assert "AAA32570.1" in asked.cds_ids


@pytest.mark.parametrize(
    "id_",
    [
        "http://127.0.0.1/",
        "../../etc/passwd",
        "x@host",
        "NP_1%0d%0aHost:x",
        "NP_040703.1 OR *",
        "gnl|lab|gene1",
        "0x7f000001",
        'NP_040703.1"',
        "NP_040703.1\n",
    ],
)
def test_what_is_no_identifier_of_a_database_stays_here(phix, id_):
    strange = with_genes(phix, lambda gene: replace(gene, protein_id=id_))
    for asked in questions_of(strange).proteins:
        assert asked.refseq_ids == asked.cds_ids == ()


def test_a_protein_with_stops_or_without_residues_is_left_out_with_a_reason(phix):
    first, second, *_ = phix.annotated.genes
    broken = {first.id: "MKT*AY", second.id: ""}
    called = with_genes(phix, lambda gene: replace(gene, protein=broken.get(gene.id, gene.protein)))
    questions = questions_of(called)
    assert set(questions.left_out) == set(broken)
    assert all(questions.left_out.values())
    assert not set(questions.left_out) & set(questions.md5_of)


def test_predicted_genes_bring_no_identifiers_of_the_file(examples):
    genome = read_genome(examples / "phiX174.gbk")
    called = call(genome, Parameters("online", ignore_annotations=True))
    assert called.calls is not None
    asked = questions_of(called).proteins
    assert asked
    assert all(one.refseq_ids == one.cds_ids == () for one in asked)


def test_the_taxon_is_asked_for_only_where_all_records_are_of_one(phix):
    [contig] = phix.annotated.contigs

    def taxon(*ids):
        contigs = tuple(replace(contig, taxon_id=id_) for id_ in ids)
        return questions_of(
            replace(phix, annotated=replace(phix.annotated, contigs=contigs))
        ).taxon_id

    assert taxon(10847) == 10847
    assert taxon(10847, 10847) == 10847
    assert taxon(10847, None) is None
    assert taxon(10847, 562) is None
    assert taxon(None) is None
