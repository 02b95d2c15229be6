"""Lines are added to GenBank texts at the right places, and nothing else changes."""

from __future__ import annotations

import pytest

from genint.formats import (
    FeatureText,
    InsertionPoints,
    edited,
    feature_at,
    record_lines,
    written_by_genint,
)

PAD = " " * 21
CDS = "     CDS             "


def feature(*lines: str) -> FeatureText:
    """The feature of these lines, followed by another one."""
    return feature_at([*lines, "     gene            1..9"], 1)


def test_lines_are_added_behind_lines_and_removed() -> None:
    text = edited(["a", "b", "c"], added={0: ["x"], 2: ["y", "z"], 3: ["end"]}, removed={2})
    assert text == "x\na\ny\nz\nc\nend"


def test_text_without_changes_comes_back_byte_for_byte() -> None:
    text = "\n a \n\n//\n\n"
    assert edited(text.split("\n"), added={}) == text


def test_feature_ends_with_its_last_qualifier() -> None:
    found = feature(CDS + "1..9", PAD + '/note="a', PAD + '/b"', PAD + "/pseudo", "")
    assert found == FeatureText("1..9", ((2, 3), (4, 4)), last=4, end=4)


def test_wrapped_location_is_read_whole() -> None:
    found = feature(CDS + "join(1..3,", PAD + "5..9)", PAD + "/pseudo")
    assert (found.location, found.qualifiers) == ("join(1..3,5..9)", ((3, 3),))


def test_feature_without_qualifiers_ends_with_its_location() -> None:
    assert feature(CDS + "join(1..3,", PAD + "5..9)").end == 2
    assert feature_at([CDS + "1..9"], 1) == FeatureText("1..9", (), last=1, end=1)


def test_place_is_in_front_of_a_quote_that_is_never_closed() -> None:
    found = feature(CDS + "1..9", PAD + '/gene="a"', PAD + '/note="open', PAD + '/product="b"')
    assert (found.end, found.last) == (2, 4)


@pytest.mark.parametrize("following", ["ORIGIN", "//", "BASE COUNT  1 a", "     gene    1..9"])
def test_feature_ends_where_the_next_thing_begins(following: str) -> None:
    assert feature_at([CDS + "1..9", PAD + "/pseudo", "", following], 1).last == 2


def test_a_tab_behind_the_key_is_a_blank() -> None:
    assert feature("     CDS\t1..9", PAD + "/pseudo").location == "1..9"


def test_qualifiers_of_an_earlier_run_are_found_with_their_lines() -> None:
    lines = [
        CDS + "1..9",
        PAD + '/note="genint: tail fiber; confidence',
        PAD + 'HIGH (0.9)"',
        PAD + '/db_xref="PFAM:PF1"',
        PAD + '/db_xref="GeneID:1"',
        PAD + '/note="genint: version 1.0 added: db_xref PFAM:PF1"',
    ]
    found = written_by_genint(lines, feature_at(lines, 1))
    assert [list(one.lines) for one in found] == [[2, 3], [4], [6]]
    assert [one.qualifier.name for one in found] == ["note", "db_xref", "note"]


@pytest.mark.parametrize(
    "line",
    [
        '/note="genint: x" /locus_tag="T_01"',
        '/note="genint: x" stray',
        '/note="not genint: x"',
        '/comment="genint: x"',
    ],
)
def test_what_is_not_just_a_note_of_genint_is_left_alone(line: str) -> None:
    lines = [CDS + "1..9", PAD + line, PAD + "/pseudo"]
    assert written_by_genint(lines, feature_at(lines, 1)) == ()


def test_line_with_the_key_is_never_taken_out() -> None:
    lines = ['     CDS             /note="genint: x"', PAD + "/pseudo"]
    assert written_by_genint(lines, feature_at(lines, 1)) == ()


def test_records_without_sequence_are_passed_over(genbank) -> None:
    empty = genbank(name="A").partition("ORIGIN")[0] + "//\n"
    text = empty + genbank("CDS 1..30\n/pseudo\ngene 31..60", name="B")
    lines = text.split("\n")
    [record] = record_lines(text, lines)
    assert [lines[at - 1].split()[0] for at in record.starts] == ["CDS", "gene"]
    assert record.table is not None
    assert lines[record.table - 1].startswith("FEATURES")


def test_new_table_goes_in_front_of_the_sequence(genbank) -> None:
    text = genbank().replace("FEATURES             Location/Qualifiers\n", "BASE COUNT  9 a\n")
    lines = text.split("\n")
    [record] = record_lines(text, lines)
    assert record.table is None
    assert lines[record.below].startswith("BASE COUNT")


@pytest.mark.parametrize(
    ("first", "behind"),
    [(1, "source"), (9, "source"), (10, "gene"), (19, "CDS"), (20, "tRNA"), (60, "tRNA")],
)
def test_new_features_stand_in_the_order_of_their_places(genbank, first, behind) -> None:
    table = "source 1..60\ngene 10..15\n/pseudo\nCDS complement(12..15)\ntRNA 20..25\n/pseudo"
    text = genbank(table)
    lines = text.split("\n")
    [record] = record_lines(text, lines)
    line = InsertionPoints(record, lines).behind(first)
    start = max(at for at in record.starts if at <= line)
    assert lines[start - 1].split()[0] == behind
    assert line + 1 in {*record.starts, lines.index("ORIGIN") + 1}


def test_first_feature_of_an_empty_table_goes_behind_its_title(genbank) -> None:
    text = genbank()
    lines = text.split("\n")
    [record] = record_lines(text, lines)
    assert lines[InsertionPoints(record, lines).behind(5) - 1].startswith("FEATURES")


def test_feature_whose_location_cannot_be_read_does_not_disturb(genbank) -> None:
    text = genbank("source 1..60\nCDS nonsense\ngene 20..30")
    lines = text.split("\n")
    [record] = record_lines(text, lines)
    assert lines[InsertionPoints(record, lines).behind(10) - 1].startswith("     CDS")
