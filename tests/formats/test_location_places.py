"""Locations on lines and circles."""

from __future__ import annotations

import pytest

from genint.formats import RawPart, ReadCode, Shape, parse_location, place

LINE = Shape(length_bp=100, circular=False, own_names=frozenset({"X1", "X1.1"}))
CIRCLE = Shape(length_bp=100, circular=True, own_names=frozenset({"X1"}))


def placed(text, shape, **options):
    return place(parse_location(text).parts, shape, **options)


def spans(found):
    return [
        (part.interval.start, part.interval.end, int(part.strand)) for part in found.location.parts
    ]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("join(91..100,1..20)", [(90, 120, 1)]),
        ("complement(join(91..100,1..20))", [(90, 120, -1)]),
        ("join(complement(1..20),complement(91..100))", [(90, 120, -1)]),
        ("91..20", [(90, 120, 1)]),
        ("complement(91..20)", [(90, 120, -1)]),
        ("91..120", [(90, 120, 1)]),
        ("101..120", [(0, 20, 1)]),
        ("-9..20", [(90, 120, 1)]),
        ("join(81..90,93..100,1..20)", [(80, 90, 1), (92, 120, 1)]),
        ("join(91..100,1..20,31..40)", [(90, 120, 1), (130, 140, 1)]),
        ("join(81..90,5..20)", [(80, 90, 1), (104, 120, 1)]),
        ("complement(join(81..90,5..20))", [(104, 120, -1), (80, 90, -1)]),
        ("join(1..20,20..40)", [(0, 20, 1), (19, 40, 1)]),
    ],
)
def test_circle_is_unrolled_over_the_origin(text, parts):
    found = placed(text, CIRCLE)
    assert spans(found) == parts
    assert found.issues == ()


def test_unrolled_parts_span_what_the_gene_spans():
    span = placed("join(91..100,1..20,31..40)", CIRCLE).location.span
    assert span.one_based(100) == (91, 40)


def test_trans_spliced_parts_stay_where_they_are():
    found = placed("join(91..100,1..20)", CIRCLE, trans_spliced=True)
    assert spans(found) == [(90, 100, 1), (0, 20, 1)]
    assert found.location.trans_spliced


def test_disordered_parts_are_no_turn_of_the_circle():
    assert spans(placed("join(61..70,1..10)", CIRCLE)) == [(60, 70, 1), (100, 110, 1)]
    assert spans(placed("join(71..80,35..40)", CIRCLE)) == [(70, 80, 1), (34, 40, 1)]


def test_part_longer_than_the_circle_is_cut_with_a_doubt():
    found = placed("1..250", CIRCLE)
    assert spans(found) == [(0, 100, 1)]
    assert [doubt.code for doubt in found.issues] == [ReadCode.LOCATION_CLIPPED]


def test_slippage_keeps_both_parts_on_a_line():
    assert spans(placed("join(1..20,20..40)", LINE)) == [(0, 20, 1), (19, 40, 1)]


@pytest.mark.parametrize(
    ("text", "parts", "partial_5", "partial_3", "code"),
    [
        ("-2..20", [(0, 20, 1)], True, False, ReadCode.LOCATION_CLIPPED),
        ("90..120", [(89, 100, 1)], False, True, ReadCode.LOCATION_CLIPPED),
        ("complement(90..120)", [(89, 100, -1)], True, False, ReadCode.LOCATION_CLIPPED),
        ("20..5", [(4, 20, 1)], False, False, ReadCode.LOCATION_REVERSED),
        ("join(1..20,150..160)", [(0, 20, 1)], False, False, ReadCode.LOCATION_CLIPPED),
    ],
)
def test_line_is_kept_to_with_a_doubt(text, parts, partial_5, partial_3, code):
    found = placed(text, LINE)
    assert spans(found) == parts
    assert (found.location.partial_5, found.location.partial_3) == (partial_5, partial_3)
    assert [doubt.code for doubt in found.issues] == [code]


def test_location_outside_the_line_says_so():
    found = placed("150..160", LINE)
    assert found.location is None
    assert ReadCode.LOCATION_OUTSIDE in [doubt.code for doubt in found.issues]


@pytest.mark.parametrize(
    ("text", "partial"),
    [
        ("<1..>20", (True, True)),
        ("complement(<1..20)", (False, True)),
        ("complement(1..>20)", (True, False)),
        ("join(<1..5,9..20)", (True, False)),
        ("complement(join(<1..5,9..20))", (False, True)),
    ],
)
def test_open_ends_are_those_of_the_gene(text, partial):
    location = placed(text, LINE).location
    assert (location.partial_5, location.partial_3) == partial


def test_remote_part_is_left_out_and_the_own_record_is_not_remote():
    found = placed("join(J00194.1:3..9,11..20)", LINE)
    assert spans(found) == [(10, 20, 1)]
    assert found.remote
    assert [doubt.code for doubt in found.issues] == [ReadCode.REMOTE_LOCATION]
    assert not placed("join(X1.1:3..9,11..20)", LINE).remote


def test_only_remote_parts_give_no_location():
    found = place([RawPart(3, 9, record="J00194.1")], LINE)
    assert found.location is None


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("join(91..100,1..20)", [(90, 120, 1)]),
        ("complement(join(91..100,1..20))", [(90, 120, -1)]),
        ("join(complement(1..20),complement(91..100))", [(90, 120, -1)]),
        ("join(71..80,91..100,1..20)", [(70, 80, 1), (90, 120, 1)]),
    ],
)
def test_a_gene_joined_over_both_ends_of_a_line_is_one_gene_with_a_warning(text, parts):
    found = placed(text, LINE)
    assert spans(found) == parts
    assert [doubt.code for doubt in found.issues] == [ReadCode.OVER_LINEAR_ENDS]
    assert "linear" in found.issues[0].text


@pytest.mark.parametrize(
    "text", ["join(81..90,1..20)", "join(91..100,5..20)", "join(1..20,91..100)"]
)
def test_parts_that_do_not_meet_at_both_ends_of_a_line_stay_where_they_are(text):
    found = placed(text, LINE)
    assert all(end <= 100 for _, end, _ in spans(found))
    assert found.issues == ()


def test_trans_spliced_parts_at_both_ends_of_a_line_stay_where_they_are():
    assert spans(placed("join(91..100,1..20)", LINE, trans_spliced=True)) == [
        (90, 100, 1),
        (0, 20, 1),
    ]
