"""Location texts: the grammar and its odd corners."""

from __future__ import annotations

import pytest

from genint.formats import RawPart, parse_location


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("3..9", [RawPart(3, 9)]),
        ("7", [RawPart(7, 7)]),
        ("<3..>9", [RawPart(3, 9, low_open=True, high_open=True)]),
        ("<7", [RawPart(7, 7, low_open=True)]),
        (">7", [RawPart(7, 7, high_open=True)]),
        ("-2..9", [RawPart(-2, 9)]),
        ("complement(3..9)", [RawPart(3, 9, reverse=True)]),
        ("complement(complement(3..9))", [RawPart(3, 9)]),
        ("join(1..2,5..6)", [RawPart(1, 2), RawPart(5, 6)]),
        ("join( 1..2,\n 5..6 )", [RawPart(1, 2), RawPart(5, 6)]),
        ("complement(join(1..2,5..6))", [RawPart(5, 6, True), RawPart(1, 2, True)]),
        ("join(complement(5..6),complement(1..2))", [RawPart(5, 6, True), RawPart(1, 2, True)]),
        ("join(complement(5..6),1..2)", [RawPart(5, 6, True), RawPart(1, 2)]),
        ("J00194.1:3..9", [RawPart(3, 9, record="J00194.1")]),
        ("join(J00194.1:3..9,1..2)", [RawPart(3, 9, record="J00194.1"), RawPart(1, 2)]),
    ],
)
def test_text_gives_its_parts_in_the_order_of_transcription(text, parts):
    assert list(parse_location(text).parts) == parts
    assert parse_location(text).doubt is None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("(1.5)..9", 1, 9),
        ("1..(7.9)", 1, 9),
        ("one-of(1,5)..9", 1, 9),
        ("1..one-of(7,9)", 1, 9),
        ("one-of(1..9,20..30)", 1, 9),
    ],
)
def test_inexact_ends_are_taken_at_their_outer_bound_with_a_doubt(text, first, last):
    location = parse_location(text)
    assert [(part.first, part.last) for part in location.parts] == [(first, last)]
    assert location.doubt


def test_order_is_read_as_join_with_a_doubt():
    location = parse_location("order(1..2,5..6)")
    assert location.parts == (RawPart(1, 2), RawPart(5, 6))
    assert location.doubt == "order()"


@pytest.mark.parametrize(
    "text",
    ["", "x", "1..", "..5", "join(", "join()", "1..5)", "join(1..5", "1.5", "gap(10)", "1..5 7..9",
     "complement(" * 30 + "1..2" + ")" * 30, "9" * 40 + ".." + "9" * 40, "(" * 200_000],
)  # fmt: skip
def test_text_outside_the_grammar_gives_no_parts(text):
    assert parse_location(text).parts == ()
