import pytest

from genint.interpret import classify_dark, score_evidence
from genint.interpret.classify import classify
from genint.knowledge import load_products, load_roles
from genint.model import NOT_CLASSIFIED, Category, CogSource, GeneContext, GoAspect, GoTerm
from genint.model.vocabulary import cog_fits


def classified(evidence, judgement, unknown=()):
    return classify(score_evidence(evidence, judgement).hypotheses, unknown, judgement)


def test_a_family_brings_its_letter_and_says_so(annotated, domain, judgement):
    evidence = (annotated("threonine synthase"), domain("PF1", "threonine synthase", cog="E"))
    found = classified(evidence, judgement)
    assert (found.cog_category, found.cog_source) == ("E", CogSource.PFAM)
    assert found.cog_name == "Amino acid transport and metabolism"
    assert found.category is Category.METABOLISM
    assert found.pfam_id == "PF1"


def test_the_files_own_letter_comes_first(annotated, domain, judgement):
    evidence = (annotated("threonine synthase", cog="R"), domain("PF1", "threonine", cog="E"))
    found = classified(evidence, judgement)
    assert (found.cog_category, found.cog_source) == ("R", CogSource.ANNOTATION)


def test_an_enzyme_that_repairs_metabolites_is_no_defence_whatever_its_letter(annotated, judgement):
    repair = annotated("omega-amidase", cog="V", ec=("3.5.1.3",))
    assert classified((repair,), judgement).category is Category.METABOLISM
    defence = annotated("xylofuranate lactamase", cog="V", ec=("3.5.2.6",))
    assert classified((defence,), judgement).category is Category.DEFENCE


def test_a_role_gives_category_letter_and_go(annotated, judgement):
    found = classified((annotated("terminase large subunit"),), judgement)
    assert found.category is Category.PACKAGING
    assert (found.cog_category, found.cog_source) == ("X", CogSource.PRODUCT_ROLE)
    assert GoTerm("GO:0019073", "viral DNA genome packaging", GoAspect.PROCESS) in found.go_terms


def test_a_name_in_the_files_own_words_has_the_category_that_its_words_speak_of(
    annotated, domain, judgement
):
    enzyme = annotated("23S rRNA m(2)G1835 methyltransferase, SAM-dependent")
    assert classified((enzyme,), judgement).category is Category.TRANSLATION
    part = domain("PF1", "ubiquinone custard")
    assert classified((part,), judgement).category is Category.OTHER


def test_go_terms_stand_once_with_their_names(annotated, domain, judgement):
    term = GoTerm("GO:0015074", "DNA integration", GoAspect.PROCESS)
    evidence = (
        annotated("integrase", go=(GoTerm("GO:0015074", ""),)),
        domain("PF00589", "Phage integrase family", go=(term,)),
    )
    found = classified(evidence, judgement)
    assert found.go_terms.count(term) == 1
    assert len({item.id for item in found.go_terms}) == len(found.go_terms)


def test_without_grounds_nothing_is_said(annotated, judgement):
    found = classified((annotated("rhubarb custardase"),), judgement)
    assert (found.cog_category, found.cog_name, found.cog_source) == (None, None, None)
    assert (found.pfam_id, found.go_terms, found.category) == (None, (), Category.OTHER)


def test_a_dark_gene_keeps_its_family_of_unknown_function(domain):
    found = classify_dark((domain("PF10000", "DUF123"),), None)
    assert (found.pfam_id, found.category) == ("PF10000", Category.UNKNOWN)


def test_a_dark_gene_has_the_letter_of_its_family_and_the_category_of_its_neighbours(domain):
    around = GeneContext(Category.TAIL, 0.8, ("g1 (tail)",))
    found = classify_dark((domain("PF10000", "DUF123", cog="S"),), around)
    assert (found.cog_category, found.cog_source) == ("S", CogSource.PFAM)
    assert found.category is Category.TAIL
    assert classify_dark((), around).category is Category.TAIL


def test_a_gene_of_which_nothing_is_known_has_no_category():
    assert classify_dark((), None) == NOT_CLASSIFIED


def test_a_contradicting_rival_lends_no_letter(annotated, domain, judgement):
    evidence = (
        annotated("tail fiber protein", strength="annotation_experiment"),
        domain("PF00589", "Phage integrase family", cog="L"),
    )
    found = classified(evidence, judgement)
    assert found.cog_category is None


def test_an_enzyme_without_role_or_letter_is_filed_by_its_ec_number(annotated, judgement):
    kinase = annotated("fructokinase", ec=("2.7.1.4",))
    protease = annotated("rhubarbin", ec=("3.4.24.1",))
    assert classified((kinase,), judgement).category is Category.METABOLISM
    assert classified((protease,), judgement).category is Category.PROTEIN_FATE


def test_the_letter_of_one_domain_does_not_contradict_the_name_of_the_protein(
    annotated, domain, judgement
):
    # the ATPase domain that sensor kinases (T) and topoisomerases (L) share
    shared = domain("PF02518", "DNA topoisomerase ATPase", cog="T")
    found = classified((annotated("DNA topoisomerase II"), shared), judgement)
    assert (found.cog_category, found.cog_source) == ("L", CogSource.PRODUCT_ROLE)


def test_without_a_letter_that_fits_the_name_there_is_none(annotated, domain, judgement):
    odd = domain("PF1", "tail fiber protein", cog="T")
    assert classified((annotated("tail fiber protein"), odd), judgement).cog_category is None


def test_a_term_of_the_vocabulary_brings_its_letter(annotated, judgement):
    named = annotated("threonine synthase", product="threonine_synthase")
    found = classified((named,), judgement)
    assert (found.cog_category, found.cog_source) == ("E", CogSource.PRODUCT_ROLE)


@pytest.mark.parametrize("letter", ["R", "S", "A"])
def test_the_letter_of_the_file_is_shown_whatever_it_is(letter, annotated, judgement):
    named = annotated("DNA topoisomerase II", cog=letter)
    found = classified((named,), judgement)
    assert (found.cog_category, found.cog_source) == (letter, CogSource.ANNOTATION)


def test_every_letter_of_the_vocabulary_fits_its_category():
    for product in load_products().products.values():
        if product.cog is not None:
            assert cog_fits(product.cog, product.category), product.id


def test_every_letter_of_a_role_fits_its_category():
    for role in load_roles().roles:
        if role.cog is not None:
            assert cog_fits(role.cog, role.category), role.id


@pytest.mark.parametrize(
    ("name", "ec", "in_a_phage", "elsewhere"),
    [
        ("lytic transglycosylase", (), Category.LYSIS, Category.ENVELOPE),
        ("N-acetylmuramoyl-L-alanine amidase", (), Category.LYSIS, Category.ENVELOPE),
        ("hyaluronidase", ("4.2.2.1",), Category.TAIL, Category.METABOLISM),
        ("phage repressor", (), Category.LYSOGENY, Category.TRANSCRIPTION),
        ("terminase large subunit", (), Category.PACKAGING, Category.PACKAGING),
        ("tail tube protein", (), Category.TAIL, Category.TAIL),
    ],
)
def test_what_lies_in_no_phage_is_not_of_a_phages_module_unless_its_name_is(
    annotated, judgement, name, ec, in_a_phage, elsewhere
):
    item = annotated(name, product=judgement.products.find(name).id, ec=ec)
    hypotheses = score_evidence((item,), judgement).hypotheses
    assert classify(hypotheses, (), judgement).category is in_a_phage
    assert classify(hypotheses, (), judgement, in_phage=False).category is elsewhere


def test_a_regulator_of_a_phage_with_peptidase_s24_keeps_lysogeny(annotated, domain, judgement):
    regulator = annotated("LexA family transcriptional regulator")
    peptidase = domain("PF00717", "peptidase S24")
    told = score_evidence((regulator, peptidase), judgement).hypotheses
    assert classify(told, (), judgement).category is Category.LYSOGENY
    assert classify(told, (), judgement, in_phage=False).category is Category.TRANSCRIPTION
    assert classified((regulator,), judgement).category is Category.TRANSCRIPTION
    polymerase = annotated("DNA polymerase", product="dna_polymerase")
    assert classified((polymerase, peptidase), judgement).category is Category.REPLICATION
