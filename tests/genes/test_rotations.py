"""The same genes whatever base the file starts a circle at, and whichever strand it writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from genint.formats import read_genome
from genint.genes import call_genes, canonical_rotation, decide
from genint.model import Contig, FileFormat, Genome, GenomeSource, Topology, reverse_complement

Found = frozenset[tuple[int, int, int, str]]
"""First base, length, strand and protein of every gene, in the coordinates of the first file."""

PHIX_BP = 5_386
LAMBDA_BP = 48_502
DOZEN = settings(max_examples=12, deadline=None, derandomize=True)
FEW = settings(max_examples=2, deadline=None, derandomize=True)


@dataclass(frozen=True)
class Circle:
    """A circle, as its first file has it, and its genes."""

    name: str
    bases: str = field(repr=False)
    found: Found = field(repr=False)


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
def phix(examples: Path) -> Circle:
    bases = read_genome(examples / "phiX174.gbk").contigs[0].bases
    return Circle("phiX174", bases, as_turned(genes_of(bases, circle=True), 0))


@pytest.fixture(scope="module")
def lambda_circle(examples: Path) -> Circle:
    bases = read_genome(examples / "lambda.fasta").contigs[0].bases
    return Circle("lambda", bases, as_turned(genes_of(bases, circle=True), 0))


@given(turn_bp=st.integers(0, PHIX_BP - 1))
@DOZEN
def test_phix174_has_the_same_genes_from_any_base(phix: Circle, turn_bp: int) -> None:
    assert len(phix.found) >= 9
    contig = genes_of(turned(phix.bases, turn_bp), circle=True)
    assert as_turned(contig, turn_bp) == phix.found


@given(turn_bp=st.integers(0, PHIX_BP - 1))
@DOZEN
def test_phix174_has_the_same_genes_without_a_word_about_its_shape(
    phix: Circle, turn_bp: int
) -> None:
    contig = genes_of(turned(phix.bases, turn_bp), circle=None)
    assert contig.topology is Topology.CIRCULAR
    assert as_turned(contig, turn_bp) == phix.found


@given(turn_bp=st.integers(0, PHIX_BP - 1))
@DOZEN
def test_phix174_has_the_same_genes_on_the_other_strand(phix: Circle, turn_bp: int) -> None:
    contig = genes_of(reverse_complement(turned(phix.bases, turn_bp)), circle=None)
    assert as_mirrored(contig, turn_bp) == phix.found


@given(turn_bp=st.integers(0, LAMBDA_BP - 1))
@example(turn_bp=48_000)  # in front of, in, and behind a frame in a gap over the file's origin
@example(turn_bp=48_200)
@example(turn_bp=48_320)
@FEW
def test_lambda_as_a_circle_has_the_same_genes_from_any_base(
    lambda_circle: Circle, turn_bp: int
) -> None:
    assert len(lambda_circle.found) >= 60
    contig = genes_of(turned(lambda_circle.bases, turn_bp), circle=True)
    assert as_turned(contig, turn_bp) == lambda_circle.found


@given(turn_bp=st.integers(0, LAMBDA_BP - 1))
@example(turn_bp=0)
@example(turn_bp=48_320)
@FEW
def test_lambda_as_a_circle_has_the_same_genes_on_the_other_strand(
    lambda_circle: Circle, turn_bp: int
) -> None:
    contig = genes_of(reverse_complement(turned(lambda_circle.bases, turn_bp)), circle=True)
    assert as_mirrored(contig, turn_bp) == lambda_circle.found


@pytest.mark.parametrize("turn_bp", [21_700, 45_000])
def test_without_phage_the_genes_do_not_turn_with_the_file_either(
    lambda_circle: Circle, turn_bp: int
) -> None:
    bases = lambda_circle.bases
    expected = as_turned(genes_of(bases, circle=True, phage=False), 0)
    contig = genes_of(turned(bases, turn_bp), circle=True, phage=False)
    assert as_turned(contig, turn_bp) == expected


CIRCLES = st.text("ACGT", min_size=1, max_size=60).filter(lambda bases: set(bases) & set("AT"))


@given(bases=CIRCLES, turn_bp=st.integers(0, 59))
@settings(deadline=None)
def test_a_circle_is_cut_at_one_place_from_any_base_and_strand(bases: str, turn_bp: int) -> None:
    def opened(text: str) -> set[str]:
        """Both strands of the circle, cut."""
        line = turned(text, canonical_rotation(text))
        return {line, reverse_complement(line)}

    assert opened(turned(bases, turn_bp % len(bases))) == opened(bases)
    assert opened(reverse_complement(bases)) == opened(bases)
