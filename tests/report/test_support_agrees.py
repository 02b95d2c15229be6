"""Whether a name is supported or only the file gives it: every part of a report says the same.

With all evidence that ships, of all annotated genomes at hand: of each the first five records,
and of long records the first 8 kb; of one chromosome, much of which only its file names, 40 kb.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint import interpret_genome
from genint.formats import read_genome
from genint.model import Genome, NameBasis
from genint.pipeline.library import as_result
from genint.report import GeneItem, gene_summary, level_text
from genint.report.summaries import SINGLE_SOURCE

from .real_genomes import REGULAR

pytestmark = pytest.mark.slow

PARTS_BP = dict.fromkeys(REGULAR, 8_000) | {"prophages/Brucella_melitensis_16M.gb.gz": 40_000}
MOST_RECORDS = 5
ONLY = "only the file names it"


@pytest.fixture(scope="module")
def genes(shared_data, searched) -> list[GeneItem]:
    """Every gene with a function."""
    found: list[GeneItem] = []
    for name, part_bp in PARTS_BP.items():
        genome = first_part(read_genome(shared_data / "genomes" / name), part_bp)
        result = as_result(interpret_genome(genome, cache_folder=searched))
        found.extend(gene for gene in result.genes if not gene.is_dark)
    return found


def test_all_parts_of_a_report_say_whether_only_the_file_names_a_gene(genes):
    bases = {NameBasis.FILE: 0, NameBasis.EVIDENCE: 0}
    for gene in genes:
        bases[gene.basis] += 1
        last = gene.reasoning_chain[-1].partition(f"{gene.confidence}")[2]
        single = [text for text in gene.uncertainties if text.startswith(SINGLE_SOURCE)]
        told = (
            ONLY in gene.summary.lower(),
            last.startswith(f": {ONLY}"),
            any(ONLY in text for text in single),
            "only repeats" in level_text(gene),
        )
        assert set(told) == {gene.basis is NameBasis.FILE}, (gene.id, told)
        assert gene.summary == gene_summary(gene), gene.id
    assert min(bases.values()) > 30


def test_what_else_fits_a_name_of_the_file_is_told_in_the_same_words_everywhere(genes):
    asides = 0
    for gene in genes:
        for text in gene.uncertainties:
            if text.startswith(f"{SINGLE_SOURCE}{ONLY}"):
                aside = text.partition(ONLY)[2]
                asides += bool(aside)
                assert gene.reasoning_chain[-1].endswith(f"{ONLY}{aside}."), gene.id
                assert f"”{aside}" in gene.summary, gene.id
    assert asides > 10


def test_what_the_file_alone_names_is_never_told_as_two_sources(genes):
    for gene in genes:
        text = gene.reasoning_chain[-1]
        assert "annotation alone" not in text, gene.id
        if gene.basis is NameBasis.FILE:
            assert " by annotation" not in text, gene.id
            assert gene.confidence != "HIGH", gene.id


def first_part(genome: Genome, part_bp: int) -> Genome:
    """The first records of a genome, and of each no more than the beginning."""
    contigs = (
        contig
        if len(contig) <= part_bp
        else replace(
            contig,
            bases=contig.bases[:part_bp],
            genes=tuple(gene for gene in contig.genes if gene.span.end <= part_bp),
        )
        for contig in genome.contigs[:MOST_RECORDS]
    )
    return replace(genome, contigs=tuple(contigs))
