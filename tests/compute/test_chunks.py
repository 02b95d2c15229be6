from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.compute import balanced_chunks

LENGTHS = st.lists(st.integers(0, 3000), max_size=200)
TARGETS = st.integers(1, 20_000)


@given(LENGTHS, TARGETS)
def test_every_protein_is_in_exactly_one_chunk_and_in_order(lengths, target):
    chunks = balanced_chunks(lengths, target)
    assert [index for chunk in chunks for index in chunk] == list(range(len(lengths)))
    assert all(chunks)


@given(LENGTHS, TARGETS)
def test_no_chunk_exceeds_the_target_by_more_than_its_longest_protein(lengths, target):
    for chunk in balanced_chunks(lengths, target):
        held = [lengths[index] for index in chunk]
        assert sum(held) <= target + max(held)


@given(LENGTHS, TARGETS)
def test_there_are_no_more_chunks_than_the_residues_ask_for(lengths, target):
    needed = -(-sum(lengths) // target)
    assert len(balanced_chunks(lengths, target)) <= max(1, needed)


def test_equal_proteins_are_shared_out_equally():
    assert balanced_chunks([100] * 12, 400) == (range(4), range(4, 8), range(8, 12))


def test_no_proteins_make_no_chunks():
    assert balanced_chunks([], 1000) == ()


def test_a_target_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one residue"):
        balanced_chunks([10], 0)
