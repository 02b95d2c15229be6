"""What levels mean, in words."""

from __future__ import annotations

import pytest

from genint.knowledge import MeasuredLevel, Setting
from genint.model import ConfidenceLevel, GenomeKind, OnlineService
from genint.report import LevelItem, level_sentence, level_sentences, measured_level_sentences

HIGH, MODERATE = ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE


def item(level=HIGH, regime="novel", right=312, judged=325) -> LevelItem:
    full = right * 290 // 312
    return LevelItem(level=level, regime=regime, right=right, full=full, judged=judged)


def test_a_level_is_told_with_counts_share_and_interval():
    assert level_sentence(item(), GenomeKind.PHAGE) == (
        "In tests on unseen phages 96% of HIGH calls were correct (312 of 325; 95% interval 93% "
        "to 98%); 89% were as precise as the record."
    )


def test_genes_whose_relatives_are_known_are_not_called_unseen():
    told = level_sentence(item(regime="shipped"), GenomeKind.BACTERIUM)
    assert "unseen" not in told
    assert "bacteria with relatives that genint knows" in told


def test_of_a_level_that_nothing_got_no_share_is_told():
    told = level_sentence(item(right=0, judged=0), GenomeKind.PHAGE)
    assert "no HIGH call could be judged" in told
    assert "%" not in told


def test_of_a_level_that_few_got_no_share_is_told():
    told = level_sentence(item(right=1, judged=1), GenomeKind.PHAGE)
    assert told.startswith("In tests on unseen phages there was only 1 HIGH call, too few tests")
    assert "%" not in level_sentence(item(right=19, judged=19), GenomeKind.PHAGE)
    assert "%" in level_sentence(item(right=19, judged=20), GenomeKind.PHAGE)


def test_parameters_and_results_are_told_alike():
    setting = Setting("offline", GenomeKind.PHAGE)
    measured = MeasuredLevel("novel", setting, HIGH, 312, 290, 325)
    kind = GenomeKind.PHAGE
    assert level_sentence(measured, kind) == level_sentence(item(), kind)


def test_unseen_genes_come_first_and_levels_keep_their_order():
    rows = [item(regime="shipped"), item(), item(MODERATE, right=80, judged=100)]
    _, *told = measured_level_sentences("offline", GenomeKind.PHAGE, rows)
    assert told == [level_sentence(rows[at], GenomeKind.PHAGE) for at in (1, 2, 0)]


@pytest.mark.parametrize(
    ("kind", "words"), [(GenomeKind.PHAGE, "phages"), (GenomeKind.BACTERIUM, "bacteria")]
)
@pytest.mark.parametrize("mode", ["offline", "local", "online"])
@pytest.mark.parametrize("rows", [[], [item()]])
def test_mode_and_kind_of_genome_are_named(kind, words, mode, rows):
    first = measured_level_sentences(mode, kind, rows)[0]
    assert f"for {words} in {mode} mode" in first


def test_without_figures_it_is_said_that_none_were_measured():
    (only,) = measured_level_sentences("online", GenomeKind.PHAGE, ())
    assert "has not been measured" in only


def test_a_result_tells_its_own_levels(phix_result):
    used = phix_result.parameters.model_copy(update={"levels": (item(),)})
    assert level_sentences(used) == measured_level_sentences("offline", GenomeKind.PHAGE, (item(),))


def test_an_old_result_says_that_it_does_not_tell(phix_result):
    used = phix_result.parameters.model_copy(update={"levels": (), "genome_kind": None})
    (only,) = level_sentences(used)
    assert "not known" in only


def test_a_result_with_services_says_that_levels_were_measured_without_them(phix_result):
    asked = {"levels": (item(),), "online_services": tuple(OnlineService)}
    *told, last = level_sentences(phix_result.parameters.model_copy(update=asked))
    assert tuple(told) == measured_level_sentences("offline", GenomeKind.PHAGE, (item(),))
    assert "set, not fitted" in last
