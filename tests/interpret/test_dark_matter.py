from genint.interpret import Neighbour, novelty
from genint.model import Category

TAIL_BEFORE = Neighbour("J", "tail fiber protein", Category.TAIL, "before")
TAIL_BEHIND = Neighbour("I", "tail assembly protein", Category.TAIL, "behind")
LYSIS_BEHIND = Neighbour("R", "endolysin", Category.LYSIS, "behind")


def test_a_gap_inside_a_module_ranks_above_one_beside_it(gene):
    inside = novelty(gene(), (), (TAIL_BEFORE, TAIL_BEHIND))
    beside = novelty(gene(), (), (TAIL_BEFORE,))
    between_two = novelty(gene(), (), (TAIL_BEFORE, LYSIS_BEHIND))
    assert inside.priority > beside.priority > between_two.priority
    assert "between genes of one module (tail)" in " ".join(inside.reasons)


def test_longer_and_conserved_genes_rank_higher(gene, domain):
    unknown = domain("PF10000", "Protein of unknown function (DUF1000)")
    short, long_ = novelty(gene(protein="M" * 50), (), ()), novelty(gene(protein="M" * 400), (), ())
    conserved = novelty(gene(protein="M" * 400), (unknown,), ())
    assert short.priority < long_.priority < conserved.priority
    assert unknown.label in conserved.observations


def test_priority_stays_between_zero_and_one(gene, domain):
    unknown = domain("PF10000", "DUF1000")
    best = novelty(gene(protein="M" * 4000), (unknown,), (TAIL_BEFORE, TAIL_BEHIND))
    worst = novelty(gene(protein="", pseudo=True), (), ())
    assert 0 <= worst.priority < best.priority <= 1


def test_the_next_step_fits_what_is_known(gene, domain):
    assert "mass spectrometry" in novelty(gene(protein="M" * 40), (), ()).next_step
    assert "tail" in novelty(gene(), (), (TAIL_BEFORE,)).next_step
    assert "structure" in novelty(gene(), (domain("PF1", "DUF1"),), ()).next_step
    assert "reading frame" in novelty(gene(pseudo=True), (), ()).next_step


def test_a_name_without_function_in_the_file_is_kept_as_an_observation(gene):
    assert "ea47" in novelty(gene(product="ea47"), (), ()).observations[0]


def test_a_pseudogene_is_no_target_and_says_why(gene, domain):
    unknown = domain("PF10000", "DUF1000")
    pseudo = novelty(gene(protein="M" * 400, pseudo=True), (unknown,), (TAIL_BEFORE, TAIL_BEHIND))
    assert pseudo.priority == 0
    assert "annotated as a pseudogene" in pseudo.reasons[0]
    assert "knock" not in pseudo.next_step


def test_doubts_of_the_place_stand_among_the_observations(gene):
    assert "over a guessed joint" in novelty(gene(), (), (), ("over a guessed joint",)).observations
