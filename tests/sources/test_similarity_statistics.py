"""E-values follow the published parameters and the composition of both proteins."""

from __future__ import annotations

import numpy as np
import pytest

from genint.sources.similarity import evalue as statistics


def composition(letters: str) -> np.ndarray:
    return statistics.compositions(
        np.frombuffer(letters.encode(), np.uint8), np.array([len(letters)])
    )


def test_usual_compositions_leave_scores_as_they_are() -> None:
    usual = statistics.background()
    assert statistics.lambda_ratios(usual, usual[None]).tolist() == [1.0]


def test_ungapped_lambda_of_blosum62_is_the_published_one() -> None:
    usual = statistics.background()
    assert statistics._ungapped_lambdas(usual, usual[None])[0] == pytest.approx(0.3176, abs=2e-4)


def test_like_odd_compositions_make_scores_worth_less() -> None:
    odd = composition("KKKNNNIIILLLKKENIFYLKNIDES")
    assert statistics.lambda_ratios(odd[0], odd)[0] < 0.95


def test_a_single_residue_is_worth_the_least() -> None:
    only = composition("QQQQQQ")
    assert statistics.lambda_ratios(only[0], only).tolist() == [0.5]


def test_unknown_residues_count_for_nothing() -> None:
    assert composition("XXAXC").tolist() == composition("AC").tolist()
    assert composition("XXX")[0].tolist() == statistics.background().tolist()


def test_the_search_space_is_smaller_than_all_pairs_and_grows() -> None:
    spaces = [statistics.search_space(length, 1_000_000, 3_000) for length in (1, 10, 100, 1_000)]
    assert spaces[-1] > spaces[0]
    assert all(
        1 <= space <= length * 1_000_000
        for space, length in zip(spaces, (1, 10, 100, 1_000), strict=True)
    )
    assert statistics.search_space(1, 1, 1) == 1.0


def test_an_evalue_halves_with_every_bit() -> None:
    assert statistics.evalue(31.0, 1e9) == pytest.approx(statistics.evalue(30.0, 1e9) / 2, rel=1e-2)


def test_bits_and_evalues_are_rounded() -> None:
    assert statistics.bits_of_scores(np.array([100.0])).tolist() == [44.94]
    assert statistics.evalue(40.0, 1.23456e9) == 0.00112
