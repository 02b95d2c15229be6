"""Unique names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from genint.formats import unique_names


def test_suffix_never_takes_a_name_of_the_file():
    assert unique_names(["a", "a", "a_2", "a"]) == ("a", "a_3", "a_2", "a_4")


@given(st.lists(st.sampled_from(["a", "a_2", "a_3", "a_2_2", "b"]), max_size=12))
def test_names_are_unique_and_first_comers_keep_theirs(stems):
    names = unique_names(stems)
    assert len(set(names)) == len(names) == len(stems)
    for stem in set(stems):
        assert names[stems.index(stem)] == stem
