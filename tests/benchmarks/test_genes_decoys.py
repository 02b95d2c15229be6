"""Decoys keep what they promise, and nothing else."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from benchmarks.genes.callers import Call, Found
from benchmarks.genes.decoys import FalseCount, count_false, reversed_genome, shuffled_genome
from benchmarks.genes.figures import Span
from genint.model import Contig, Interval, Strand, reverse_complement
from tests.benchmarks.genes_examples import made_contig, made_gene, made_subject
from training.genes.decoys import UPSTREAM_BP, codon_counts, outer_genes

OUTER = (
    made_gene("a", 100, 400),
    made_gene("b", 396, 996),  # ATGA: four bases are of both
    made_gene("c", 1200, 1800, -1),
    made_gene("d", 2900, 3200),  # over the origin
)
NESTED = made_gene("nested", 501, 801)


def with_open_frames() -> Contig:
    """Random codons without stops between start and stop; four bases shared."""
    chance = random.Random(3)
    bases = chance.choices("ACGT", k=3000)
    for gene in OUTER:
        codons = chance.choices(("GCT", "AAA", "GAT", "CTG", "ACC"), k=len(gene.span) // 3 - 2)
        text = "ATG" + "".join(codons) + "TGA"
        text = text if gene.strand is Strand.FORWARD else reverse_complement(text)
        for at, base in enumerate(text):
            bases[(gene.span.start + at) % 3000] = base
    bases[396:400] = "ATGA"
    return made_contig(3000, *OUTER, NESTED, circular=True, bases="".join(bases))


CONTIG = with_open_frames()
SUBJECT = made_subject(CONTIG)


@pytest.fixture(scope="module", params=[0, 1])
def shuffled(request: pytest.FixtureRequest) -> Contig:
    return shuffled_genome(SUBJECT, request.param).subject.bare.contigs[0]


def coding(contig: Contig, place: int) -> str:
    bases = OUTER[place].span.slice(contig.bases)
    return bases if OUTER[place].strand is Strand.FORWARD else reverse_complement(bases)


def test_every_gene_keeps_its_codons_and_its_ends(shuffled: Contig) -> None:
    for place, gene in enumerate(OUTER):
        assert codon_counts(shuffled, gene) == codon_counts(CONTIG, gene)
        new, old = coding(shuffled, place), coding(CONTIG, place)
        assert (new[:3], new[-3:]) == (old[:3], old[-3:])


def test_every_gene_is_another_one(shuffled: Contig) -> None:
    for place in range(len(OUTER)):
        assert coding(shuffled, place) != coding(CONTIG, place)


def test_shared_bases_and_those_before_a_start_stay(shuffled: Contig) -> None:
    assert shuffled.bases[396:400] == CONTIG.bases[396:400]
    assert shuffled.bases[100 - UPSTREAM_BP : 103] == CONTIG.bases[100 - UPSTREAM_BP : 103]
    assert shuffled.bases[1797 : 1800 + UPSTREAM_BP] == CONTIG.bases[1797 : 1800 + UPSTREAM_BP]


def test_bases_between_genes_change_places_within_their_stretch(shuffled: Contig) -> None:
    between = slice(996, 1200)
    assert shuffled.bases[between] != CONTIG.bases[between]
    assert Counter(shuffled.bases[between]) == Counter(CONTIG.bases[between])


def test_a_nested_gene_goes_with_the_order_of_its_hosts_codons(shuffled: Contig) -> None:
    assert [gene.id for gene in outer_genes(CONTIG)] == ["a", "b", "c", "d"]
    assert NESTED.span.slice(shuffled.bases) != NESTED.span.slice(CONTIG.bases)


def test_a_seed_gives_one_decoy_and_another_seed_another() -> None:
    first, again, other = (shuffled_genome(SUBJECT, seed).subject.bare for seed in (5, 5, 6))
    assert first == again
    assert first != other


def test_decoys_come_without_annotation_in_the_same_shape() -> None:
    for decoy in (shuffled_genome(SUBJECT, 0), reversed_genome(SUBJECT)):
        (contig,) = decoy.subject.bare.contigs
        assert contig.genes == ()
        assert (contig.topology, len(contig)) == (CONTIG.topology, len(CONTIG))


def test_a_reversed_genome_is_not_complemented_and_keeps_no_gene() -> None:
    decoy = reversed_genome(SUBJECT)
    assert decoy.subject.bare.contigs[0].bases == CONTIG.bases[::-1]
    assert decoy.kept == (frozenset(),)


def test_rescues_of_kept_genes_are_true_and_all_others_false() -> None:
    def call(start: int, end: int, *, rescued: bool = True, internal: bool = False) -> Call:
        return Call(Span(Interval(start, end), Strand.FORWARD), rescued, internal)

    calls = (
        call(130, 400),  # of a gene that is kept
        call(501, 801),  # the nested one is gone
        call(700, 996, internal=True),  # shorter forms are gone too
        call(2000, 2300, rescued=False),
    )
    count = count_false(shuffled_genome(SUBJECT, 0), Found((calls,), ((),), 0.0))
    assert count == FalseCount(false=2, true=1, calls=4, length_bp=3000)
    assert count.per_50_kb == pytest.approx(2 * 50_000 / 3000)
    assert count_false(reversed_genome(SUBJECT), Found((calls,), ((),), 0.0)).false == 3
