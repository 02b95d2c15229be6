"""CRISPR arrays: found with repeat and spacers; tandem repeats of genes are none."""

from __future__ import annotations

import random

import pytest

from genint.model import Interval, translate
from genint.rna import SearchedContig, find_arrays
from tests.builders.rna import crispr, random_bases

REPEAT = "CGGTTCATCCCCGCGAATGCGGGGAATAC"


def test_an_array_is_found_with_its_repeat_and_spacers(within):
    made = crispr(spacers=5)
    (found,) = find_arrays(SearchedContig(within(made)))
    assert found.interval.overlap_bp(Interval(500, 500 + len(made))) >= 0.97 * len(made)
    assert found.repeats == 6
    assert len(found.spacers) == 5
    assert found.repeat in REPEAT or REPEAT in found.repeat
    assert found.method.startswith("MinCED algorithm (diced ")


@pytest.mark.parametrize("start", [0, 15, 100, 250, 1_000])
def test_an_array_over_the_origin_is_the_same_one_from_every_base(start):
    circle = crispr(spacers=5) + random_bases(2_000)
    turned = circle[start:] + circle[:start]
    (found,) = find_arrays(
        SearchedContig(turned, is_circle=True, opening=(800 - start) % len(circle))
    )
    assert found.repeats == 6
    assert found.interval.slice(turned) in circle


def test_the_repeats_of_a_repetitive_protein_are_no_array(within):
    unit = "GGTCCTGCTGGTCCGAAAGGTGATCGTGGTGAAACCGGTCCGCAAGGTATTGCTGGTCAACGT"
    rng = random.Random(5)
    gene = "".join(
        "".join(base if rng.random() > 0.04 else rng.choice("ACGT") for base in unit)
        for _ in range(12)
    )
    assert translate(gene, 11).count("*") < 12
    assert find_arrays(SearchedContig(within(gene))) == ()


def test_two_repeats_are_no_array(within):
    assert find_arrays(SearchedContig(within(crispr(spacers=1)))) == ()


def test_random_and_short_sequences_have_none():
    assert find_arrays(SearchedContig(random_bases(300_000))) == ()
    for length in (0, 1, 10, 100):
        assert find_arrays(SearchedContig("ACGN" * length)) == ()
        assert find_arrays(SearchedContig("A" * length, is_circle=True)) == ()


@pytest.mark.parametrize(
    ("file", "arrays"),
    [
        ("S_pyogenes_M1_NC_002737.gb.gz", [(7, 36), (4, 33)]),
        ("phageK_NC_005880.gbk", []),
        ("M_mycoides_GM12_NZ_CP001668.gbff.gz", []),
    ],
)
def test_arrays_of_real_genomes(shared_data, file, arrays):
    from genint.formats import read_genome  # noqa: PLC0415

    contig = read_genome(shared_data / "genomes" / file).contigs[0]
    found = find_arrays(SearchedContig(contig.bases))
    assert [(array.repeats, len(array.repeat)) for array in found] == arrays
