import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.model import Interval, Location, Part, Strand

CIRCLE_BP = 5386


@st.composite
def intervals_on_circle(draw: st.DrawFn, circle_bp: int = 200) -> Interval:
    start = draw(st.integers(0, circle_bp - 1))
    length = draw(st.integers(1, circle_bp))
    return Interval(start, start + length)


def test_one_based_ends_are_both_included():
    interval = Interval.from_one_based(711, 2636)
    assert (interval.start, interval.end, len(interval)) == (710, 2636, 1926)
    assert interval.one_based(48502) == (711, 2636)


def test_gene_over_the_origin_is_one_interval_and_comes_back_with_last_before_first():
    gene_a = Interval.from_one_based(3981, 136, circle_bp=CIRCLE_BP)
    assert len(gene_a) == 1542
    assert gene_a.wraps(CIRCLE_BP)
    assert gene_a.one_based(CIRCLE_BP) == (3981, 136)
    assert gene_a.pieces(CIRCLE_BP) == (Interval(3980, 5386), Interval(0, 136))


@pytest.mark.parametrize(("start", "end"), [(5, 5), (6, 5), (-1, 4)])
def test_an_interval_spans_at_least_one_base_of_the_contig(start, end):
    with pytest.raises(ValueError, match="need 0 <= start < end"):
        Interval(start, end)


def test_last_before_first_without_a_circle_is_refused():
    with pytest.raises(ValueError, match="need 0 <= start < end"):
        Interval.from_one_based(10, 3)


@given(intervals_on_circle())
def test_one_based_and_back_is_the_same_interval(interval):
    # A whole turn starting at the first base reads 1..L and is linear again.
    first, last = interval.one_based(200)
    assert Interval.from_one_based(first, last, circle_bp=200) == interval


@given(intervals_on_circle(), st.text("ACGT", min_size=200, max_size=200))
def test_slice_over_the_origin_reads_the_circle(interval, bases):
    assert interval.slice(bases) == (bases + bases)[interval.start : interval.end]


@given(intervals_on_circle(), intervals_on_circle())
def test_overlap_on_a_circle_is_symmetric_and_counts_shared_bases(one, other):
    def covered(interval):
        return {base % 200 for base in range(interval.start, interval.end)}

    shared = len(covered(one) & covered(other))
    assert one.overlap_on_circle_bp(other, 200) == shared
    assert other.overlap_on_circle_bp(one, 200) == shared


def test_location_spans_all_parts_and_lists_them_along_the_forward_strand():
    second_exon = Part(Interval(100, 150), Strand.REVERSE)
    first_exon = Part(Interval(200, 260), Strand.REVERSE)
    location = Location((first_exon, second_exon))
    assert location.span == Interval(100, 260)
    assert location.forward_parts == (second_exon, first_exon)
    assert (len(location), location.strand) == (110, Strand.REVERSE)


def test_a_location_without_parts_is_refused():
    with pytest.raises(ValueError, match="at least one part"):
        Location(())
