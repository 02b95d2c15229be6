"""Markdown of a bacterium stays small enough for forges and editors, and keeps every chain.

All of Escherichia coli takes minutes, so its first 150 kb are interpreted, with all evidence. What
grows with a genome are its sections of genes; interpreted ones here are 0.7 % longer than in
the whole of it. Besides the 3,840 of those, the report of the whole has 380 kB on 479 dark genes
and 42 kB that no gene adds to. So it has 4,000,000 bytes at most as long as an interpreted gene
here has 938 (now 937.5: 3,995,000 bytes in all).
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from genint import interpret_genome
from genint.formats import read_genome
from genint.pipeline.library import as_result
from genint.report import GenintResult, render_markdown
from genint.report.markdown_genes import gene_section
from genint.report.summaries import summary_of

from .real_genomes import E_COLI

pytestmark = pytest.mark.slow

PART_BP = 150_000
MOST_BYTES = 938
SAID_ONCE = set(
    "genint family log odds 0 00 limit Classification residues are called".split()
) | set("named members from records this very protein among them of profile than elsewhere".split())
"""Words of steps that the report explains above the genes: what adds 0.00 is not shown."""


@pytest.fixture(scope="module")
def part(shared_data, searched) -> GenintResult:
    genome = read_genome(shared_data / "genomes" / E_COLI)
    whole = genome.contigs[0]
    genes = tuple(gene for gene in whole.genes if gene.span.end <= PART_BP)
    contig = replace(whole, bases=whole.bases[:PART_BP], genes=genes)
    return as_result(interpret_genome(replace(genome, contigs=(contig,)), cache_folder=searched))


def test_the_report_of_escherichia_coli_has_at_most_four_megabytes(part):
    sections = [gene_section(at, gene, records=1) for at, gene in interpreted(part)]
    assert len(sections) > 100
    assert sum(len(one.encode()) + 2 for one in sections) / len(sections) <= MOST_BYTES


def test_every_word_and_figure_of_every_chain_is_in_the_report(part):
    report = render_markdown(part)
    once = words(report.partition("## COG categories")[2]) | SAID_ONCE
    for at, gene in interpreted(part):
        section = gene_section(at, gene, records=1)
        assert section in report
        steps = re.findall(r"(?m)^(\d+)\. (.+)$", section)
        assert [int(number) for number, _ in steps] == list(range(1, len(gene.reasoning_chain) + 1))
        for (_, shown), step in zip(steps, gene.reasoning_chain, strict=True):
            assert words(step) - words(shown) - words(summary_of(gene)) <= once, gene.id


def interpreted(result):
    return [(at, gene) for at, gene in enumerate(result.genes, start=1) if not gene.is_dark]


def words(text):
    return set(re.findall(r"\w+", text))
