"""The door to pyrodigal."""

from __future__ import annotations

from genint.genes.finder import MIN_START_SCORE, meta_model, search
from genint.model.genome import Genome


def test_good_starts_are_listed_only_where_asked_for(lambda_phage: Genome) -> None:
    bases = lambda_phage.contigs[0].bases
    model = meta_model(11)
    assert search(bases, model).scored == ()
    starts = search(bases, model, scored=True).scored
    assert all(start.scores.start >= MIN_START_SCORE for start in starts)
    assert min(len(start.interval) for start in starts) < 90  # below the finder's own limit
    assert search(bases, model, scored=True).calls == search(bases, model).calls


def test_called_starts_score_the_same_in_both_lists(lambda_phage: Genome) -> None:
    found = search(lambda_phage.contigs[0].bases, meta_model(11), scored=True)
    listed = {start.interval: start.scores for start in found.scored}
    compared = [call for call in found.calls if call.interval in listed]
    assert len(compared) > 40
    for call in compared:
        assert abs(call.scores.total - listed[call.interval].total) <= 0.005
        assert abs(call.scores.confidence - listed[call.interval].confidence) <= 0.001


def test_the_model_is_named_after_its_organism(lambda_phage: Genome) -> None:
    found = search(lambda_phage.contigs[0].bases, meta_model(11))
    assert found.model_name == "model of Escherichia coli UMN026"
