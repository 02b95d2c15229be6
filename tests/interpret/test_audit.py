"""The product of a file held against evidence that does not come from it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.interpret import (
    Submitted,
    audit_gene,
    audit_prediction,
    compare,
    independent,
    interpret,
)
from genint.interpret.doubts import OfPhage
from genint.knowledge import load_name_lengths
from genint.model import (
    AuditVerdict,
    CalledBy,
    ConfidenceLevel,
    Contig,
    EvidenceType,
    FileFormat,
    Genome,
    GenomeSource,
    Interval,
    Location,
    Measurements,
    NameVerdict,
    Specificity,
    Strand,
)
from genint.sources import annotation

CONFIRMS, REFINES = AuditVerdict.CONFIRMS, AuditVerdict.REFINES
CONTRADICTS, CANNOT_JUDGE = AuditVerdict.CONTRADICTS, AuditVerdict.CANNOT_JUDGE
SURE = {"strength": "family_well_agreed"}


def known(name, judgement):
    """The term of the vocabulary that a name is."""
    product = judgement.products.find(name)
    return product.id if product else None


@pytest.fixture
def found(family, judgement):
    """A family of genint's own of a name, and the term that this is."""

    def make(name, **changes):
        return family(name, known(name, judgement), **(SURE | changes))

    return make


@pytest.fixture
def audited(gene, judgement):
    """The audit of a gene with a product, by observations beside the file."""

    def make(product, *evidence, **changes):
        of_file = gene(product=product, protein_id="XP_1", **changes)
        stated = annotation.observe((of_file,), judgement.products)
        return audit_gene(of_file, (*stated, *evidence), judgement)

    return make


def genome_of(*genes):
    contig = Contig("c", "A" * 3000, genes=genes)
    return Genome((contig,), GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK))


@pytest.mark.parametrize(
    ("product", "name", "verdict"),
    [
        ("terminase large subunit", "terminase large subunit", CONFIRMS),
        ("TerL", "terminase large subunit", CONFIRMS),
        ("major head protein", "major capsid protein", CONFIRMS),
        ("putative portal protein", "portal protein", CONFIRMS),
        ("HNH endonuclease", "endonuclease", CONFIRMS),
        ("holin/anti-holin", "holin", CONFIRMS),
        ("endonuclease", "HNH endonuclease", REFINES),
        ("tail protein", "minor tail protein", REFINES),
        ("cell lysis protein", "holin", REFINES),
        ("hypothetical protein", "portal protein", REFINES),
        ("gp12", "portal protein", REFINES),
        (None, "portal protein", REFINES),
    ],
)
def test_a_family_judges_the_product(audited, found, product, name, verdict):
    audit = audited(product, found(name))
    assert (audit.verdict, audit.product) == (verdict, product)
    assert audit.found == name
    assert "GF0A1B2C3D" in audit.reason
    assert f"{audit.score:.2f}" in audit.reason


EXCLUDING = [
    ("holin", "antiholin"),
    ("terminase large subunit", "terminase small subunit"),
    ("lysozyme inhibitor", "lysozyme"),
    ("phosphopentomutase", "phosphoglucomutase"),
]
"""Products of a file, and names that exclude them although they have something in common."""
UNRELATED = [
    ("integrase", "tail fiber protein"),
    ("single-stranded DNA-binding protein", "DNA primase"),
    ("adenylate kinase", "50S ribosomal protein L16"),
]
"""Products of a file, and names that have nothing in common with them."""


@pytest.mark.parametrize(("product", "name"), EXCLUDING + UNRELATED)
def test_two_independent_sources_that_tell_another_function_contradict(
    audited, found, similar, judgement, product, name
):
    audit = audited(product, found(name), similar(name, known(name, judgement)))
    assert (audit.verdict, audit.found) == (CONTRADICTS, name)
    assert "GF0A1B2C3D and P12345" in audit.reason


@pytest.mark.parametrize(("product", "name"), EXCLUDING)
def test_one_source_alone_contradicts_nothing_that_relatives_may_share(
    audited, found, similar, judgement, product, name
):
    for one in (found(name), similar(name, known(name, judgement))):
        audit = audited(product, one)
        assert audit.verdict is CANNOT_JUDGE
        assert "not enough to contradict it" in audit.reason


@pytest.mark.parametrize(
    ("product", "verdict"),
    [
        ("lysis protein", CANNOT_JUDGE),
        ("tail protein", CANNOT_JUDGE),
        ("replication protein", CANNOT_JUDGE),
        ("regulatory protein", REFINES),
        ("putative endopeptidase", REFINES),
    ],
)
def test_a_class_of_another_kind_is_not_refined_by_what_the_genes_symbol_means(
    audited, family, judgement, product, verdict
):
    name = "transcriptional activator CII"
    item = family(name, known(name, judgement), aliases=("cII",), **SURE)
    audit = audited(product, item, symbol="cII")
    assert audit.verdict is verdict
    assert ("of another kind" in audit.reason) == (verdict is CANNOT_JUDGE)


@pytest.mark.parametrize(("product", "name"), UNRELATED)
def test_one_source_that_tells_contradicts_what_has_nothing_in_common(
    audited, found, similar, judgement, product, name
):
    for one in (found(name), similar(name, known(name, judgement))):
        assert audited(product, one).verdict is CONTRADICTS
    by_one_hand = found(name, strength="family_doubtful")
    assert audited(product, by_one_hand).verdict is CANNOT_JUDGE


def test_a_name_that_no_reference_knows_is_not_contradicted(audited, found):
    audit = audited("amazing wonder factor", found("50S ribosomal protein L16"))
    assert audit.verdict is CANNOT_JUDGE
    assert "no word in common" in audit.reason


@pytest.mark.parametrize(
    ("of_family", "of_protein"),
    [
        ({"strength": "family_doubtful"}, "homology_close"),
        ({"strength": "family_few_names"}, "homology_remote"),
        ({"measured": Measurements(1e-9, 70.0, 25.0, 4, 190, 0.95, 0.98)}, "homology_contested"),
    ],
)
def test_sources_that_paralogues_fit_as_well_contradict_nothing(
    audited, found, similar, judgement, of_family, of_protein
):
    name = "succinate dehydrogenase iron-sulfur subunit"
    other = similar(name, known(name, judgement), strength=of_protein)
    audit = audited("fumarate reductase iron-sulfur protein", found(name, **of_family), other)
    assert audit.verdict is CANNOT_JUDGE


def test_two_names_of_one_origin_contradict_nothing(audited, found, similar, judgement):
    name = "antiholin"
    copied = similar(name, known(name, judgement), origin=found(name).origin)
    assert audited("holin", found(name), copied).verdict is CANNOT_JUDGE


@pytest.mark.parametrize(
    ("product", "name"),
    [
        ("anti-sigma factor", "decoy of host sigma factor Srd"),
        ("anti-dGTPase", "dGTPase inhibitor"),
        ("inhibitor of sigma factor", "anti-sigma factor"),
    ],
)
def test_anti_inhibitor_of_and_decoy_of_one_thing_confirm_one_another(
    audited, found, similar, judgement, product, name
):
    audit = audited(product, found(name), similar(name, known(name, judgement)))
    assert audit.verdict is CONFIRMS


@pytest.mark.parametrize(
    ("product", "name"),
    [
        ("amazing hydrolase", "wonderful reductase"),
        ("amazing head protein", "portal protein"),
        ("L-lactate dehydrogenase", "malate dehydrogenase"),
        ("DnaA initiator-associating protein DiaA", "D-sedoheptulose-7-phosphate isomerase"),
    ],
)
def test_different_words_alone_never_contradict(audited, found, product, name):
    assert audited(product, found(name)).verdict is CANNOT_JUDGE


@pytest.mark.parametrize(
    ("product", "name"),
    [
        ("transcription termination factor", "termination/antitermination protein NusG"),
        ("toxin of the YoeB-YefM toxin-antitoxin system", "RelE family addiction toxin"),
    ],
)
def test_a_name_of_both_sides_is_the_opposite_of_neither(audited, found, product, name):
    assert audited(product, found(name)).verdict is not CONTRADICTS


def test_a_family_name_that_has_a_word_of_its_own_is_not_refined_by_the_class(audited, found):
    audit = audited("IS3 family transposase", found("transposase"))
    assert audit.verdict is CONFIRMS
    assert "in part" in audit.reason


@pytest.mark.parametrize(
    ("product", "name", "verdict"),
    [
        ("SDR family oxidoreductase", "short-chain dehydrogenase/reductase SDR", CONFIRMS),
        (
            "folate family ECF transporter S component",
            "ECF transporter, substrate-specific component",
            CONFIRMS,
        ),
        ("transcriptional regulator", "competence regulator ComK", REFINES),
    ],
)
def test_a_family_refines_a_class_but_no_family_or_kind_of_protein(
    audited, family, product, name, verdict
):
    audit = audited(product, family(name, None, **SURE, specificity=Specificity.FAMILY))
    assert audit.verdict is verdict


def test_a_class_fits_too_many_names_to_confirm_one(audited, found):
    vague = found("tail protein", specificity=Specificity.CATEGORY)
    audit = audited("tail fiber protein", vague)
    assert audit.verdict is CANNOT_JUDGE
    assert "fits" in audit.reason
    assert audited("tail protein", vague).verdict is CONFIRMS


def test_a_domain_neither_confirms_nor_refines(audited, domain):
    hit = domain("PF00005", "ABC transporter")
    assert audited("phosphate ABC transporter", hit).verdict is CANNOT_JUDGE
    nameless = audited("hypothetical protein", hit)
    assert nameless.verdict is CANNOT_JUDGE
    assert nameless.found == "contains a ABC transporter domain"


def test_a_domain_does_not_contradict(audited, domain):
    assert audited("lysozyme", domain("PF1", "lysozyme inhibitor")).verdict is CANNOT_JUDGE


def test_weak_evidence_judges_nothing(audited, found):
    audit = audited("holin", found("antiholin", strength="family_rival"))
    assert audit.verdict is CANNOT_JUDGE
    assert "too weak" in audit.reason


def test_a_part_of_the_protein_does_not_contradict(audited, found):
    part = found("antiholin", measured=Measurements(1e-9, 60.0, 25.0, 1, 40, 0.3, 0.4))
    assert audited("holin", part).verdict is CANNOT_JUDGE


def test_evidence_that_speaks_for_the_file_too_leaves_the_matter_open(audited, found, similar):
    one = found("antiholin")
    other = similar("holin", product="holin", strength="homology_close")
    audit = audited("holin", one, other)
    assert audit.verdict is CANNOT_JUDGE
    assert "P12345" in audit.reason


def test_what_rests_on_the_record_itself_is_no_evidence(annotated, found, similar, domain):
    support = found("holin").support
    copy = Measurements(
        1e-99, 400.0, None, 1, 190, 0.98, 0.99, identity=0.99, target_from=1, target_to=190
    )
    stated = annotated("holin")
    other_copy = similar("antiholin", measured=copy)
    evidence = (
        stated,
        found("holin", origin="annotation:c"),
        found("holin", support=replace(support, is_member=True, agreeing=2)),
        similar("holin", measured=copy),
        replace(domain("PF1", "holin"), type=EvidenceType.GENE_CONTEXT),
    )
    assert independent(Submitted("holin", stated), evidence) == ()
    kept = (
        other_copy,
        similar("holin"),
        found("holin", support=replace(support, is_member=True, agreeing=9)),
    )
    assert independent(Submitted("holin", stated), (*evidence, *kept)) == kept


def test_without_evidence_there_is_nothing_found_and_the_reason_says_why(audited, found):
    nothing = audited("holin")
    assert (nothing.verdict, nothing.found, nothing.score) == (CANNOT_JUDGE, None, None)
    assert nothing.reason == "no evidence besides the file"
    own = audited("holin", found("holin", origin="annotation:c"))
    assert own.verdict is CANNOT_JUDGE
    assert "GF0A1B2C3D" in own.reason


def test_a_class_concluded_from_the_file_is_no_evidence_beside_it(gene, judgement, annotated):
    stated = annotated("holin", product=known("holin", judgement), strength="annotation_symbol")
    (result,) = interpret(genome_of(gene(product="holin")), (stated,), (), judgement)
    assert result.audit.found is None
    assert result.audit.reason == "no evidence besides the file"


def test_an_audit_holds_the_evidence_that_it_rests_on(audited, found):
    item = found("portal protein")
    assert audited("holin", item).evidence == (item,)


def test_predicted_genes_have_no_product_to_judge(gene, found, judgement):
    predicted = gene(called_by=CalledBy.PYRODIGAL)
    assert audit_gene(predicted, (found("holin"),), judgement) is None


def test_interpreting_a_file_audits_every_gene_of_it(gene, found, similar, judgement):
    place = Location.simple(Interval(900, 1500), Strand.FORWARD)
    named = gene(product="holin")
    dark = gene(id="g2", product=None, location=place)
    genome = genome_of(named, dark)
    stated = annotation.observe(genome.genes, judgement.products)
    evidence = (*stated, found("antiholin"), similar("antiholin", known("antiholin", judgement)))
    first, second = interpret(genome, evidence, (), judgement)
    assert first.audit.verdict is CONTRADICTS
    assert second.audit.verdict is CANNOT_JUDGE
    told = first.interpretation
    assert told.hypothesis == "antiholin"
    assert told.confidence_level.is_supported
    of_file = next(one for one in told.hypotheses if one.claim == "holin")
    assert not ConfidenceLevel.of(of_file.score).is_supported
    assert any(first.audit.reason in term.reason for term in of_file.terms)
    assert f"the file's product is contradicted: {first.audit.reason}" in told.uncertainties


def test_a_product_that_cannot_be_judged_is_not_doubted_by_the_audit(gene, judgement):
    named = gene(product="holin")
    genome = genome_of(named)
    stated = annotation.observe(genome.genes, judgement.products)
    (result,) = interpret(genome, stated, (), judgement)
    assert result.audit.verdict is CANNOT_JUDGE
    assert result.interpretation.confidence_level is ConfidenceLevel.MODERATE
    assert not any("contradicted" in text for text in result.interpretation.uncertainties)


def test_ignored_annotations_are_audited_by_what_was_found_without_them(
    gene, found, similar, judgement
):
    own = gene(id="own", product="holin")
    place = Location.simple(Interval(900, 1500), Strand.FORWARD)
    missed = gene(id="missed", product="portal protein", location=place)
    genome = genome_of(gene(called_by=CalledBy.PYRODIGAL))
    evidence = (found("antiholin"), similar("antiholin", known("antiholin", judgement)))
    results = interpret(genome, evidence, (), judgement)
    annotated = genome_of(own, missed)
    stated = annotation.observe(annotated.genes, judgement.products)
    comparison, (result,) = compare(genome, results, annotated, stated, judgement)
    assert result.audit.verdict is CONTRADICTS
    assert result.audit.product == "holin"
    assert result.audit.score == result.interpretation.confidence_score
    assert comparison.missed_genes == (missed,)
    assert comparison.missed == ("missed",)


@pytest.mark.parametrize(
    ("product", "name", "verdict"),
    [
        ("DNA gyrase subunit B", "DNA topoisomerase IV subunit B", NameVerdict.DIFFERS),
        ("DNA gyrase subunit B", "DNA gyrase subunit B", NameVerdict.AGREES),
        ("holin", "antiholin", NameVerdict.DIFFERS),
        ("hypothetical protein", "holin", NameVerdict.ONLY_HERE),
    ],
)
def test_names_that_exclude_one_another_do_not_agree_in_a_comparison(
    product, name, verdict, gene, found, judgement
):
    genome = genome_of(gene(called_by=CalledBy.PYRODIGAL))
    results = interpret(genome, (found(name),), (), judgement)
    annotated = genome_of(gene(id="own", product=product))
    stated = annotation.observe(annotated.genes, judgement.products)
    _, (result,) = compare(genome, results, annotated, stated, judgement)
    assert result.compared.verdict is verdict


def test_a_family_named_by_this_very_protein_is_taken_away_from_a_prediction(
    gene, found, judgement, annotated
):
    support = replace(found("holin").support, is_member=True, agreeing=1)
    genome = genome_of(gene(called_by=CalledBy.PYRODIGAL))
    (result,) = interpret(genome, (found("holin", support=support),), (), judgement)
    audit = audit_prediction(Submitted("holin", annotated("holin")), result, judgement)
    assert audit.verdict is CANNOT_JUDGE
    assert audit.found is None


@pytest.mark.parametrize(
    ("product", "name"),
    [
        ("lysozyme inhibitor", "endolysin"),
        ("recombination protein NinC", "recombination protein NinB"),
    ],
)
def test_what_blocks_a_protein_or_is_its_neighbour_in_a_series_confirms_nothing(
    audited, found, product, name
):
    assert audited(product, found(name)).verdict is not CONFIRMS


def test_an_audit_doubts_what_is_too_short_as_the_interpretation_does(gene, found, judgement):
    lengths = replace(judgement, name_lengths=load_name_lengths())
    short = gene(product=None, protein="M" * 158)
    capsid = found("major capsid protein")
    again = OfPhage(frozenset({known("major capsid protein", judgement)}))
    alone = audit_gene(short, (capsid,), lengths)
    doubted = audit_gene(short, (capsid,), lengths, phage=again)
    assert (alone.verdict, doubted.verdict) == (REFINES, CANNOT_JUDGE)
    assert doubted.score < alone.score


def test_a_name_by_its_place_is_no_evidence_against_the_file_and_the_audit_says_so(
    gene, judgement, family
):
    placed = family("holin", known("holin", judgement), type=EvidenceType.GENE_CONTEXT)
    audit = audit_gene(gene(product=None), (placed,), judgement)
    assert audit.verdict is CANNOT_JUDGE
    assert audit.reason.startswith("only its place names it")


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("isochorismatase hydrolase", CONTRADICTS),
        ("isochorismatase family cysteine hydrolase", CANNOT_JUDGE),
        ("galactose oxidoreductase", CONTRADICTS),
        ("FAD-binding oxidoreductase", CANNOT_JUDGE),
        ("cobalamin synthase CobD", CONTRADICTS),
        ("cobalamin biosynthesis protein CobD", CANNOT_JUDGE),
    ],
)
def test_a_family_or_a_pathway_contradicts_no_enzyme_that_may_be_of_it(
    audited, found, similar, name, verdict
):
    assert audited("thymidylate kinase", found(name), similar(name, None)).verdict is verdict


def test_a_kind_that_only_a_letter_tells_refines_the_class(audited, found):
    assert audited("antitermination protein", found("antitermination protein Q")).verdict is REFINES
