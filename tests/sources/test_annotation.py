import pytest

from genint.knowledge import Terms
from genint.model import (
    CalledBy,
    EvidenceSource,
    EvidenceType,
    Gene,
    GoAspect,
    GoTerm,
    Interval,
    Location,
    Qualifier,
    Specificity,
    Strand,
)
from genint.sources import annotation


def gene(product: str | None, *qualifiers: tuple[str, str]) -> Gene:
    return Gene(
        id="g1",
        contig="c",
        location=Location.simple(Interval(0, 300), Strand.FORWARD),
        protein="M" * 99,
        translation_table=11,
        called_by=CalledBy.GENBANK,
        product=product,
        protein_id="XP_1",
        qualifiers=tuple(Qualifier(*pair) for pair in qualifiers),
    )


@pytest.mark.parametrize(
    "product", [None, "hypothetical protein", "gp12", "DUF1382 family protein"]
)
def test_placeholders_and_missing_products_are_no_evidence(product):
    assert annotation.observe([gene(product)]) == ()


def test_a_plain_product_is_an_authors_statement():
    (item,) = annotation.observe([gene("portal protein")])
    assert (item.source, item.type) == (EvidenceSource.GENBANK, EvidenceType.ANNOTATION)
    assert (item.claim, item.strength, item.eco) == ("portal protein", "annotation", "ECO:0000313")
    assert item.specificity is Specificity.PROTEIN


def test_an_experiment_raises_a_name_but_not_a_hedge():
    experiment = ("experiment", "EXISTENCE: purified")
    (plain,) = annotation.observe([gene("portal protein", experiment)])
    (hedged,) = annotation.observe([gene("putative portal protein", experiment)])
    assert (plain.strength, plain.eco) == ("annotation_experiment", "ECO:0000269")
    assert hedged.strength == "annotation_hedged"
    assert hedged.caveats


def test_ec_numbers_come_from_qualifier_and_name_each_once():
    (item,) = annotation.observe(
        [gene("acetate kinase (EC 2.7.2.1)", ("EC_number", "2.7.2.1"), ("EC_number", "rubbish"))]
    )
    assert (item.ec, item.claim) == (("2.7.2.1",), "acetate kinase")


@pytest.mark.parametrize(
    ("qualifier", "name", "aspect"),
    [
        (
            ("GO_function", "GO:0003677 - DNA binding [Evidence IEA]"),
            "DNA binding",
            GoAspect.FUNCTION,
        ),
        (("GO_function", "DNA binding|0003677||IEA"), "DNA binding", GoAspect.FUNCTION),
        (
            ("GO_process", "DNA binding [goid GO:0003677] [evidence IEA]"),
            "DNA binding",
            GoAspect.PROCESS,
        ),
        (("db_xref", "GO:0003677"), "", None),
    ],
)
def test_go_terms_are_read_as_records_write_them(qualifier, name, aspect):
    (item,) = annotation.observe([gene("integrase", qualifier)])
    assert [tuple(term) for term in item.go] == [("GO:0003677", name, aspect)]


def test_every_go_term_of_a_qualifier_that_lists_several_is_read():
    listed = (
        "GO:0009090 - homoserine biosynthetic process; GO:0009086 - methionine biosynthetic "
        "process; GO:0009088 - threonine biosynthetic process [Evidence IEA]"
    )
    (item,) = annotation.observe([gene("aspartokinase", ("GO_process", listed))])
    assert [(term.id, term.name) for term in item.go] == [
        ("GO:0009090", "homoserine biosynthetic process"),
        ("GO:0009086", "methionine biosynthetic process"),
        ("GO:0009088", "threonine biosynthetic process"),
    ]
    assert {term.aspect for term in item.go} == {GoAspect.PROCESS}


def test_a_cog_letter_of_the_record_is_taken():
    (item,) = annotation.observe([gene("integrase", ("db_xref", "COG:X"))])
    assert item.cog == "X"


def test_a_cog_that_the_file_names_gives_its_letter_where_that_is_known():
    named = gene("integrase", ("db_xref", "COG:COG9002"))
    terms = Terms(cog={"COG9002": "LX"})
    (item,) = annotation.observe([named], None, terms)
    assert item.cog == "L"
    (item,) = annotation.observe([named])
    assert item.cog is None


def test_the_files_own_letter_wins_over_that_of_a_cog():
    named = gene("integrase", ("db_xref", "COG:K"), ("note", "COG9002"))
    (item,) = annotation.observe([named], None, Terms(cog={"COG9002": "LX"}))
    assert item.cog == "K"


def test_terms_without_a_name_get_it_and_the_files_own_words_stay():
    named = gene("integrase", ("db_xref", "GO:0000001"), ("GO_function", "GO:0000002 - my words"))
    known = {
        id_: GoTerm(id_, "known name", GoAspect.PROCESS) for id_ in ("GO:0000001", "GO:0000002")
    }
    (item,) = annotation.observe([named], None, Terms(go=known))
    assert {term.id: (term.name, term.aspect) for term in item.go} == {
        "GO:0000001": ("known name", GoAspect.PROCESS),
        "GO:0000002": ("my words", GoAspect.FUNCTION),
    }


@pytest.mark.parametrize(
    "shown", ["EXISTENCE:mass spectrometry, 2 peptides", "COORDINATES: N-terminal sequencing"]
)
def test_an_experiment_that_shows_only_the_protein_raises_no_name(shown):
    (item,) = annotation.observe([gene("portal protein", ("experiment", shown))])
    assert item.strength == "annotation"
