import pytest

from genint.interpret import agree, contradiction, read_claim
from genint.model import GoTerm


@pytest.mark.parametrize(
    ("product", "family"),
    [
        ("terminase large subunit", "Phage terminase large subunit (GpA)"),
        ("major head protein", "Phage major capsid protein E"),
        ("endolysin", "Phage lysozyme"),
        ("S49 family peptidase", "Peptidase family S49"),
    ],
)
def test_wordings_of_one_function_agree(annotated, domain, judgement, product, family):
    one = read_claim(annotated(product), judgement)
    other = read_claim(domain("PF1", family), judgement)
    assert agree(one, other)
    assert contradiction(one, other) is None


@pytest.mark.parametrize(
    ("product", "family"),
    [
        ("lysozyme inhibitor", "Phage lysozyme"),
        ("terminase small subunit", "Terminase large subunit"),
        ("arabinose operon activator", "arabinose operon repressor"),
    ],
)
def test_opposites_contradict_and_never_agree(annotated, domain, judgement, product, family):
    one = read_claim(annotated(product), judgement)
    other = read_claim(domain("PF1", family), judgement)
    assert not agree(one, other)
    assert "opposes" in contradiction(one, other)


def test_different_words_alone_are_no_contradiction(annotated, domain, judgement):
    synthase = read_claim(annotated("threonine synthase"), judgement)
    fold = read_claim(domain("PF00291", "Pyridoxal-phosphate dependent enzyme"), judgement)
    assert not agree(synthase, fold)
    assert contradiction(synthase, fold) is None


def test_equal_ec_numbers_agree_whatever_the_words(annotated, judgement):
    one = read_claim(annotated("rhubarb", ec=("2.7.2.1",)), judgement)
    other = read_claim(annotated("custard", ec=("2.7.2.1",)), judgement)
    assert agree(one, other)


def test_unequal_ec_numbers_contradict_but_open_ones_do_not(annotated, judgement):
    one = read_claim(annotated("rhubarb", ec=("2.7.2.1",)), judgement)
    other = read_claim(annotated("custard", ec=("3.1.1.1",)), judgement)
    open_ended = read_claim(annotated("custard", ec=("2.7.-.-",)), judgement)
    assert "different EC numbers" in contradiction(one, other)
    assert contradiction(one, open_ended) is None


def test_different_modules_contradict(annotated, domain, judgement):
    tail = read_claim(annotated("tail fiber protein"), judgement)
    integrase = read_claim(domain("PF00589", "Phage integrase family"), judgement)
    assert "different functional modules" in contradiction(tail, integrase)


def test_names_of_go_terms_count_as_other_names_of_a_family(annotated, domain, judgement):
    product = read_claim(annotated("riboflavin kinase"), judgement)
    term = GoTerm("GO:0008531", "riboflavin kinase activity")
    family = read_claim(domain("PF01687", "Flavokinase", go=(term,)), judgement)
    assert agree(product, family)


@pytest.mark.parametrize("term", ["DNA binding", "ATP binding", "protein binding"])
def test_what_a_protein_binds_is_no_name_of_it(annotated, domain, judgement, term):
    product = read_claim(annotated("DNA polymerase III subunit alpha"), judgement)
    go = (GoTerm("GO:0003677", term),)
    integrase = read_claim(domain("PF00589", "Phage integrase family", go=go), judgement)
    assert not agree(product, integrase)


def test_different_narrow_roles_do_not_agree_however_alike_the_words(annotated, domain, judgement):
    fiber = read_claim(annotated("tail fiber protein"), judgement)
    assembly = read_claim(domain("PF1", "tail fiber assembly protein"), judgement)
    assert not agree(fiber, assembly)
    assert contradiction(fiber, assembly) is None


def test_two_domains_of_one_protein_never_contradict(domain, judgement):
    one = read_claim(domain("PF1", "Tail fiber protein"), judgement)
    other = read_claim(domain("PF2", "Phage integrase family"), judgement)
    assert contradiction(one, other) is None


@pytest.mark.parametrize(
    ("product", "family"),
    [
        ("inhibitor of DNA replication, cold shock protein homolog", "Cold-shock DNA-binding"),
        (
            "putative immunity protein; HEAT-domain protein; lethality reduction protein",
            "HEAT repeat",
        ),
        ("sensory histidine kinase in two-component system", "His Kinase A"),
        ("DNA primase/helicase", "DnaB-like helicase"),
    ],
)
def test_a_name_that_lists_several_things_agrees_by_one_of_them(
    annotated, domain, judgement, product, family
):
    one = read_claim(annotated(product), judgement)
    other = read_claim(domain("PF1", family), judgement)
    assert agree(one, other)
    assert contradiction(one, other) is None


def test_a_family_named_after_the_gene_agrees(annotated, domain, judgement):
    chaperone = read_claim(annotated("chaperone Hsp40, co-chaperone", aliases=("dnaJ",)), judgement)
    family = read_claim(domain("PF00226", "DnaJ"), judgement)
    assert agree(chaperone, family)


def test_subunits_are_told_apart_whatever_their_clauses_share(annotated, domain, judgement):
    large = read_claim(annotated("acetolactate synthase, large subunit"), judgement)
    small = read_claim(domain("PF1", "acetolactate synthase, small subunit"), judgement)
    assert not agree(large, small)


@pytest.mark.parametrize(
    ("both", "one"),
    [
        ("toxin of the YafQ-DinJ toxin-antitoxin system", "toxin"),
        ("holin/antiholin", "holin"),
        ("transcription termination/antitermination protein NusG", "transcription termination"),
    ],
)
def test_a_name_of_both_sides_contradicts_neither(annotated, domain, judgement, both, one):
    first = read_claim(annotated(both), judgement)
    second = read_claim(domain("PF1", one), judgement)
    assert contradiction(first, second) is None


def test_a_blocker_is_held_against_names_not_against_other_names_of_a_domain(
    annotated, domain, judgement
):
    blocker = read_claim(annotated("antitermination protein NusB"), judgement)
    term = GoTerm("GO:0006353", "DNA-templated transcription termination")
    family = read_claim(domain("PF01029", "NusB family", go=(term,)), judgement)
    assert contradiction(blocker, family) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("anti-sigma factor", "decoy of host sigma factor Srd"),
        ("anti-sigma factor", "inhibitor of sigma factor"),
        ("dGTPase inhibitor", "anti-dGTPase"),
        ("lysozyme inhibitor", "anti-lysozyme"),
    ],
)
def test_anti_inhibitor_of_and_decoy_of_one_thing_are_one_function(
    annotated, family, judgement, one, other
):
    first = read_claim(annotated(one, product=known(one, judgement)), judgement)
    second = read_claim(family(other, known(other, judgement)), judgement)
    assert agree(first, second)
    assert agree(second, first)
    assert contradiction(first, second) is None


def test_two_inhibitors_of_different_things_are_two_functions(annotated, family, judgement):
    one, other = "anti-sigma factor", "dGTPase inhibitor"
    first = read_claim(annotated(one, product=known(one, judgement)), judgement)
    assert not agree(first, read_claim(family(other, known(other, judgement)), judgement))


def test_a_decoy_is_not_what_it_deceives(annotated, family, judgement):
    decoy = read_claim(annotated("decoy of host sigma factor Srd"), judgement)
    assert not agree(decoy, read_claim(family("sigma factor"), judgement))


def known(name, judgement):
    product = judgement.products.find(name)
    return product.id if product else None


def test_the_genes_own_symbol_makes_a_family_of_that_symbol_agree(annotated, family, judgement):
    own = read_claim(annotated("FtsZ stabilizer", aliases=("zapC",)), judgement)
    name = "cell division protein ZapC"
    same = read_claim(family(name, None, aliases=("zapC",)), judgement)
    other = read_claim(family("cell division protein ZapD", None, aliases=("zapD",)), judgement)
    assert agree(own, same)
    assert not agree(own, other)


def test_no_symbol_or_number_outvotes_names_that_have_nothing_in_common(
    annotated, family, judgement
):
    own = annotated("major tail protein", aliases=("ileS",), ec=("6.1.1.5",))
    ligase = family("isoleucine--tRNA ligase", None, aliases=("ileS",), ec=("6.1.1.5",))
    assert not agree(read_claim(own, judgement), read_claim(ligase, judgement))


def test_the_same_in_other_words_agrees_beside_the_files_name(annotated, family, judgement):
    own = read_claim(annotated("phosphomannose isomerase type I"), judgement)
    other = read_claim(family("mannose-6-phosphate isomerase, class I", None), judgement)
    assert agree(own, other)
