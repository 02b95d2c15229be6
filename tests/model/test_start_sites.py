"""Starts that a gene could have had."""

from __future__ import annotations

import pytest

from genint.model import (
    Interval,
    Location,
    Part,
    StartSites,
    Strand,
    reverse_complement,
    start_sites,
)

#        1  4  7  10 13 16 19 22 25
LINE = "TAAATGCCCGTGAAAATGCCCCCCTAA"
CODE = 11


def gene(first: int, last: int, strand: Strand = Strand.FORWARD, **more: bool) -> Location:
    return Location((Part(Interval.from_one_based(first, last), strand),), **more)


def test_starts_of_the_frame_are_found_back_to_the_stop_codon() -> None:
    assert start_sites(LINE, gene(16, 27), CODE, circular=False) == StartSites("ATG", (10, 4))


def test_a_gene_without_a_start_in_front_of_it_is_the_longest_of_its_frame() -> None:
    assert start_sites(LINE, gene(4, 27), CODE, circular=False) == StartSites("ATG", ())


def test_the_other_strand_reads_the_same_at_mirrored_places() -> None:
    mirrored = gene(28 - 27, 28 - 16, Strand.REVERSE)
    found = start_sites(reverse_complement(LINE), mirrored, CODE, circular=False)
    assert found == StartSites("ATG", (28 - 10, 28 - 4))


def test_on_a_line_the_frame_ends_where_the_sequence_does() -> None:
    assert start_sites("CATGCCCATGCCC", gene(8, 13), CODE, circular=False) == StartSites(
        "ATG", (2,)
    )


@pytest.mark.parametrize("turn", range(27))
def test_on_a_circle_the_origin_changes_nothing(turn: int) -> None:
    bases = LINE[turn:] + LINE[:turn]
    start = (15 - turn) % 27
    location = Location((Part(Interval(start, start + 12), Strand.FORWARD),))
    found = start_sites(bases, location, CODE, circular=True)
    assert found is not None
    assert found.codon == "ATG"
    assert [(place - 1 + turn) % 27 + 1 for place in found.upstream] == [10, 4]


@pytest.mark.parametrize("turn", range(27))
def test_nor_does_it_on_the_other_strand(turn: int) -> None:
    mirrored = reverse_complement(LINE)
    bases = mirrored[turn:] + mirrored[:turn]
    start = (0 - turn) % 27
    location = Location((Part(Interval(start, start + 12), Strand.REVERSE),))
    found = start_sites(bases, location, CODE, circular=True)
    assert found is not None
    assert [(place - 1 + turn) % 27 + 1 for place in found.upstream] == [18, 24]


def test_a_circle_without_a_stop_codon_is_walked_once() -> None:
    assert start_sites("ATGCCC", gene(1, 6), CODE, circular=True) == StartSites("ATG", ())


def test_a_code_in_which_tga_is_read_goes_on() -> None:
    bases = "TAAATGTGACCCATGCCC"
    assert start_sites(bases, gene(13, 18), 11, circular=False) == StartSites("ATG", ())
    assert start_sites(bases, gene(13, 18), 4, circular=False) == StartSites("ATG", (4,))


def test_a_gene_whose_start_is_cut_off_has_none() -> None:
    assert start_sites(LINE, gene(16, 27, partial_5=True), CODE, circular=False) is None


def test_without_a_sequence_nothing_is_said() -> None:
    assert start_sites("", gene(16, 27), CODE, circular=False) is None
