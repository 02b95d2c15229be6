"""The door to pyrodigal."""

from __future__ import annotations

import pytest

from genint.genes.prodigal import finder_confidence, meta_model, search
from genint.model.genome import Genome


def test_starts_are_listed_only_where_asked_for(lambda_phage: Genome) -> None:
    bases = lambda_phage.contigs[0].bases
    model = meta_model(11)
    assert len(search(bases, model).starts) == 0
    starts = search(bases, model, scored=True).starts
    assert starts.length_bp.min() < 90  # below the finder's own limit
    assert search(bases, model, scored=True).calls == search(bases, model).calls


def test_called_starts_score_the_same_in_both_lists(lambda_phage: Genome) -> None:
    found = search(lambda_phage.contigs[0].bases, meta_model(11), scored=True)
    listed = {found.starts.interval(row): row for row in range(len(found.starts))}
    compared = [call for call in found.calls if call.interval in listed]
    assert len(compared) > 40
    for call in compared:
        row = listed[call.interval]
        total = float(found.starts.total[row])
        assert call.scores.total == pytest.approx(total, abs=0.01)
        scores = found.starts.scores(row, finder_confidence(total))
        assert call.scores.confidence == pytest.approx(scores.confidence, abs=0.001)
        assert (call.scores.start_codon, call.scores.rbs_motif) == (
            scores.start_codon,
            scores.rbs_motif,
        )


def test_coding_and_start_score_add_up_to_the_total(lambda_phage: Genome) -> None:
    starts = search(lambda_phage.contigs[0].bases, meta_model(11), scored=True).starts
    assert abs(starts.coding + starts.score - starts.total).max() < 0.05


def test_the_model_is_named_after_its_organism(lambda_phage: Genome) -> None:
    found = search(lambda_phage.contigs[0].bases, meta_model(11))
    assert found.model_name == "model of Escherichia coli UMN026"
