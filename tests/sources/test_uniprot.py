"""Entries of UniProt as evidence: what they name, how far, and what they rest on."""

from __future__ import annotations

import json

import pytest

from genint.knowledge import Terms, load_confidence, load_own_families, load_products
from genint.model import (
    ECO_NAMES,
    AnswerState,
    CalledBy,
    EcClaim,
    EvidenceSource,
    EvidenceType,
    Gene,
    GoAspect,
    GoClaim,
    GoTerm,
    Interval,
    Location,
    NameOrigin,
    ReferenceEntry,
    SimilarityHit,
    Specificity,
    Strand,
    UniProtAnswer,
    UniProtEntry,
    residues_digest,
)
from genint.online.uniprot.records import read_entries
from genint.sources import annotation, homology, uniprot
from genint.sources.uniprot import observe
from tests.builders.made_families import made_up

PROTEIN = made_up(60, 200)
PLACE = Location.simple(Interval(0, 603), Strand.FORWARD)
CUT_OFF = Location(PLACE.parts, partial_3=True)


@pytest.fixture(scope="module")
def vocabulary():
    return load_products()


@pytest.fixture(scope="module")
def table(family_build, vocabulary):
    return load_own_families(family_build, vocabulary)


@pytest.fixture
def seen(table, vocabulary):
    """Evidence of entries that one gene was answered with."""

    def see(*entries, release="2026_03", terms=None, annotations=(), **changes):
        answers = {"g1": UniProtAnswer(AnswerState.HIT, entries, release)}
        return observe(
            [gene(**changes)], answers, table, vocabulary, terms or Terms(), annotations=annotations
        )

    return see


def gene(**changes):
    values = {
        "id": "g1",
        "contig": "c",
        "location": PLACE,
        "protein": PROTEIN,
        "translation_table": 11,
        "called_by": CalledBy.PYRODIGAL,
    }
    return Gene(**(values | changes))


def entry(name="Terminase large subunit", accession="P11111", eco=("ECO:0000269",), **changes):
    values = {
        "reviewed": True,
        "name_origin": NameOrigin.RECOMMENDED,
        "length_aa": len(PROTEIN),
        "organism": "Phage x",
        "existence": 3,
    }
    return UniProtEntry(accession, name=name, name_eco=eco, **(values | changes))


def automatic(name="Terminase large subunit", accession="A0A000AAA1", **changes):
    return entry(name, accession, ("ECO:0000256",), **({"reviewed": False} | changes))


def submitted(name="Terminase large subunit", accession="A0A000AAA2", **changes):
    values = {"reviewed": False, "name_origin": NameOrigin.SUBMITTED, "existence": 4}
    return entry(name, accession, ("ECO:0000313",), **(values | changes))


def test_the_very_sequence_names_the_protein(seen):
    (item,) = seen(entry(symbol="terL", pfam=("PF03237",), ec=(EcClaim("3.6.4.99"),)))
    assert (item.claim, item.subject) == ("terminase large subunit", "terminase large subunit")
    assert item.specificity is Specificity.PROTEIN
    assert (item.source, item.type) == (EvidenceSource.UNIPROT, EvidenceType.HOMOLOGY)
    assert (item.database, item.accession) == ("UniProt 2026_03", "P11111")
    assert (item.strength, item.eco) == ("uniprot_experiment", "ECO:0000269")
    assert item.product == "terminase_large_subunit"
    assert item.ec == ("3.6.4.99",)
    assert item.aliases == ("terL",)
    assert item.caveats == ()
    assert item.label == ("P11111 terminase large subunit (reviewed, same sequence, Phage x)")
    measured = item.measured
    assert (measured.identity, measured.protein_coverage, measured.target_coverage) == (1, 1, 1)
    assert (measured.protein_from, measured.protein_to) == (1, 200)
    assert item.similar.accession == "P11111"


def test_its_pfam_families_are_no_expectation_but_those_of_another_sequence_are(seen):
    (same,) = seen(entry(pfam=("PF03237",)))
    (other,) = seen(entry(pfam=("PF03237",), same_sequence=False))
    assert (same.expected_pfam, other.expected_pfam) == ((), ("PF03237",))


@pytest.mark.parametrize(
    ("eco", "strength"),
    [
        (("ECO:0000269",), "uniprot_experiment"),
        (("ECO:0000305",), "uniprot_curated"),
        (("ECO:0000303",), "uniprot_curated"),
        (("ECO:0000250",), "uniprot_similarity"),
        (("ECO:0000255",), "uniprot_rule"),
        (("ECO:0007744",), "uniprot_rule"),
        (("ECO:0000312",), "uniprot_rule"),
        ((), "uniprot_rule"),
        (("ECO:9999999",), "uniprot_rule"),
        (("ECO:0000255", "ECO:0000269"), "uniprot_experiment"),
    ],
)
def test_the_best_code_of_the_name_decides_about_a_reviewed_entry(seen, eco, strength):
    (item,) = seen(entry(eco=eco))
    assert item.strength == strength
    assert item.eco == (eco[-1] if set(eco) & set(ECO_NAMES) else "ECO:0000352")


@pytest.mark.parametrize(
    ("eco", "origin", "strength", "told"),
    [
        (("ECO:0000256",), NameOrigin.RECOMMENDED, "uniprot_automatic", "ECO:0000256"),
        (("ECO:0000259",), NameOrigin.RECOMMENDED, "uniprot_automatic", "ECO:0000259"),
        (("ECO:0007829",), NameOrigin.RECOMMENDED, "uniprot_automatic", "ECO:0007829"),
        (("ECO:0000269",), NameOrigin.RECOMMENDED, "uniprot_automatic", "ECO:0000269"),
        ((), NameOrigin.RECOMMENDED, "uniprot_automatic", "ECO:0000501"),
        (("ECO:0000313",), NameOrigin.SUBMITTED, "uniprot_submitted", "ECO:0000313"),
        ((), NameOrigin.SUBMITTED, "uniprot_submitted", "ECO:0000313"),
        (("ECO:0000313", "ECO:0000256"), NameOrigin.SUBMITTED, "uniprot_automatic", "ECO:0000256"),
    ],
)
def test_an_unreviewed_entry_is_never_more_than_automatic(seen, eco, origin, strength, told):
    (item,) = seen(entry(eco=eco, reviewed=False, name_origin=origin))
    assert (item.strength, item.eco) == (strength, told)


def test_all_classes_and_codes_are_known_to_the_confidence_model():
    reliability = load_confidence().reliability
    assert set(uniprot._ORDER) <= set(reliability)
    assert {*uniprot._CLASSES, "ECO:0000352", "ECO:0000501"} <= set(ECO_NAMES)
    worth = [reliability[strength] for strength in uniprot._ORDER]
    assert worth == sorted(worth, reverse=True)


@pytest.mark.parametrize(
    "name",
    [
        "Uncharacterized protein",
        "Uncharacterized protein YbaK",
        "Protein YxyZ",
        "DUF1073 domain-containing protein",
        "Hypothetical protein",
        "Protein CBG22016",
        "gp12",
        "SPy0919",
        "",
    ],
)
def test_a_name_that_says_nothing_is_no_evidence(seen, name):
    assert seen(entry(name)) == ()


def test_a_fragment_names_nothing(seen):
    assert seen(entry("Terminase large subunit (Fragment)")) == ()


@pytest.mark.parametrize(
    ("name", "specificity"),
    [
        ("Tail protein", Specificity.CATEGORY),
        ("Uncharacterized oxidoreductase YdgJ", Specificity.CATEGORY),
        ("HK97 family phage portal protein", Specificity.FAMILY),
        ("Threonine synthase", Specificity.PROTEIN),
    ],
)
def test_no_more_is_claimed_than_the_name_says(seen, name, specificity):
    (item,) = seen(entry(name))
    assert item.specificity is specificity


def test_an_entry_that_the_similarity_search_finds_too_counts_once(seen, table, vocabulary):
    reference = ReferenceEntry(
        "P11111", "Threonine synthase", length_aa=200, digest=residues_digest(PROTEIN)
    )
    hit = SimilarityHit(
        "g1", EvidenceSource.SWISSPROT, "Swiss-Prot 2026_02", reference, 1e-99, 400.0, 1.0,
        1, 200, 1, 200, 1.0, 1.0,
    )  # fmt: skip
    (local,) = homology.observe([gene()], [hit], table, vocabulary)
    (online,) = seen(entry("Threonine synthase"))
    assert online.origin == local.origin
    (other,) = seen(
        entry("Threonine synthase", same_sequence=False, digest=residues_digest(PROTEIN[:190]))
    )
    local_of_other = homology.observe(
        [gene()],
        [hit._replace(entry=reference._replace(digest=residues_digest(PROTEIN[:190])))],
        table,
        vocabulary,
    )
    assert other.origin == local_of_other[0].origin != online.origin


def test_a_submitted_name_is_the_product_of_the_file_come_back(seen, vocabulary):
    named = gene(product="terminase large subunit")
    said = annotation.observe([named], vocabulary)
    (item,) = seen(submitted(), product="terminase large subunit", annotations=said)
    assert item.origin == said[0].origin == "annotation:c"
    (untold,) = seen(submitted(), product="terminase large subunit")
    assert untold.origin == "annotation:c"


@pytest.mark.parametrize("product", [None, "hypothetical protein"])
def test_a_submitted_name_rests_on_itself_where_the_file_names_nothing(seen, product):
    (item,) = seen(submitted(), product=product)
    assert item.origin.startswith("protein:")
    assert item.strength == "uniprot_submitted"


def test_another_sequence_of_the_locus_says_less_and_says_so(seen):
    (item,) = seen(entry(same_sequence=False, length_aa=187))
    assert item.strength == "uniprot_other_sequence"
    assert item.caveats == (
        "same locus, other sequence: P11111, found by its id, has 187 residues, 200 here",
    )
    assert "same locus, other sequence" in item.label
    assert item.measured.identity is None
    assert item.specificity is Specificity.PROTEIN


@pytest.mark.parametrize(
    ("kind", "strength"),
    [(automatic, "uniprot_other_automatic"), (submitted, "uniprot_submitted")],
)
def test_unreviewed_entries_of_another_sequence_say_less_still(seen, kind, strength):
    (item,) = seen(kind(same_sequence=False))
    assert item.strength == strength


def test_an_entry_of_much_other_length_is_no_evidence_but_for_a_gene_that_is_cut_off(seen):
    short = entry("Threonine synthase", same_sequence=False, length_aa=120)
    assert seen(short) == ()
    (item,) = seen(short, location=CUT_OFF)
    assert item.specificity is Specificity.FAMILY
    assert seen(entry(same_sequence=False, length_aa=0)) == ()


def test_the_entry_that_is_trusted_most_leads(seen):
    (item,) = seen(submitted(), automatic(), entry(accession="P22222", eco=("ECO:0000250",)))
    assert item.accession == "P22222"


def test_a_rule_is_trusted_more_than_a_copied_name(seen):
    (item,) = seen(submitted(), automatic())
    assert (item.accession, item.strength) == ("A0A000AAA1", "uniprot_automatic")


def test_another_name_of_an_equal_contests_and_both_say_so(seen):
    lead, rival = seen(
        entry("Threonine synthase"), entry("Tail fiber protein", "P22222", ("ECO:0000305",))
    )
    assert (lead.accession, rival.accession) == ("P11111", "P22222")
    assert lead.caveats == ("P22222 of the same protein is called “tail fiber protein”",)
    assert rival.caveats == ("P11111 is more reliable and is called “threonine synthase”",)


def test_no_more_than_one_contests(seen):
    items = seen(
        entry("Threonine synthase"),
        entry("Tail fiber protein", "P22222"),
        entry("DNA gyrase subunit A", "P33333"),
    )
    assert [item.accession for item in items] == ["P11111", "P22222"]


def test_unreviewed_names_and_other_sequences_do_not_contest_a_reviewed_one(seen):
    (item,) = seen(
        entry("Threonine synthase"),
        automatic("Tail fiber protein"),
        entry("DNA gyrase subunit A", "P33333", same_sequence=False),
    )
    assert item.caveats == ()


def test_a_reviewed_entry_of_another_sequence_is_contested_by_the_very_sequence(seen):
    lead, rival = seen(
        automatic("Tail fiber protein"),
        entry("Threonine synthase", same_sequence=False),
    )
    assert (lead.claim, rival.claim) == ("threonine synthase", "tail fiber protein")


def test_a_wide_class_contests_nothing(seen):
    (item,) = seen(entry("Threonine synthase"), entry("Tail protein", "P22222"))
    assert item.claim == "threonine synthase"


def test_terms_that_came_from_interpro_or_say_nothing_are_left_out(seen):
    claims = (
        GoClaim(GoTerm("GO:0000001", "a", GoAspect.PROCESS), "IEA", "InterPro"),
        GoClaim(GoTerm("GO:0000002", "b"), "ND", "UniProtKB"),
        GoClaim(GoTerm("GO:0005515", "protein binding"), "IPI", "IntAct"),
        GoClaim(GoTerm("GO:0000003", "c"), "IEA", "UniProtKB-KW"),
        GoClaim(GoTerm("GO:0000004", "d"), "IBA", "GO_Central"),
        GoClaim(GoTerm("GO:0000005", ""), "IDA", "EcoCyc"),
    )
    terms = Terms({"GO:0000005": GoTerm("GO:0000005", "e", GoAspect.FUNCTION)})
    (item,) = seen(entry(go=claims), terms=terms)
    assert [term.id for term in item.go] == ["GO:0000005", "GO:0000004", "GO:0000003"]
    assert item.go[0] == GoTerm("GO:0000005", "e", GoAspect.FUNCTION)


def test_an_ec_number_that_was_only_copied_goes_with_no_better_name(seen):
    copied = (EcClaim("4.2.3.1", ("ECO:0000313",)), EcClaim("1.1.1.1", ("ECO:0000256",)))
    (by_rule,) = seen(automatic("Threonine synthase", ec=copied))
    (by_submitter,) = seen(submitted("Threonine synthase", ec=copied))
    assert (by_rule.ec, by_submitter.ec) == (("1.1.1.1",), ("4.2.3.1", "1.1.1.1"))


def test_what_was_never_seen_is_told_and_what_was_seen_as_well(seen):
    (predicted,) = seen(entry(existence=4))
    assert predicted.caveats == (
        "P11111 was never seen as a protein or transcript, only predicted",
    )
    (known,) = seen(entry(existence=1))
    assert "seen as a protein" in known.label


def test_who_named_an_unreviewed_entry_is_told(seen):
    (by_rule,) = seen(automatic())
    assert "A0A000AAA1 was named automatically by a rule, without review" in by_rule.caveats
    (copied,) = seen(submitted())
    assert "the name of A0A000AAA2 was copied from the record of its sequence" in copied.caveats


def test_an_unknown_release_is_not_told(seen):
    (item,) = seen(entry(), release=None)
    assert item.database == "UniProt"


def test_genes_without_entries_have_no_evidence(table, vocabulary):
    answers = {
        "g1": UniProtAnswer(AnswerState.NO_MATCH, release="2026_03"),
        "g2": UniProtAnswer(AnswerState.HIT, (entry(),), "2026_03"),
    }
    assert observe([gene()], answers, table, vocabulary) == ()


def test_the_order_of_equal_entries_is_that_of_the_answer(seen):
    first, second = entry("Threonine synthase"), entry("Threonine synthase", "P22222")
    assert [item.accession for item in seen(first, second)] == ["P11111"]
    assert [item.accession for item in seen(second, first)] == ["P22222"]


def test_a_real_entry_is_told_as_it_is(shared_data, table, vocabulary):
    sent = json.loads((shared_data / "api/uniprotkb_entry.json").read_text())
    (found,) = read_entries([sent]).found
    own = gene(protein=sent["sequence"]["value"])
    answers = {"g1": UniProtAnswer(AnswerState.HIT, (found.entry,), "2026_03")}
    (item,) = observe([own], answers, table, vocabulary)
    assert item.claim == "Glucose-1-phosphatase"
    assert item.strength == "uniprot_rule"  # reviewed, its name without a code
    assert item.ec == ("3.1.3.10",)
    assert item.go[0].id == "GO:0030288"
    assert item.label == (
        "P19926 Glucose-1-phosphatase "
        "(reviewed, same sequence, seen as a protein, Escherichia coli (strain K12))"
    )
