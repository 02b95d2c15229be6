"""Where what is found on an unrolled circle lies on the contig."""

from __future__ import annotations

import pytest

from genint.model.interval import Interval
from genint.rna.merge import MARGIN_BP, SearchedContig
from tests.builders.rna import random_bases


def test_a_line_is_searched_as_it_is():
    contig = SearchedContig("ACGT")
    assert contig.text == "ACGT"
    assert contig.place(1, 3) == Interval(1, 3)


def test_what_is_no_base_is_searched_as_n():
    assert SearchedContig("ACRYGTWN").text == "ACNNGTNN"


@pytest.mark.parametrize("length", [40, 5_000, 25_000])
@pytest.mark.parametrize("opening", [0, 7, 39])
def test_every_stretch_of_a_circle_is_placed_just_once(length, opening):
    bases = random_bases(length)
    contig = SearchedContig(bases, is_circle=True, opening=opening)
    size = 21
    starts = [
        start for start in range(len(contig.text) - size + 1)
        if contig.place(start, start + size) is not None
    ]  # fmt: skip
    assert len(starts) == length
    for start in starts[:: max(1, length // 50)]:
        placed = contig.place(start, start + size)
        assert placed.slice(bases) == contig.text[start : start + size]


def test_the_margin_is_no_longer_than_the_circle():
    assert SearchedContig(random_bases(300), is_circle=True).margin_bp == 300
    assert SearchedContig(random_bases(30_000), is_circle=True).margin_bp == MARGIN_BP


def test_only_lines_have_ends():
    assert SearchedContig("ACGT").at_edge(0)
    assert SearchedContig("ACGT").at_edge(4)
    assert not SearchedContig("ACGT").at_edge(2)
    assert not SearchedContig("ACGT", is_circle=True).at_edge(0)
