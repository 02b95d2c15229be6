"""Telling phages from pieces of bacteria by genes: fitted anew, judged on left-out groups."""

from __future__ import annotations

import pytest

from genint.knowledge import parse_record_kinds
from genint.knowledge.table_files import RECORD_KINDS, read_shipped
from training.overview.kind_fit import figures_of, fit, left_out, sureness_of, text_of
from training.overview.kind_material import PIECES, read_table, table_of
from training.overview.record_kinds import FIGURES as KIND_FIGURES


@pytest.fixture(scope="module")
def pieces():
    return read_table(PIECES.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def answers(pieces):
    return tuple(left_out(pieces))


def test_the_shipped_model_and_figures_are_those_of_the_table(pieces, answers):
    assert text_of(fit(pieces), sureness_of(answers)) == read_shipped(RECORD_KINDS).decode()
    assert figures_of(answers) == KIND_FIGURES.read_text(encoding="utf-8")


def test_of_named_pieces_at_least_nineteen_of_twenty_are_right(answers):
    for sureness in sureness_of(answers):
        for judged in (sureness.phage, sureness.bacterium):
            assert judged.right >= 0.95 * judged.judged


def test_the_sureness_of_a_length_is_that_of_pieces_no_longer():
    model = parse_record_kinds(read_shipped(RECORD_KINDS).decode())
    assert [model.sureness_of(bp).least_bp for bp in (900, 20_000, 49_999, 90_000)] == [
        0,
        20_000,
        20_000,
        50_000,
    ]


def test_one_kind_alone_cannot_be_fitted(pieces):
    with pytest.raises(ValueError, match="both"):
        fit([one for one in pieces if one.is_phage])


def test_the_table_reads_back_as_it_was_written(pieces):
    assert read_table(table_of(pieces[:9])) == pieces[:9]
