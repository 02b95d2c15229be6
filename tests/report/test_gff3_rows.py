from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.report import Row, escaped_seqid, identifier


@given(st.text(st.characters(), min_size=1), st.text(st.characters(), min_size=1))
def test_different_names_stay_different_ids(one, other):
    assert (identifier(one) == identifier(other)) == (one == other)
    assert (escaped_seqid(one) == escaped_seqid(other)) == (one == other)
    assert identifier(one).isprintable()
    assert unquote(identifier(one), errors="surrogatepass") == one
    assert not escaped_seqid(one).startswith((">", "#"))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("tail; fiber", "tail%3B fiber"),
        ("a,b=c&d", "a%2Cb%3Dc%26d"),
        ("50%", "50%25"),
        ("two\nlines\tand tabs", "two lines and tabs"),
        ("\x00\u202e", "\ufffd\ufffd"),
        ('"as is" \\ + β', '"as is" \\ + β'),
    ],
)
def test_values_escape_what_the_specification_reserves_and_nothing_else(text, written):
    row = Row("r", "genint", "gene", 1, 9, "+", (("Note", (text, "more")), ("empty", ())))
    assert row.line() == f"r\tgenint\tgene\t1\t9\t.\t+\t.\tNote={written},more"


def test_usual_record_names_stay_as_they_are():
    for name in ("NC_001416.1", "gi|15|ref|NC_1.2|", "contig_1:circular", "a+b-c@d"):
        assert escaped_seqid(name) == name
    assert escaped_seqid(">my contig~1") == "%3Emy%20contig%7E1"
