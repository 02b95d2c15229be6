"""Fitted substitution scores suit the composition of both proteins."""

from __future__ import annotations

import numpy as np
import pytest

from genint.sources import fitted_scores, scores, substitution_scores
from genint.sources.similarity import evalue as composition
from genint.sources.similarity import evalue as statistics


def shares(letters: str) -> np.ndarray:
    lengths = np.array([len(letters)])
    found = statistics.compositions(np.frombuffer(letters.encode(), np.uint8), lengths)
    return composition.smoothed(found, lengths)[0]


ODD = "KNKNIIKKNLLKEYFKNNIILKKNDE" * 8


def test_smoothed_compositions_hold_every_residue_and_add_up_to_one() -> None:
    odd = shares("QQQ")
    assert odd.min() > 0
    assert odd.sum() == pytest.approx(1.0)
    assert odd[statistics.RESIDUES.index("Q")] > 2 * shares("AAA")[statistics.RESIDUES.index("Q")]


def test_usual_compositions_keep_the_usual_scores() -> None:
    usual = statistics.background()  # Scores of the matrix are rounded.
    (fitted,) = composition.fitting_scores(usual, usual[None])
    assert np.abs(fitted - substitution_scores(statistics.RESIDUES)).max() < 0.7


def test_pair_frequencies_add_up_to_both_compositions() -> None:
    ours, theirs = shares(ODD), shares("GAVLAGGTAARRG" * 10)
    (fitted,) = composition.fitting_scores(ours, theirs[None])
    pairs = np.exp(composition.UNGAPPED_LAMBDA * fitted) * np.outer(ours, theirs)
    assert np.abs(pairs.sum(axis=1) - ours).max() < 1e-6
    assert np.abs(pairs.sum(axis=0) - theirs).max() < 1e-6


def test_what_both_are_rich_in_is_worth_less() -> None:
    odd = shares(ODD)
    (fitted,) = composition.fitting_scores(odd, odd[None])
    usual = substitution_scores(statistics.RESIDUES)
    lysine, tryptophan = statistics.RESIDUES.index("K"), statistics.RESIDUES.index("W")
    assert fitted[lysine, lysine] < usual[lysine, lysine] - 1
    assert fitted[tryptophan, tryptophan] > usual[tryptophan, tryptophan]


def test_an_entry_is_scored_the_same_among_others() -> None:
    odd, other = shares(ODD), shares("GAVLAGGTAARRG")
    alone = composition.fitting_scores(odd, other[None])[0]
    among = composition.fitting_scores(odd, np.array([odd, other, odd]))[1]
    assert np.abs(alone - among).max() < 1e-9


def test_with_the_usual_scores_the_fitted_score_is_the_usual_one() -> None:
    protein, target = b"MKTAYIAKQRXQISFVKSHFSRQ", b"MKTAYIARQRQISFVKHFSRQLE"
    usual = substitution_scores(statistics.RESIDUES).astype(np.float64)
    found = fitted_scores(protein, [target, target[::-1]], usual, statistics.RESIDUES)
    assert found == list(scores(protein, [target, target[::-1]]))
