"""Cursors of lists: opaque, exact, and refused when they are not ours."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.errors import InvalidRequest
from genint.storage import LATEST_US, Cursor

TIMES = st.integers(0, LATEST_US)
IDS = st.text("0123456789abcdef-", max_size=40)


@given(TIMES, IDS, TIMES)
def test_a_cursor_is_read_as_it_was_written(before_us, before_id, position):
    cursor = Cursor(before_us, before_id, position)
    assert Cursor.parse(str(cursor)) == cursor


def test_no_cursor_is_the_begin_of_the_list():
    assert Cursor.parse(None) == Cursor(LATEST_US, "", 0)


def encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "====", "ä", "\0", "a b", "' OR 1=1 --", "A" * 100_000),
        *map(encoded, ("1/0", "1/0/a/b", "x/0/a", "-1/0/a", "1/-1/a", "1/x/a", "01/0/a")),
        encoded(f"{LATEST_US + 1}/0/a"),
        encoded(f"1/{LATEST_US + 1}/a"),
        encoded("1" * 5_000 + "/0/a"),
        encoded("1/0/a") + "=",
        encoded("1/0/ä"),
    ],
)
def test_any_other_text_is_refused(text):
    with pytest.raises(InvalidRequest) as caught:
        Cursor.parse(text)
    (value,) = caught.value.values
    assert value.location == ("query", "cursor")


@given(st.text())
def test_no_text_breaks_the_reader(text):
    try:
        assert str(Cursor.parse(text)) == text
    except InvalidRequest:
        return
