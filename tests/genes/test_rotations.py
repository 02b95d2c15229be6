"""The same genes whatever base the file starts a circle at, and whichever strand it writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genint.formats import read_genome
from genint.genes import call_genes, decide
from genint.genes.openings import canonical_opening
from genint.model.genome import Contig, FileFormat, Genome, GenomeSource, Topology
from genint.model.sequence import reverse_complement

Found = frozenset[tuple[int, int, int, str]]
"""First base, length, strand and protein of every gene, in the coordinates of the first file."""

PHIX_BP = 5_386
LAMBDA_BP = 48_502
DOZEN = settings(max_examples=12, deadline=None, derandomize=True)
FEW = settings(max_examples=4, deadline=None, derandomize=True)


def genes_of(bases: str, *, circle: bool | None, phage: bool = True) -> Contig:
    topology = Topology.CIRCULAR if circle else Topology.LINEAR
    contig = Contig("c", bases, topology=topology, topology_stated=circle is not None)
    source = GenomeSource("made.fasta", "0" * 64, FileFormat.FASTA)
    return decide(call_genes(Genome((contig,), source), phage=phage)).contigs[0]


def as_turned(contig: Contig, turn_bp: int) -> Found:
    """Genes of a file that starts at base ``turn_bp`` of the first one."""
    size = len(contig)
    return frozenset(
        ((g.span.start + turn_bp) % size, len(g.span), int(g.strand), g.protein)
        for g in contig.genes
    )


def as_mirrored(contig: Contig, turn_bp: int) -> Found:
    """Genes of the other strand of the file that starts at base ``turn_bp``."""
    size = len(contig)
    return frozenset(
        ((size - g.span.end + turn_bp) % size, len(g.span), -int(g.strand), g.protein)
        for g in contig.genes
    )


def turned(bases: str, turn_bp: int) -> str:
    return bases[turn_bp:] + bases[:turn_bp]


@pytest.fixture(scope="module")
def phix(examples: Path) -> str:
    return read_genome(examples / "phiX174.gbk").contigs[0].bases


@pytest.fixture(scope="module")
def lambda_bases(examples: Path) -> str:
    return read_genome(examples / "lambda.fasta").contigs[0].bases


@pytest.fixture(scope="module")
def phix_found(phix: str) -> Found:
    return as_turned(genes_of(phix, circle=True), 0)


@pytest.fixture(scope="module")
def lambda_found(lambda_bases: str) -> Found:
    return as_turned(genes_of(lambda_bases, circle=True), 0)


@given(st.integers(0, PHIX_BP - 1))
@DOZEN
def test_phix174_has_the_same_genes_from_any_base(
    phix: str, phix_found: Found, turn_bp: int
) -> None:
    assert len(phix_found) >= 9
    contig = genes_of(turned(phix, turn_bp), circle=True)
    assert as_turned(contig, turn_bp) == phix_found


@given(st.integers(0, PHIX_BP - 1))
@DOZEN
def test_phix174_has_the_same_genes_without_a_word_about_its_shape(
    phix: str, phix_found: Found, turn_bp: int
) -> None:
    contig = genes_of(turned(phix, turn_bp), circle=None)
    assert contig.topology is Topology.CIRCULAR
    assert as_turned(contig, turn_bp) == phix_found


@given(st.integers(0, PHIX_BP - 1))
@DOZEN
def test_phix174_has_the_same_genes_on_the_other_strand(
    phix: str, phix_found: Found, turn_bp: int
) -> None:
    contig = genes_of(reverse_complement(turned(phix, turn_bp)), circle=None)
    assert as_mirrored(contig, turn_bp) == phix_found


@given(st.integers(0, LAMBDA_BP - 1))
@FEW
def test_lambda_as_a_circle_has_the_same_genes_from_any_base(
    lambda_bases: str, lambda_found: Found, turn_bp: int
) -> None:
    assert len(lambda_found) >= 60
    contig = genes_of(turned(lambda_bases, turn_bp), circle=True)
    assert as_turned(contig, turn_bp) == lambda_found


@given(st.integers(0, LAMBDA_BP - 1))
@FEW
def test_lambda_as_a_circle_has_the_same_genes_on_the_other_strand(
    lambda_bases: str, lambda_found: Found, turn_bp: int
) -> None:
    contig = genes_of(reverse_complement(turned(lambda_bases, turn_bp)), circle=True)
    assert as_mirrored(contig, turn_bp) == lambda_found


@pytest.mark.parametrize("turn_bp", [0, 21_700, 45_000])
def test_the_base_calls_do_not_turn_with_the_file_either(lambda_bases: str, turn_bp: int) -> None:
    expected = as_turned(genes_of(lambda_bases, circle=True, phage=False), 0)
    contig = genes_of(turned(lambda_bases, turn_bp), circle=True, phage=False)
    assert as_turned(contig, turn_bp) == expected


CIRCLES = st.text("ACGT", min_size=1, max_size=60).filter(lambda bases: set(bases) & set("AT"))


@given(CIRCLES, st.integers(0, 59))
@settings(deadline=None)
def test_a_circle_is_cut_at_one_place_from_any_base_and_strand(bases: str, turn_bp: int) -> None:
    def opened(text: str) -> set[str]:
        """Both strands of the circle, cut."""
        line = turned(text, canonical_opening(text))
        return {line, reverse_complement(line)}

    assert opened(turned(bases, turn_bp % len(bases))) == opened(bases)
    assert opened(reverse_complement(bases)) == opened(bases)
