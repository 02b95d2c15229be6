"""GC tracks and bases as the page holds them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.report import page_data
from genint.report.page.bases import (
    ALPHABET,
    MOST_POINTS,
    MOST_POINTS_OF_ALL,
    gc_tracks,
    packed_bases,
    points_for,
)

GRADES = 62


def unpacked(text: str, length: int) -> str:
    """As a reader of the page's source would do it."""
    letters, _, codes = text.partition(" ")
    numbers = [ALPHABET.index(letter) for letter in letters]
    bases = [base for n in numbers for base in ("ACGT"[n // 16], "ACGT"[n // 4 % 4], "ACGT"[n % 4])]
    for code in filter(None, codes.split(",")):
        start, letter, count = code.split(":")
        bases[int(start) : int(start) + int(count)] = letter * int(count)
    return "".join(bases[:length])


def record_of(phix_result, bases, topology="linear"):
    (record,) = phix_result.records
    update = {"sequence": bases, "length": len(bases), "topology": topology}
    return record.model_copy(update=update)


def values(letters, low, high):
    return [low + (high - low) * ALPHABET.index(letter) / GRADES for letter in letters]


@given(st.text("ACGTN", max_size=50) | st.text("ACGTRYSWKMBDHVN", max_size=50))
def test_packed_bases_can_be_read_again(bases):
    packed = packed_bases(bases)
    assert unpacked(packed, len(bases)) == bases
    assert len(packed.partition(" ")[0]) == -(-len(bases) // 3)


@pytest.mark.parametrize("topology", ["linear", "circular"])
def test_tracks_are_gc_content_and_skew_of_the_windows_that_they_state(phix_result, topology):
    bases = phix_result.records[0].sequence
    found = gc_tracks(record_of(phix_result, bases, topology), MOST_POINTS)
    half = found.window_bp // 2
    turned = bases[-half:] + bases + bases + bases[:half]
    content = values(found.content, found.lowest, found.highest)
    skew = values(found.skew, -found.most_skew, found.most_skew)
    places = range(0, len(bases) + (topology == "linear"), found.step_bp)
    assert len(content) == len(skew) == len(places)
    for place, gc_content, gc_skew in zip(places, content, skew, strict=True):
        window = bases[max(0, place - half) : place + half]
        if topology == "circular":
            window = turned[place : place + 2 * half]
        g, c = window.count("G"), window.count("C")
        assert gc_content == pytest.approx((g + c) / len(window), abs=0.01)
        assert gc_skew == pytest.approx((g - c) / (g + c), abs=0.02)
    assert found.mean == pytest.approx((bases.count("G") + bases.count("C")) / len(bases), abs=1e-4)


def test_a_stretch_without_known_bases_has_no_value(phix_result):
    found = gc_tracks(record_of(phix_result, "ACGT" * 500 + "N" * 2000), MOST_POINTS)
    assert found.content[0] != ALPHABET[-1]
    assert found.content[-1] == found.skew[-1] == ALPHABET[-1]


@pytest.mark.parametrize("bases", [None, "ACG" * 100, "N" * 5000])
def test_records_that_are_short_or_without_bases_have_no_tracks(phix_result, bases):
    (record,) = phix_result.records
    assert gc_tracks(record.model_copy(update={"sequence": bases}), MOST_POINTS) is None


def test_tracks_of_a_bacterium_and_of_drafts_are_small(phix_result):
    found = gc_tracks(record_of(phix_result, "ACGTTGCA" * 580_000, "circular"), points_for(1))
    assert len(found.content) <= MOST_POINTS
    for records in (1, 10, 200, 320, 5000):
        assert records * points_for(records) <= MOST_POINTS_OF_ALL
    assert points_for(5000) == 0


def test_the_page_has_the_tracks_of_every_record_with_genes(phix_result):
    without = phix_result.model_copy(update={"genes": ()})
    assert [row.gc is None for row in page_data(phix_result).records] == [False]
    assert [row.gc for row in page_data(without).records] == [None]
