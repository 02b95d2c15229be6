import pytest

from genint.model import ConfidenceLevel
from genint.report import Group, level_sentences, view_of


@pytest.fixture(scope="module")
def view(phix_result):
    return view_of(phix_result)


def with_first_gene(result, **values):
    first = result.genes[0].model_copy(update=values)
    return result.model_copy(update={"genes": (first, *result.genes[1:])})


def test_shares_follow_one_another_and_add_up(view, phix_result):
    assert [share.level for share in view.levels] == list(ConfidenceLevel)
    ends = [share.before + share.genes for share in view.levels]
    assert [share.before for share in view.levels] == [0, *ends[:-1]]
    assert ends[-1] == phix_result.summary.total_genes


def test_the_view_tells_what_levels_were_measured_to_mean(view, phix_result):
    assert view.levels_meaning == level_sentences(phix_result.parameters)


def test_every_interpreted_gene_is_in_the_histogram_once(view, phix_result):
    assert sum(one.genes for one in view.scores) == phix_result.summary.interpreted_genes
    assert view.highest_bin == max(one.genes for one in view.scores)


@pytest.mark.parametrize(
    ("score", "first"), [(0.0, 0.0), (0.049, 0.05), (0.7949, 0.75), (0.795, 0.8), (1.0, 0.95)]
)
def test_a_score_is_counted_as_it_is_shown(phix_result, score, first):
    def bins(value):
        told = with_first_gene(phix_result, score=value, is_dark=False)
        return {one.first: one.genes for one in view_of(told).scores}

    without = view_of(with_first_gene(phix_result, is_dark=True)).scores
    expected = {one.first: one.genes + (one.first == first) for one in without}
    assert bins(score) == expected


def test_a_bin_has_the_level_of_its_scores(view):
    for one in view.scores:
        assert one.level == ConfidenceLevel.of(one.first) == ConfidenceLevel.of(one.first + 0.04)


def test_groups_hold_every_gene_once_and_those_without_last(phix_result):
    view = view_of(with_first_gene(phix_result, cog_category="X", category=None))
    total = phix_result.summary.total_genes
    assert sum(group.genes for group in view.cogs) == total
    assert sum(group.genes for group in view.categories) == total
    assert Group("X", "Mobilome: prophages, transposons", 1) in view.cogs
    assert (view.cogs[-1].key, view.categories[-1].key) == ("", "")
    named = [group.genes for group in view.categories if group.key]
    assert named == sorted(named, reverse=True)
    assert view.most_category == named[0]


def test_a_file_without_genes_has_a_view(phix_result):
    counts = dict.fromkeys(type(phix_result.summary).model_fields, 0)
    summary = phix_result.summary.model_copy(update=counts)
    view = view_of(phix_result.model_copy(update={"genes": (), "summary": summary}))
    assert [share.percent for share in view.levels] == [""] * 5
    assert (view.cogs, view.categories, view.most_cog) == ((), (), 1)
