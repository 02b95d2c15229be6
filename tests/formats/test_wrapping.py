"""Lines of flat files: what is written is read back as it was."""

from __future__ import annotations

import io
import re
from string import printable

import gb_io
import pytest
from Bio import SeqIO
from hypothesis import given
from hypothesis import strategies as st

from genint.formats import (
    RawPart,
    ascii_text,
    feature_lines,
    location_text,
    parse_location,
    plain_value,
    qualifier_lines,
    read_genome_bytes,
    wrapped,
)
from genint.model import Qualifier

HOSTILE = st.text(
    st.sampled_from("/\"'= a\n\t\x00\x1b\x85\u2028\u202e\u03b1\u00e9\u4e2d\U0001f600,;:-"),
    max_size=200,
)
TEXTS = HOSTILE | st.text(max_size=300) | st.text(st.sampled_from(printable), max_size=300)


def record_with(*features: str) -> str:
    return (
        "LOCUS       X1                        60 bp    DNA     linear   UNK 01-JAN-1980\n"
        "DEFINITION  .\nACCESSION   X1\nVERSION     X1\nFEATURES             Location/Qualifiers\n"
        + "\n".join(features)
        + f"\nORIGIN\n        1 {'acgtacgtac' * 6}\n//\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("caf\u00e9 na\u00efve \u00c5", "cafe naive A"),
        ("\u03b1-subunit of \u0394G", "alpha-subunit of deltaG"),
        ("5\u2032\u20133\u2032 \u201cquoted\u201d", "5'-3' \"quoted\""),
        ("10 \u00b5m 3\u00d74", "10 um 3x4"),
        ("a\u202eb\x1b[31m\x00", "a?b?[31m?"),
        ("two\nlines\tand  blanks ", "two lines and blanks"),
        ("\u4e2d\U0001f600\ufffd", "???"),
    ],
)
def test_texts_become_ascii(text: str, expected: str) -> None:
    assert ascii_text(text) == expected


@given(TEXTS)
def test_every_line_is_printable_ascii_of_at_most_79_columns(text: str) -> None:
    for line in qualifier_lines(Qualifier("note", text)):
        assert line.isascii()
        assert line.isprintable()
        assert len(line) <= 79
        assert line.startswith(" " * 21)
        assert line[21] != " "


@given(TEXTS)
def test_three_readers_read_the_value_that_was_written(text: str) -> None:
    note = Qualifier("note", f"x {text}")
    record = record_with(*feature_lines("CDS", "1..30", [note, Qualifier("pseudo", None)]))
    written = "".join(plain_value(note.value or "").split())
    biopython = SeqIO.read(io.StringIO(record), "genbank").features[0].qualifiers
    assert list(biopython) == ["note", "pseudo"]
    [rust] = gb_io.load(io.BytesIO(record.encode()))
    assert [one.key for one in rust.features[0].qualifiers] == ["note", "pseudo"]
    [gene] = read_genome_bytes(record.encode(), "x.gbk").genes
    [own, flag] = gene.qualifiers
    assert flag == Qualifier("pseudo", None)
    for value in (biopython["note"][0], rust.features[0].qualifiers[0].value, own.value):
        assert "".join((value or "").split()) == written


@given(st.text(st.sampled_from("ab /"), max_size=400), st.integers(3, 40))
def test_wrapping_loses_nothing_and_starts_no_line_with_a_slash(text: str, columns: int) -> None:
    text = "x" + " ".join(text.split())
    lines = wrapped(text, columns)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(0 < len(line) <= columns for line in lines)
    # words and the words behind them that begin with a slash cannot be parted
    if columns >= max(map(len, re.split(" (?=[^/])", text))):
        assert not any(line.startswith("/") for line in lines[1:])


def test_a_word_is_cut_where_a_line_would_begin_with_a_slash_otherwise() -> None:
    assert wrapped("xa /a", 3) == ["x", "a /", "a"]


def test_lines_break_at_blanks_and_long_words_are_cut() -> None:
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("abcdefghij klm", 4) == ["abcd", "efgh", "ij", "klm"]


def test_locus_tags_are_never_broken() -> None:
    tag = Qualifier("locus_tag", "contig_" * 12)
    assert len(qualifier_lines(tag)) == 1


def test_numbers_stand_without_quotes() -> None:
    assert qualifier_lines(Qualifier("codon_start", "2")) == (" " * 21 + "/codon_start=2",)


@pytest.mark.parametrize(
    ("parts", "partial", "text"),
    [
        ([RawPart(5, 9, reverse=False)], (False, False), "5..9"),
        ([RawPart(5, 9, reverse=True)], (False, False), "complement(5..9)"),
        ([RawPart(5, 9, reverse=False)], (True, True), "<5..>9"),
        ([RawPart(5, 9, reverse=False)], (True, False), "<5..9"),
        ([RawPart(5, 9, reverse=True)], (True, False), "complement(5..>9)"),
        ([RawPart(5, 9, reverse=True)], (False, True), "complement(<5..9)"),
        ([RawPart(55, 4, reverse=False)], (False, False), "join(55..60,1..4)"),
        ([RawPart(55, 4, reverse=True)], (False, True), "complement(join(<55..60,1..4))"),
        (
            [RawPart(1, 3, reverse=False), RawPart(5, 9, reverse=False)],
            (False, True),
            "join(1..3,5..>9)",
        ),
        (
            [RawPart(1, 3, reverse=True), RawPart(5, 9, reverse=False)],
            (False, False),
            "join(complement(1..3),5..9)",
        ),
    ],
)
def test_locations_are_written_as_the_insdc_writes_them(
    parts: list[RawPart], partial: tuple[bool, bool], text: str
) -> None:
    written = location_text(parts, 60, partial_5=partial[0], partial_3=partial[1])
    assert written == text
    record = record_with(*feature_lines("CDS", written, []))
    assert len(SeqIO.read(io.StringIO(record), "genbank").features) == 1
    assert len(gb_io.load(io.BytesIO(record.encode()))[0].features) == 1


def test_long_locations_are_broken_behind_commas() -> None:
    parts = [RawPart(at, at + 5, reverse=True) for at in range(1000, 3000, 100)]
    lines = feature_lines("CDS", location_text(parts, 9000), [])
    assert len(lines) > 1
    assert all(len(line) <= 79 for line in lines)
    text = "".join(line[21:] for line in lines)
    expected = tuple(RawPart(part.first, part.last, reverse=True) for part in reversed(parts))
    assert parse_location(text).parts == expected
