import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.report import shown_text


@pytest.mark.parametrize(
    "text", ["", "major coat protein", "β-lactamase  II", "<b> & 'x'", "噬菌体"]
)
def test_printable_text_stays_as_it_is(text):
    assert shown_text(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines", "two lines"),
        ("a\tb\r\nc\x0b\x0cd\u2028e\x85f\u00a0g", "a b c d e f g"),
        ("red\x1b[31m\x07", "red\ufffd[31m\ufffd"),
        ("gpj.\u202egnp", "gpj.\ufffdgnp"),
        ("zero\u200bwidth\ufeff", "zero\ufffdwidth\ufffd"),
        ("half a \ud83d", "half a \ufffd"),
    ],
)
def test_what_cannot_be_seen_is_replaced(text, shown):
    assert shown_text(text) == shown


@given(st.text(st.characters()))
def test_shown_text_is_one_printable_line_that_utf_8_can_write(text):
    shown = shown_text(text)
    assert shown.isprintable()
    assert len(shown.encode().splitlines()) <= 1
    assert shown_text(shown) == shown
