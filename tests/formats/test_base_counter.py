"""Bases are counted while a file comes in, as its reader counts them."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.errors import FormatError
from genint.formats import BaseCounter, read_genome_bytes


def counted(text: bytes, piece: int, *, max_bases: int = 10**9) -> int:
    """The bases of a text that comes in pieces."""
    counter = BaseCounter(source="x.fa", max_bases=max_bases)
    for start in range(0, len(text), piece):
        counter.feed(text[start : start + piece])
    return counter.bases


@given(
    records=st.lists(
        st.tuples(st.text("AC G>t", max_size=9), st.text("ACGTNacgu \n", max_size=60)),
        min_size=1,
        max_size=5,
    ),
    start=st.sampled_from(["", "\n \n", "\ufeff"]),
    end=st.sampled_from(["\n", "\r\n"]),
    piece=st.integers(1, 80),
)
def test_the_bases_of_fasta_are_counted_as_its_reader_does(records, start, end, piece):
    numbers = count()
    lines = [f">r{next(numbers)} {header}\n{bases}\nA\n" for header, bases in records]
    text = (start + "".join(lines).replace("\n", end)).encode()
    genome = read_genome_bytes(text, "x.fa")
    assert counted(text, piece) == sum(len(contig.bases) for contig in genome.contigs)


@pytest.mark.parametrize("piece", [1, 7, 1000, 1 << 20])
def test_the_lengths_that_genbank_states_are_added_up(examples, piece):
    record = (examples / "phiX174.gbk").read_bytes()
    assert counted(record + record, piece) == 2 * 5386


def test_counting_stops_at_the_first_base_too_many():
    text = b">a\n" + b"ACGTACGTAC\n" * 10
    assert counted(text, 5, max_bases=100) == 100
    with pytest.raises(FormatError, match=r"holds more than 99 bases.*one genome per file"):
        counted(text, 5, max_bases=99)
