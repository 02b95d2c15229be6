"""What the result takes over from the genome."""

from __future__ import annotations

import pytest

from genint.formats import read_genome_bytes
from genint.knowledge import load_confidence
from genint.report import GeneItem, build_result, transcribed
from tests.builders.results import summarise

from .real_genomes import Interpreted

RECORD = """LOCUS       order                     60 bp    DNA     linear   PHG 01-JAN-2000
FEATURES             Location/Qualifiers
     CDS             {location}
                     /locus_tag="g"{more}
ORIGIN
        1 gcatgaccga tgcatcgatg gcaacctgca tgcatgccta gcagtcatgc aacgtgcaac
//
"""
TRANS_SPLICED = f"\n{' ' * 21}/trans_splicing"


def gene_at(location: str, more: str = "") -> GeneItem:
    genome = read_genome_bytes(RECORD.format(location=location, more=more).encode(), "x.gb")
    [gene] = build_result(summarise(genome), load_confidence()).genes
    return gene


@pytest.mark.parametrize(
    ("location", "order"),
    [
        ("4..12", ()),
        ("join(4..12,20..28,40..48)", ()),
        ("complement(join(4..12,20..28,40..48))", ()),
        ("join(complement(40..48),complement(4..12))", ()),
        ("join(40..48,4..12,20..28)", (2, 0, 1)),
        ("complement(join(40..48,4..12))", (0, 1)),
        ("join(complement(4..12),20..28)", (0, 1)),
        ("join(complement(40..48),20..28)", (1, 0)),
    ],
)
def test_the_order_of_parts_is_told_where_the_strand_does_not_tell_it(
    location: str, order: tuple[int, ...]
) -> None:
    assert gene_at(location).part_order == order


def test_only_what_the_file_calls_trans_spliced_is_so() -> None:
    assert not gene_at("join(complement(4..12),20..28)").trans_spliced
    assert gene_at("join(complement(4..12),20..28)", TRANS_SPLICED).trans_spliced


@pytest.mark.parametrize(
    "real",
    [
        "odd_chloroplast_NC_000932_transsplice.gb",
        "odd_pDCAF3.gbk",
        "odd_shady_nonascii.gbk",
        "phiX174_NC_001422.gb",
    ],
    indirect=True,
)
def test_parts_are_transcribed_in_the_order_of_the_genome(real: Interpreted) -> None:
    bp = {contig.id: len(contig) for contig in real.genome.contigs}
    for gene, item in zip(real.genome.genes, real.result.genes, strict=True):
        places = [part.interval.one_based(bp[gene.contig]) for part in gene.location.parts]
        assert [(part.start, part.end) for part in transcribed(item)] == places
