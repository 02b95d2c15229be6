from functools import partial

from genint.interpret import Neighbour, Searched
from genint.interpret import novelty as novelty_by
from genint.knowledge import load_dark_ranking
from genint.model import FOLDSEEK, HHPRED, Category

RANKING = load_dark_ranking()
novelty = partial(novelty_by, ranking=RANKING)
TAIL_UPSTREAM = Neighbour("J", "tail fiber protein", Category.TAIL, "upstream")
TAIL_DOWNSTREAM = Neighbour("I", "tail assembly protein", Category.TAIL, "downstream")
LYSIS_DOWNSTREAM = Neighbour("R", "endolysin", Category.LYSIS, "downstream")


REPLICATION = Neighbour("P", "DNA polymerase", Category.REPLICATION, "upstream")


def test_a_gap_between_genes_of_the_virion_ranks_below_one_elsewhere(gene):
    inside = novelty(gene(), (), (TAIL_UPSTREAM, LYSIS_DOWNSTREAM))
    beside = novelty(gene(), (), (REPLICATION, TAIL_DOWNSTREAM))
    elsewhere = novelty(gene(), (), (REPLICATION,))
    assert elsewhere.priority > beside.priority > inside.priority
    assert "2 of 2 neighbours are genes of packaging, virion or lysis" in inside.reasons


def test_short_genes_rank_above_long_ones_which_are_mostly_known_elsewhere(gene):
    short, long_ = novelty(gene(protein="M" * 50), (), ()), novelty(gene(protein="M" * 400), (), ())
    assert short.priority > long_.priority
    assert short.reasons[0] == "short (50 amino acids)"
    assert long_.reasons[0] == "long (400 amino acids)"


def test_a_gene_that_is_probably_known_elsewhere_is_called_no_research_target(gene):
    long_, short = novelty(gene(protein="M" * 400), (), ()), novelty(gene(protein="M" * 50), (), ())
    assert short.priority >= RANKING.target_from > long_.priority
    assert (
        "its function is probably known elsewhere, so it is no research target yet" in long_.reasons
    )
    assert not any("no research target" in reason for reason in short.reasons)


def test_what_may_be_no_gene_is_half_the_target_and_says_so(gene):
    doubtful = novelty(gene(protein="M" * 50), (), (), may_be_none=True)
    assert doubtful.priority < RANKING.target_from
    assert any(
        reason.startswith("may be no gene: no research target") for reason in doubtful.reasons
    )


def test_a_domain_of_unknown_function_raises_the_priority(gene, domain):
    unknown = domain("PF10000", "Protein of unknown function (DUF1000)")
    conserved = novelty(gene(protein="M" * 400), (unknown,), ())
    assert conserved.priority > novelty(gene(protein="M" * 400), (), ()).priority
    assert unknown.label in conserved.observations


def test_priority_stays_between_zero_and_one(gene, domain):
    unknown = domain("PF10000", "DUF1000")
    best = novelty(gene(protein="M" * 40), (unknown,), ())
    worst = novelty(gene(protein="", pseudo=True), (), ())
    assert 0 <= worst.priority < best.priority <= 1


def test_the_advice_begins_with_searches_that_were_not_made(gene):
    offline = novelty(gene(), (), ()).next_steps
    local = novelty(gene(), (), (), searched=Searched(local=True)).next_steps
    online = novelty(gene(), (), (), searched=Searched(local=True, online=True)).next_steps
    assert "--mode local" in offline[0]
    assert "--mode online" in offline[1]
    assert local == offline[1:]
    assert online == offline[2:]
    assert HHPRED in online[0]
    assert FOLDSEEK in online[0]


def test_an_experiment_comes_last_and_only_if_no_search_finds_anything(gene, domain):
    def last(dark):
        assert dark.next_step == dark.next_steps[0]
        assert not any("knock" in step for step in dark.next_steps[:-1])
        assert dark.next_steps[-1].startswith("only if nothing is found: ")
        return dark.next_steps[-1]

    assert "mass spectrometry" in last(novelty(gene(protein="M" * 40), (), ()))
    assert "tail" in last(novelty(gene(), (), (TAIL_UPSTREAM,)))
    assert "domain" in last(novelty(gene(), (domain("PF1", "DUF1"),), ()))
    assert novelty(gene(pseudo=True), (), ()).next_steps == (
        "check the reading frame by resequencing before any work on function",
    )


def test_a_name_without_function_in_the_file_is_kept_as_an_observation(gene):
    assert "ea47" in novelty(gene(product="ea47"), (), ()).observations[0]


def test_a_pseudogene_is_no_target_and_says_why(gene, domain):
    unknown = domain("PF10000", "DUF1000")
    around = (TAIL_UPSTREAM, TAIL_DOWNSTREAM)
    pseudo = novelty(gene(protein="M" * 400, pseudo=True), (unknown,), around)
    assert pseudo.priority == 0
    assert "annotated as a pseudogene" in pseudo.reasons[0]
    assert "knock" not in pseudo.next_step


def test_doubts_of_the_place_stand_among_the_observations(gene):
    assert "over a guessed joint" in novelty(gene(), (), (), ("over a guessed joint",)).observations
