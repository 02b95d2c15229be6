"""Own families as evidence: when they name a protein, and how far they are trusted."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from genint.knowledge import (
    NameKind,
    classify_product,
    load_confidence,
    load_own_families,
    load_products,
)
from genint.knowledge.confidence import logistic
from genint.knowledge.own_families import LEAST_CONSENSUS
from genint.model import (
    CalledBy,
    ConfidenceLevel,
    EvidenceSource,
    EvidenceType,
    Gene,
    Interval,
    Location,
    ProfileHit,
    Qualifier,
    Specificity,
    Strand,
    residues_digest,
)
from genint.sources.families import observe
from genint.sources.family_reliability import says_nothing
from tests.builders.made_families import FIBER, GYRASE, TERMINASE, made_up

STRANGER = made_up(50, 199)
"""A protein that no family was made from."""
PLACE = Location.simple(Interval(0, 600), Strand.FORWARD)
FAR_BITS = 140.0
"""Of 190 aligned residues: less than the 0.8 bits for each by which a part names any protein."""


@pytest.fixture(scope="module")
def vocabulary():
    return load_products()


@pytest.fixture(scope="module")
def table(family_build, vocabulary):
    return load_own_families(family_build, vocabulary)


@pytest.fixture
def seen(table, vocabulary):
    """Evidence of hits to one gene."""

    def see(*hits, protein=STRANGER, families=table, phages=(), **changes):
        values = {
            "id": "g1",
            "contig": "c",
            "location": PLACE,
            "protein": protein,
            "translation_table": 11,
            "called_by": CalledBy.PYRODIGAL,
        }
        return observe([Gene(**(values | changes))], hits, families, vocabulary, phages)

    return see


def hit(family, bits=210.3, place=(1, 190), *, profile=0.98, protein=0.95, gene="g1"):
    return ProfileHit(gene, family.id, 1e-50, bits, 25.0, *place, protein, profile)


def altered(table, family, **changes):
    """The table with another row for a family."""
    families = dict(table.families)
    families[family.id] = replace(families[family.id], **changes)
    return replace(table, families=families)


@pytest.mark.parametrize(
    "name",
    [
        "UPF0235 protein npun R3528",
        "phiSA1p32",
        "terminal repeat-encoded protein",
        "TreN-like membrane protein",
        "precursor transporter",
        "histone acetyltransferase Gcn5",
    ],
)
def test_a_family_whose_name_is_no_function_makes_no_claim(seen, table, name):
    unnamed = altered(table, TERMINASE, name=name, product=None)
    assert seen(hit(TERMINASE), families=unnamed) == ()
    (rival,) = seen(hit(TERMINASE), hit(FIBER, 150.0), families=unnamed)
    assert rival.strength == "family_rival"


def test_no_family_that_ships_makes_a_claim_by_a_placeholder_and_few_are_silent():
    shipped = load_own_families().families.values()
    silent = [family.name for family in shipped if says_nothing(family)]
    assert 0 < len(silent) < 80
    assert not [
        name for name in silent if re.search(r"(?<!ph)ase\b(?! Gcn5)|integrase|capsid|holin", name)
    ]
    speaking = [one for one in shipped if not says_nothing(one) and one.product is None]
    kinds = {classify_product(one.name) for one in speaking}
    assert kinds == {NameKind.NAME, NameKind.HEDGED, NameKind.BROAD}
    assert not [one.name for one in speaking if re.match(r"(?:UPF|DUF)\d+ protein\b", one.name)]
    assert not [one.name for one in shipped if re.search(r"\b[A-Z]{3}\d{5}\.\d\b|\|", one.name)]


def test_a_family_that_covers_both_names_the_protein(seen, table):
    (item,) = seen(hit(TERMINASE))
    assert (item.claim, item.subject) == ("terminase large subunit", "terminase large subunit")
    assert item.specificity is Specificity.PROTEIN
    assert (item.source, item.type) == (EvidenceSource.GENINT_FAMILY, EvidenceType.FAMILY)
    assert item.product == "terminase_large_subunit"
    assert item.accession == TERMINASE.id
    assert item.database == f"genint families {table.version}"
    assert item.eco == "ECO:0000256"
    assert item.origin == f"genint_family:{TERMINASE.id}"
    assert item.cog == "X"
    assert [term.id for term in item.go] == ["GO:0019073"]
    assert item.aliases == ("terL",)
    assert item.caveats == ()


def test_the_label_tells_what_the_name_rests_on(seen):
    (item,) = seen(hit(TERMINASE))
    assert item.label == (
        "GF0000000A terminase large subunit (14 of 16 named members, 12 records; E 1.0e-50, "
        "98% of the family's profile, 95% of the protein)"
    )
    assert item.support is not None
    assert item.support.margin_bits == pytest.approx(185.3)
    assert (item.support.agreeing, item.support.independent) == (14, 14)


@pytest.mark.parametrize(
    ("profile", "protein", "strength"),
    [(0.98, 0.3, "family_part"), (0.4, 0.85, "family_part"), (0.4, 0.3, "family_remnant")],
)
def test_a_partial_match_names_a_region_and_brings_no_terms(seen, profile, protein, strength):
    (item,) = seen(hit(TERMINASE, FAR_BITS, profile=profile, protein=protein))
    assert item.claim == "contains a region like terminase large subunit"
    assert item.specificity is Specificity.DOMAIN
    assert item.strength == strength
    assert (item.go, item.cog, item.ec) == ((), None, ())


IN_PHAGE = {"phages": {"c"}}


def test_two_fifths_of_a_protein_of_a_phage_are_named_by_a_third_of_a_family(seen):
    (item,) = seen(hit(TERMINASE, FAR_BITS, profile=0.34, protein=0.4), **IN_PHAGE)
    assert item.claim == "terminase large subunit"
    assert (item.specificity, item.strength) == (Specificity.PROTEIN, "family_remnant")
    assert (item.go, item.cog, item.ec) == ((), None, ())
    assert any("only a region resembles" in caveat for caveat in item.caveats)


@pytest.mark.parametrize("family", [TERMINASE, GYRASE])
@pytest.mark.parametrize("phages", [(), {"c"}])
def test_two_fifths_of_any_protein_are_named_by_a_family_that_they_are_near_to(
    seen, family, phages
):
    (item,) = seen(hit(family, profile=0.34, protein=0.4), phages=phages)
    assert (item.claim, item.specificity) == (family.name, Specificity.PROTEIN)
    assert any("only a region resembles" in caveat for caveat in item.caveats)


@pytest.mark.parametrize(
    ("hits", "changes"),
    [
        ([hit(TERMINASE, profile=0.3, protein=0.59)], IN_PHAGE),
        ([hit(TERMINASE, protein=0.39)], IN_PHAGE),
        ([hit(TERMINASE, FAR_BITS, profile=0.5, protein=0.89)], {"phages": {"another record"}}),
        ([hit(TERMINASE, protein=0.39)], {}),
        ([hit(TERMINASE, profile=0.5)], {**IN_PHAGE, "product": "tail protein"}),
        ([hit(TERMINASE, profile=0.5)], {**IN_PHAGE, "pseudo": True}),
        ([hit(FIBER, profile=0.5, protein=0.59)], IN_PHAGE),
        ([hit(GYRASE, FAR_BITS, profile=0.5, protein=0.89)], IN_PHAGE),
    ],
    ids="family protein bacterium little file pseudogene disputed bacterial".split(),
)
def test_a_part_names_no_protein_otherwise(seen, hits, changes):
    (item,) = seen(*hits, **changes)
    assert item.specificity is Specificity.DOMAIN
    assert item.claim.startswith("contains a region like")


@pytest.mark.parametrize(
    ("family", "protein", "phages"),
    [(TERMINASE, 0.6, {"c"}), (TERMINASE, 0.9, ()), (GYRASE, 0.9, ())],
    ids="phage elsewhere bacterial".split(),
)
def test_a_protein_that_lies_in_a_family_has_its_name(seen, family, protein, phages):
    (item,) = seen(hit(family, FAR_BITS, profile=0.2, protein=protein), phages=phages)
    assert (item.claim, item.specificity) == (family.name, Specificity.PROTEIN)
    assert item.strength == "family_most_of_protein"
    assert (item.go, item.cog, item.ec) == ((), None, ())
    said = f"{round(100 * protein)}% of the protein resembles only 20% of family {family.id}"
    assert any(caveat.startswith(said) for caveat in item.caveats)


def test_a_protein_with_regions_of_two_families_has_the_name_of_neither(seen):
    found = seen(
        hit(TERMINASE, 300.0, (1, 120), profile=0.2, protein=0.6),
        hit(GYRASE, 290.0, (121, 190), profile=0.2, protein=0.3),
        **IN_PHAGE,
    )
    assert {item.specificity for item in found} == {Specificity.DOMAIN}


def test_a_part_names_no_protein_that_another_family_names(seen):
    whole, part = seen(
        hit(GYRASE, 300.0, (1, 120), protein=0.6),
        hit(TERMINASE, 290.0, (121, 250), profile=0.5, protein=0.5),
        **IN_PHAGE,
    )
    assert (whole.claim, part.specificity) == ("DNA gyrase subunit A", Specificity.DOMAIN)


def test_a_placeholder_of_the_file_does_not_keep_a_part_from_naming(seen):
    (item,) = seen(hit(TERMINASE, profile=0.5), product="hypothetical protein", **IN_PHAGE)
    assert item.claim == "terminase large subunit"


@pytest.fixture(scope="module")
def few(table):
    """The table, with one member of the terminases that has their name."""
    named = dict.fromkeys([TERMINASE.id], table.agreeing[TERMINASE.id][:10])
    return replace(table, agreeing=named)


def test_one_name_is_enough_where_the_protein_lies_in_the_family(seen, few):
    (item,) = seen(hit(TERMINASE, profile=0.46, protein=0.95), families=few)
    assert (item.claim, item.strength) == ("terminase large subunit", "family_most_of_protein")
    assert any("has its name from another protein" in caveat for caveat in item.caveats)


@pytest.mark.parametrize(("profile", "protein"), [(0.46, 0.85), (0.98, 0.3), (0.46, 0.3)])
def test_a_part_of_a_family_with_one_named_member_is_told_apart(seen, few, profile, protein):
    (item,) = seen(hit(TERMINASE, profile=profile, protein=protein), families=few)
    assert item.specificity is Specificity.DOMAIN
    assert item.strength == "family_part_few_names"
    assert any("has its name from another protein" in caveat for caveat in item.caveats)


def test_one_name_for_a_part_is_low_alone_in_every_setting():
    parameters = load_confidence()
    assert not parameters.reliability["family_part_few_names"] >= 0.5
    for calibration in parameters.calibrations.values():
        alone = calibration.prior[Specificity.DOMAIN] + calibration.leads["family_part_few_names"]
        assert ConfidenceLevel.of(logistic(alone)) in (
            ConfidenceLevel.LOW,
            ConfidenceLevel.SPECULATIVE,
        )
        assert calibration.agrees["family_part_few_names"] == 0


def test_a_fragment_is_said_to_be_one(seen):
    fragment = hit(TERMINASE, FAR_BITS, profile=0.4, protein=0.85)
    (item,) = seen(fragment, protein=TERMINASE.protein[:70])
    assert any("a frameshift split" in caveat for caveat in item.caveats)


def test_a_protein_as_long_as_the_members_is_not_said_to_be_a_fragment(seen):
    """RpoC of Streptococcus is whole without what that of Escherichia has in its midst."""
    (item,) = seen(hit(TERMINASE, FAR_BITS, profile=0.6, protein=0.85))
    assert not any("fragment" in caveat for caveat in item.caveats)
    assert any("resembles only 60% of their profile" in caveat for caveat in item.caveats)


def test_a_gene_cut_off_by_the_end_of_its_record_keeps_the_name(seen):
    location = replace(PLACE, partial_3=True)
    (item,) = seen(hit(TERMINASE, profile=0.4), location=location)
    assert (item.claim, item.specificity) == ("terminase large subunit", Specificity.FAMILY)
    assert item.strength == "family_part"


@pytest.mark.parametrize(
    ("consensus", "informative", "strength"),
    [
        (0.93, 0.89, "family_well_agreed"),
        (0.93, 0.5, "family_agreed"),
        (0.85, 0.89, "family_agreed"),
        (0.7, 0.89, "family_few_names"),
    ],
)
def test_strength_follows_consensus(seen, table, consensus, informative, strength):
    families = altered(table, TERMINASE, consensus=consensus, informative=informative)
    (item,) = seen(hit(TERMINASE), families=families)
    assert item.strength == strength


@pytest.mark.parametrize(
    ("members", "strength", "told"),
    [
        (3, "family_well_agreed", None),
        (2, "family_two_names", "two other proteins"),
        (1, "family_few_names", "another protein"),
    ],
)
def test_strength_follows_the_number_of_members_with_the_name(seen, table, members, strength, told):
    few = replace(table, agreeing={TERMINASE.id: "012345678911234567892123456789"[: 10 * members]})
    (item,) = seen(hit(TERMINASE), families=few)
    assert item.strength == strength
    said = " ".join(item.caveats)
    assert told in said if told else "few named members" not in said


def test_a_member_is_known_by_its_sequence_and_is_no_witness_for_itself(seen):
    (item,) = seen(hit(TERMINASE), protein=TERMINASE.protein)
    assert item.support is not None
    assert item.support.is_member
    assert (item.support.agreeing, item.support.independent) == (14, 13)


def test_a_name_that_the_protein_gave_itself_has_the_origin_of_the_annotation(seen, table):
    alone = replace(table, agreeing={TERMINASE.id: residues_digest(TERMINASE.protein)})
    (named,) = seen(hit(TERMINASE), families=alone, protein=TERMINASE.protein, product="terminase")
    assert named.origin == "annotation:c"
    assert named.caveats[0] == "no protein but this one gave family GF0000000A its name"
    (predicted,) = seen(hit(TERMINASE), families=alone, protein=TERMINASE.protein)
    assert predicted.origin == f"genint_family:{TERMINASE.id}"


def test_the_best_of_a_stretch_is_told_and_a_rival_only_with_another_name(seen):
    best, rival = seen(hit(GYRASE, 150.0), hit(TERMINASE))
    assert (best.subject, rival.subject) == ("terminase large subunit", "DNA gyrase subunit A")
    assert rival.strength == "family_rival"
    assert "a better match on the same stretch has another name" in rival.caveats


def test_a_far_weaker_name_is_not_told(seen):
    assert len(seen(hit(GYRASE, 60.0), hit(TERMINASE))) == 1


def test_the_same_name_twice_is_told_once(seen, table):
    families = altered(
        table,
        GYRASE,
        name="large terminase subunit",
        product=table[TERMINASE.id].product,
    )
    assert len(seen(hit(GYRASE, 200.0), hit(TERMINASE), families=families)) == 1


def test_a_whole_match_beats_a_partial_one_of_up_to_twice_its_score(seen):
    partial = hit(FIBER, 300.0, profile=0.5)
    best, rival = seen(partial, hit(TERMINASE))
    assert (best.accession, rival.accession) == (TERMINASE.id, FIBER.id)


def test_a_fusion_contains_both_regions(seen):
    one = hit(TERMINASE, place=(1, 95), protein=0.48)
    other = hit(FIBER, place=(100, 195), protein=0.48)
    assert {item.claim for item in seen(one, other)} == {
        "contains a region like terminase large subunit",
        "contains a region like tail fiber protein",
    }


def test_a_vague_name_is_a_category(seen, table):
    families = altered(table, TERMINASE, name="tail protein", product=None, vague=True)
    (item,) = seen(hit(TERMINASE), families=families)
    assert item.specificity is Specificity.CATEGORY
    assert "“tail protein” is a wide class, not one function" in item.caveats


def test_names_that_seed_alone_gave_and_that_differ_are_said_to(seen):
    (item,) = seen(hit(FIBER))
    named = item.support.named_members
    assert (
        f"the names in family GF0000000B differ: {item.support.agreeing} of {named} members have "
        "this one, but records call some of them otherwise too (70% where reviewed names "
        "count more, and wider ones half)"
    ) in item.caveats
    assert "all names in family GF0000000B come from SEED, an automatic annotation" in item.caveats


def test_the_least_that_a_decided_name_counts_as_is_not_shown_as_a_share_of_names(seen, table):
    families = altered(table, FIBER, consensus=LEAST_CONSENSUS)
    (item,) = seen(hit(FIBER), families=families)
    [differ] = [text for text in item.caveats if text.startswith("the names in family")]
    assert "members have this one" in differ
    assert "%" not in differ


def test_hits_of_other_profiles_and_of_other_genes_are_left_out(seen):
    pfam = ProfileHit("g1", "PF00001", 1e-9, 50.0, 25.0, 1, 100, 0.5, 0.9)
    assert seen(pfam, hit(TERMINASE, gene="g2")) == ()


def test_a_bacterial_family_far_from_the_protein_is_doubtful(seen, table):
    length_aa = table[GYRASE.id].length_aa
    near, far = hit(GYRASE, bits=0.7 * length_aa), hit(GYRASE, bits=0.5 * length_aa)
    assert seen(near)[0].strength == "family_well_agreed"
    (item,) = seen(far)
    assert item.strength == "family_doubtful"
    assert (
        "remote from the members of family GF0000000C: perhaps a paralogue of another function"
        in (item.caveats)
    )


def test_a_phage_family_may_be_far_from_the_protein(seen):
    assert seen(hit(TERMINASE, bits=30.0))[0].strength == "family_well_agreed"


def test_with_one_other_witness_the_name_of_a_member_rests_on_the_file(seen, table):
    member, other = made_up(70, 200), made_up(71, 200)
    digits = frozenset({residues_digest(member), residues_digest(other)})
    families = replace(table, agreeing={**table.agreeing, TERMINASE.id: "".join(sorted(digits))})
    (item,) = seen(hit(TERMINASE), protein=member, families=families, product="terminase")
    assert item.origin == "annotation:c"


@pytest.mark.parametrize(
    ("of_family", "expected"),
    [
        (("2.7.1.30",), ("2.7.1.30",)),
        (("2.7.1.-",), ("2.7.1.-",)),
        ((), ()),
    ],
)
def test_enzyme_numbers_of_the_members_come_with_the_name(seen, table, of_family, expected):
    (item,) = seen(hit(TERMINASE), families=altered(table, TERMINASE, ec=of_family))
    assert item.ec == expected


def test_an_open_number_of_the_members_gives_way_to_the_whole_one_of_the_product(
    seen, table, vocabulary
):
    numbered = next(one for one in vocabulary.products.values() if one.ec)
    families = altered(table, TERMINASE, product=numbered, ec=("9.9.9.-",))
    (item,) = seen(hit(TERMINASE), families=families)
    assert item.ec == numbered.ec


@pytest.mark.parametrize(("origin", "words"), [("seed", "SEED"), ("automatic", "UniProt's rules")])
def test_names_that_are_all_automatic_are_said_to_be(seen, table, origin, words):
    families = altered(table, TERMINASE, origins=((origin, 14),))
    (item,) = seen(hit(TERMINASE), families=families)
    assert any(f"come from {words}, an automatic annotation" in one for one in item.caveats)


@pytest.mark.parametrize(
    ("name", "value"),
    [("note", "rasttk_feature_annotation_tool=annotate_proteins_kmer_v2"), ("db_xref", "RAST2:1")],
)
def test_seed_names_in_a_family_and_from_rast_in_the_file_are_one_source(seen, name, value):
    by_rast = {"qualifiers": (Qualifier(name, value),)}
    (item,) = seen(hit(FIBER), product="Phage tail fiber protein", **by_rast)
    assert item.origin == "annotation:c"
    (by_hand,) = seen(hit(FIBER), product="Phage tail fiber protein")
    (otherwise,) = seen(hit(FIBER), product="DNA ligase", **by_rast)
    (several_kinds,) = seen(hit(TERMINASE), product="terminase large subunit", **by_rast)
    (predicted,) = seen(hit(FIBER), **by_rast)
    for one in (by_hand, otherwise, several_kinds, predicted):
        assert one.origin.startswith("genint_family:")
