"""Similar proteins as evidence: what they name, how far, and what they rest on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.knowledge import Terms, load_confidence, load_own_families, load_products
from genint.model import (
    CalledBy,
    EvidenceSource,
    EvidenceType,
    Gene,
    GoAspect,
    GoTerm,
    Interval,
    Location,
    ProfileHit,
    ReferenceEntry,
    SimilarityHit,
    Specificity,
    Strand,
    residues_digest,
)
from genint.sources import families, family_of, homology_reliability, read_name
from genint.sources.homology import observe
from tests.builders.made_families import GYRASE, TERMINASE, made_up

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
    """Evidence of hits to one gene."""

    def see(*hits, protein=PROTEIN, families=table, terms=None, **changes):
        values = {
            "id": "g1",
            "contig": "c",
            "location": PLACE,
            "protein": protein,
            "translation_table": 11,
            "called_by": CalledBy.PYRODIGAL,
        }
        genes = [Gene(**(values | changes))]
        return observe(genes, hits, families, vocabulary, terms or Terms())

    return see


def hit(name, accession="P11111", *, identity=0.63, bits=400.0, target=0.98, own=0.99, **changes):
    entry = ReferenceEntry(accession=accession, name=name, length_aa=200, digest=accession.lower())
    of_hit = {key: value for key, value in changes.items() if key in SimilarityHit._fields}
    of_entry = {key: value for key, value in changes.items() if key not in of_hit}
    values = {
        "gene_id": "g1",
        "source": EvidenceSource.SWISSPROT,
        "database": "Swiss-Prot 2026_03",
        "evalue": 1e-100,
        "protein_from": 2,
        "protein_to": 199,
        "target_from": 3,
        "target_to": 198,
    }
    return SimilarityHit(
        entry=entry._replace(**of_entry),
        score_bits=bits,
        identity=identity,
        protein_coverage=own,
        target_coverage=target,
        **(values | of_hit),
    )


def test_a_near_protein_names_this_one(seen):
    (item,) = seen(
        hit(
            "Terminase large subunit",
            organism="Phage x",
            symbol="terL",
            ec=("3.6.4.99",),
            go=("GO:0019073", "GO:0005515"),
            cog="COG0524",
            pfam=("PF03237",),
        ),
        terms=Terms(
            {"GO:0019073": GoTerm("GO:0019073", "viral DNA genome packaging", GoAspect.PROCESS)},
            {"COG0524": "GX"},
        ),
    )
    assert (item.claim, item.subject) == ("terminase large subunit", "terminase large subunit")
    assert item.specificity is Specificity.PROTEIN
    assert (item.source, item.type) == (EvidenceSource.SWISSPROT, EvidenceType.HOMOLOGY)
    assert (item.database, item.accession) == ("Swiss-Prot 2026_03", "P11111")
    assert item.eco == "ECO:0000249"
    assert item.strength == "homology_near"
    assert item.product == "terminase_large_subunit"
    assert item.ec == ("3.6.4.99",)
    assert item.go == (GoTerm("GO:0019073", "viral DNA genome packaging", GoAspect.PROCESS),)
    assert item.cog == "G"
    assert item.expected_pfam == ("PF03237",)
    assert item.pfam is None
    assert item.aliases == ("terL",)
    assert item.caveats == ()
    assert item.similar.organism == "Phage x"
    assert (item.measured.identity, item.measured.target_from, item.measured.target_to) == (
        0.63,
        3,
        198,
    )
    assert item.label == (
        "P11111 terminase large subunit, Phage x (63% identical, E 1.0e-100, "
        "98% of that protein, 99% of this one)"
    )


@pytest.mark.parametrize(
    ("identity", "strength", "specificity", "claim"),
    [
        (0.60, "homology_near", Specificity.PROTEIN, "threonine synthase"),
        (0.59, "homology_close", Specificity.PROTEIN, "threonine synthase"),
        (0.40, "homology_close", Specificity.PROTEIN, "threonine synthase"),
        (0.39, "homology_remote", Specificity.FAMILY, "threonine synthase family protein"),
        (0.30, "homology_remote", Specificity.FAMILY, "threonine synthase family protein"),
        (0.29, "homology_distant", Specificity.FAMILY, "threonine synthase family protein"),
    ],
)
def test_the_more_remote_the_less_is_claimed(seen, identity, strength, specificity, claim):
    (item,) = seen(hit("Threonine synthase", identity=identity))
    assert (item.strength, item.specificity, item.claim) == (strength, specificity, claim)


def test_the_exact_reaction_needs_a_near_protein(seen):
    (near,) = seen(hit("Threonine synthase", ec=("4.2.3.1",), identity=0.6))
    (close,) = seen(hit("Threonine synthase", ec=("4.2.3.1", "4.2.3.2"), identity=0.5))
    (remote,) = seen(hit("Threonine synthase", ec=("4.2.3.1",), identity=0.35))
    assert (near.ec, close.ec, remote.ec) == (("4.2.3.1",), ("4.2.3.-",), ())


def test_a_remote_protein_brings_no_identifiers(seen):
    told = {"go": ("GO:0019073",), "cog": "E", "pfam": ("PF1",), "symbol": "thrC"}
    (item,) = seen(hit("Threonine synthase", identity=0.35, **told))
    assert (item.go, item.cog, item.expected_pfam, item.aliases) == ((), None, (), ())
    assert any("remote similarity: 35% identical to P11111" in text for text in item.caveats)


@pytest.mark.parametrize("changes", [{"target": 0.5}, {"own": 0.4}, {"target": 0.6, "own": 0.6}])
def test_what_is_alike_in_part_only_contains_a_region(seen, changes):
    (item,) = seen(hit("Threonine synthase", identity=0.8, ec=("4.2.3.1",), cog="E", **changes))
    assert item.claim == "contains a region like threonine synthase"
    assert item.subject == "threonine synthase"
    assert (item.specificity, item.strength) == (Specificity.DOMAIN, "homology_part")
    assert (item.ec, item.cog, item.go) == ((), None, ())
    assert any("only a region resembles" in text for text in item.caveats)


def test_a_gene_that_the_sequence_cuts_off_is_of_the_family(seen):
    (item,) = seen(hit("Threonine synthase", target=0.4), location=CUT_OFF)
    assert (item.specificity, item.claim) == (Specificity.FAMILY, "threonine synthase")
    (item,) = seen(hit("Threonine synthase", target=0.2), location=CUT_OFF)
    assert item.specificity is Specificity.DOMAIN


def test_a_hit_that_chance_may_give_is_distant(seen):
    (item,) = seen(hit("Threonine synthase", identity=0.9, evalue=1e-4))
    assert item.strength == "homology_distant"


def test_the_nearest_protein_with_a_telling_name_speaks(seen):
    silent = hit("Uncharacterized protein YzzA", "P00001", identity=0.75, bits=500.0)
    (item,) = seen(silent, hit("Threonine synthase"))
    assert item.accession == "P11111"
    assert any(
        "the most similar protein, P00001 (75% identical), has no informative name" in text
        for text in item.caveats
    )


@pytest.mark.parametrize(
    "name",
    ["Uncharacterized protein YzzA", "hypothetical protein", "", "gp12", "DUF1234",
     "Threonine synthase (Fragment)"],
)  # fmt: skip
def test_names_that_say_nothing_and_fragments_name_nothing(seen, name):
    assert seen(hit(name)) == ()


def test_an_uncharacterized_member_of_a_class_names_the_class(seen):
    (item,) = seen(hit("Uncharacterized ABC transporter ATP-binding protein YzzA"))
    assert item.claim == "ABC transporter ATP-binding protein"
    assert item.specificity is Specificity.CATEGORY


def test_a_telling_name_goes_before_a_class_that_is_hardly_nearer(seen):
    item, *_ = seen(hit("Tail protein", "P00001", bits=410.0), hit("Tail tube protein"))
    assert item.claim == "tail tube protein"
    item, *_ = seen(hit("Tail protein", "P00001", bits=800.0), hit("Tail tube protein"))
    assert (item.claim, item.specificity) == ("tail protein", Specificity.CATEGORY)


def test_a_whole_protein_goes_before_a_somewhat_better_part(seen):
    part = hit("Threonine synthase", "P00001", bits=500.0, own=0.5)
    assert seen(part, hit("Tail tube protein"))[0].claim == "tail tube protein"


def test_another_name_nearly_as_near_is_a_rival_and_contests_the_first(seen):
    best = hit("DNA gyrase subunit A", "P00001")
    items = seen(
        best,
        hit("Threonine synthase", "P00002", bits=390.0),
        hit("DNA gyrase subunit A", "P00003", bits=380.0),
        hit("Terminase large subunit", "P00004", bits=370.0),
        hit("Tail tube protein", "P00005", bits=360.0),
        hit("Enolase", "P00006", bits=100.0),
    )
    assert [item.accession for item in items] == ["P00001", "P00002", "P00004"]
    assert [item.strength for item in items] == [
        "homology_contested",
        "homology_rival",
        "homology_rival",
    ]
    assert "nearly as similar to P00002, “threonine synthase”" in items[0].caveats
    assert (items[0].ec, items[0].go, items[0].cog) == ((), (), None)
    assert any("more similar has another name" in text for text in items[1].caveats)
    (alone,) = seen(best, hit("Threonine synthase", "P00002", bits=300.0))
    assert alone.strength == "homology_near"


def test_parts_that_lie_apart_are_no_rivals_but_told_each(seen):
    one = hit("Threonine synthase", "P00001", own=0.4, protein_to=80)
    other = hit("Enolase", "P00002", own=0.4, bits=390.0, protein_from=100, protein_to=180)
    rival = hit("Holin", "P00003", own=0.3, bits=380.0, protein_from=110, protein_to=170)
    items = seen(one, other, rival)
    assert [(item.accession, item.strength) for item in items] == [
        ("P00001", "homology_part"),
        ("P00002", "homology_part"),
        ("P00003", "homology_rival"),
    ]
    assert {item.specificity for item in items} == {Specificity.DOMAIN}


def test_a_name_of_a_family_or_superfamily_names_no_more_than_that(seen):
    (family,) = seen(hit("Threonine synthase family protein", identity=0.9))
    assert family.claim == "threonine synthase family protein"
    assert family.specificity is Specificity.FAMILY
    (wide,) = seen(hit("alpha/beta hydrolase superfamily protein", identity=0.9))
    assert wide.specificity is Specificity.CATEGORY
    (domain,) = seen(hit("kinase domain-containing protein", identity=0.9))
    assert domain.specificity is Specificity.CATEGORY


def test_wider_and_narrower_names_are_no_rivals(seen):
    names = ("Tail fiber protein", "Tail protein", "Putative tail fiber protein")
    hits = [hit(name, f"P0000{at}", bits=400.0 - at) for at, name in enumerate(names)]
    assert [item.strength for item in seen(*hits)] == ["homology_near"]


def test_doubts_of_the_entry_itself_are_told(seen):
    (item,) = seen(hit("Putative threonine synthase", existence=4))
    assert (item.claim, item.subject) == ("putative threonine synthase", "threonine synthase")
    assert item.caveats == (
        "the name of P11111 is itself hedged",
        "P11111 was never seen as a protein or transcript, only predicted",
    )


def test_the_result_does_not_depend_on_the_order_of_hits(seen):
    hits = [
        hit("DNA gyrase subunit A", "P00001"),
        hit("Threonine synthase", "P00002", bits=390.0),
        hit("Uncharacterized protein YzzA", "P00003", bits=500.0),
        hit("Enolase", "mine_1", source=EvidenceSource.USER_PROTEINS, database="mine.faa"),
    ]
    assert seen(*hits) == seen(*reversed(hits))


def test_each_reference_is_told_for_itself(seen):
    mine = {"source": EvidenceSource.USER_PROTEINS, "database": "mine.faa"}
    items = seen(hit("Enolase", "mine_1", bits=900.0, **mine), hit("Threonine synthase"))
    assert [item.source for item in items] == [
        EvidenceSource.SWISSPROT,
        EvidenceSource.USER_PROTEINS,
    ]


def test_hits_of_other_genes_and_no_hits_say_nothing(seen):
    assert seen() == ()
    assert seen(hit("Enolase", gene_id="g2")) == ()


def test_the_same_protein_under_one_name_in_two_references_is_one_origin(seen):
    mine = {"source": EvidenceSource.USER_PROTEINS, "database": "mine.faa", "digest": "same"}
    one, other = seen(hit("Enolase", digest="same"), hit("enolase", "mine_1", **mine))
    assert one.origin == other.origin
    one, other = seen(hit("Enolase", digest="same"), hit("Holin", "mine_1", **mine))
    assert one.origin != other.origin
    one, other = seen(hit("Enolase"), hit("Enolase", "mine_1", **(mine | {"digest": "else"})))
    assert one.origin != other.origin


MINE = {"source": EvidenceSource.USER_PROTEINS, "database": "mine.faa"}


@pytest.mark.parametrize(
    ("product", "name", "told"),
    [
        ("Enolase", "enolase", False),
        ("putative large terminase subunit", "Terminase large subunit", False),
        ("Holin", "enolase", True),
        (None, "enolase", True),
    ],
)
@pytest.mark.parametrize(("identity", "own"), [(1.0, 1.0), (0.95, 1.0), (0.99, 0.95)])
def test_a_copy_of_the_protein_under_the_files_own_name_says_nothing(
    seen, product, name, told, identity, own
):
    copy = hit(name, "mine_1", identity=identity, own=own, target=1.0, **MINE)
    assert bool(seen(copy, product=product)) is told


@pytest.mark.parametrize(("identity", "own"), [(0.94, 1.0), (1.0, 0.85)])
def test_a_relative_under_the_files_own_name_speaks(seen, identity, own):
    assert seen(hit("Enolase", "mine_1", identity=identity, own=own, **MINE), product="Enolase")


def test_beside_a_copy_under_the_files_own_name_only_its_rivals_speak(seen):
    copy = hit("Enolase", "mine_1", identity=1.0, bits=400.0, **MINE)
    lesser = hit("Holin", "mine_2", bits=300.0, **MINE)
    rival = hit("Threonine synthase", "mine_3", bits=390.0, **MINE)
    part = hit("Tail tube protein", "mine_4", bits=100.0, own=0.4, **MINE)
    assert seen(copy, lesser, part, product="Enolase") == ()
    (item,) = seen(copy, lesser, rival, part, product="Enolase")
    assert (item.accession, item.strength) == ("mine_3", "homology_rival")


def test_a_longer_form_beside_a_copy_under_the_files_own_name_says_nothing(seen):
    copy = hit("Enolase", "mine_2", identity=1.0, target=1.0, **MINE)
    longer = hit("enolase", "mine_1", identity=1.0, target=0.8, bits=400.0, **MINE)
    assert seen(copy, longer, product="Enolase") == ()
    assert seen(longer, product="Enolase")


def test_swiss_prots_entry_of_this_very_protein_speaks(seen):
    assert seen(hit("Enolase", identity=1.0), product="Enolase")


@pytest.fixture
def origin(seen, table):
    """Origin of an entry where a family has its name from some proteins."""

    def of(family, entry, *members, name=None, identity=0.63, own=1.0):
        digits = "".join(residues_digest(member) for member in members)
        families = replace(table, agreeing={family.id: digits})
        similar = hit(
            name or family.name, digest=residues_digest(entry), identity=identity, own=own
        )
        (item,) = seen(similar, families=families)
        return item.origin

    return of


def test_an_entry_that_a_phage_family_has_its_name_from_has_the_familys_origin(origin):
    entry, *others = (made_up(seed) for seed in range(70, 80))
    of_family = f"genint_family:{TERMINASE.id}"
    assert origin(TERMINASE, entry, entry) == of_family
    assert origin(TERMINASE, entry, *others, entry) == of_family
    assert origin(TERMINASE, entry, *others) != of_family
    assert origin(TERMINASE, entry, entry, name="Holin").startswith("protein:")


def test_of_a_bacterial_family_only_one_of_few_has_the_familys_origin(origin):
    entry, *others = (made_up(seed) for seed in range(70, 80))
    of_family = f"genint_family:{GYRASE.id}"
    assert origin(GYRASE, entry, entry) == of_family
    assert origin(GYRASE, entry, entry, others[0]) == of_family
    assert origin(GYRASE, entry, entry, *others[:2]) != of_family
    assert origin(GYRASE, entry, *others[:1]) != of_family
    # The protein itself is no witness beside the entry.
    assert origin(GYRASE, entry, entry, others[0], PROTEIN) == of_family
    assert origin(GYRASE, entry, entry, *others[:2], PROTEIN) != of_family


@pytest.mark.parametrize(
    ("identity", "own", "is_one"),
    [(1.0, 1.0, True), (0.9, 1.0, True), (0.89, 1.0, False), (0.99, 0.8, False)],
)
def test_a_copy_of_a_phage_familys_member_has_the_familys_origin(origin, identity, own, is_one):
    entry, *others = (made_up(seed) for seed in range(70, 80))
    told = origin(TERMINASE, entry, PROTEIN, *others, identity=identity, own=own)
    assert (told == f"genint_family:{TERMINASE.id}") is is_one
    other = origin(TERMINASE, entry, PROTEIN, identity=identity, own=own, name="Holin")
    assert other.startswith("protein:")


@pytest.mark.parametrize(("identity", "is_one"), [(0.99, True), (0.95, True), (0.94, False)])
def test_a_copy_of_a_member_is_that_member_of_a_bacterial_family(origin, identity, is_one):
    entry, *others = (made_up(seed) for seed in range(70, 80))
    of_family = f"genint_family:{GYRASE.id}"
    told = origin(GYRASE, entry, PROTEIN, others[0], identity=identity)
    assert (told == of_family) is is_one
    assert origin(GYRASE, entry, PROTEIN, *others[:2], identity=identity) != of_family


@pytest.fixture
def beside_family(table, vocabulary):
    """Evidence of a hit to a gene that a family of genint's own has."""

    def see(family, similar, *, product=None):
        gene = Gene(
            id="g1",
            contig="c",
            location=PLACE,
            protein=PROTEIN,
            translation_table=11,
            called_by=CalledBy.PYRODIGAL,
            product=product,
        )
        profile = ProfileHit("g1", family.id, 1e-50, 200.0, 30.0, 1, 200, 1.0, 1.0)
        (of_family,) = families.observe([gene], [profile], table, vocabulary)
        (item,) = observe([gene], [similar], table, vocabulary, families=[of_family])
        return item.origin, of_family.origin

    return see


@pytest.mark.parametrize("identity", [1.0, 0.99, 0.7, 0.35])
def test_a_users_protein_that_agrees_with_a_phage_family_is_no_second_witness(
    beside_family, identity
):
    for name in (TERMINASE.name, "large terminase subunit", "terminase"):
        told, of_family = beside_family(TERMINASE, hit(name, "m", identity=identity, **MINE))
        assert told == of_family
    told, of_family = beside_family(TERMINASE, hit("Holin", "m", identity=identity, **MINE))
    assert told != of_family


def test_a_users_protein_is_a_second_witness_beside_a_bacterial_family(beside_family):
    told, of_family = beside_family(GYRASE, hit(GYRASE.name, "m", **MINE))
    assert told != of_family


def test_an_entry_of_swiss_prot_is_a_second_witness_beside_a_phage_family(beside_family):
    told, of_family = beside_family(TERMINASE, hit(TERMINASE.name))
    assert told != of_family


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"own": 0.4, "identity": 0.5, "evalue": 1e-4}, False),
        ({"own": 0.4, "identity": 0.3, "evalue": 1e-5}, True),
        ({"own": 0.4, "identity": 0.29, "evalue": 1e-6}, False),
        ({"own": 0.4, "identity": 0.21, "evalue": 1e-10}, True),
        ({"identity": 0.39, "evalue": 1e-4}, False),
        ({"identity": 0.39, "evalue": 1e-5}, True),
        ({"identity": 0.29, "evalue": 1e-5}, True),
        ({"identity": 0.4, "evalue": 1e-3}, True),
    ],
)
def test_what_chance_may_give_is_no_evidence_but_of_close_whole_proteins(seen, changes, told):
    assert bool(seen(hit("Threonine synthase", **changes))) is told


def test_a_copy_is_not_contested_by_a_relative_that_stays_a_rival(seen):
    def strengths(best, rival):
        one = hit("Lipoprotein bor", "P26814", identity=best, bits=200.0)
        other = hit("Serum resistance protein", "P00002", identity=rival, bits=190.0)
        return [item.strength for item in seen(one, other)]

    assert strengths(1.0, 0.93) == ["homology_near", "homology_rival"]
    assert strengths(0.95, 0.92) == ["homology_near", "homology_rival"]
    assert strengths(1.0, 0.98) == ["homology_contested", "homology_rival"]
    assert strengths(0.94, 0.80) == ["homology_contested", "homology_rival"]


def test_what_is_not_all_of_it_never_reads_100_per_cent(seen):
    (item,) = seen(hit("Threonine synthase", identity=640 / 641, target=0.999, own=1.0))
    assert "99% identical" in item.label
    assert "99% of that protein, 100% of this one" in item.label


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("threonine synthase", "threonine synthase family protein"),
        ("tail fiber protein", "tail fiber family protein"),
        ("ABC transporter family protein", "ABC transporter family protein"),
        ("DnaJ-like protein", "DnaJ-like protein"),
        ("DnaJ domain-containing protein", "DnaJ domain-containing protein"),
        ("chromosome partition protein Smc", "Smc family chromosome partition protein"),
        (
            "nickel resistance OB fold protein NirD",
            "NirD family nickel resistance OB fold protein",
        ),
        ("putative DNA-binding protein HU-alpha", "putative HU-alpha family DNA-binding protein"),
        ("protein NirD", "NirD family protein"),
        ("replication protein A", "replication protein A family member"),
        ("capsid assembly protein III", "capsid assembly protein III family member"),
        ("outer membrane protein 2", "outer membrane protein 2 family member"),
        ("protein kinase", "protein kinase family protein"),
    ],
)
def test_a_family_is_named_once_and_protein_said_once(name, family):
    assert family_of(name) == family


def test_a_symbol_alone_tells_nothing(vocabulary):
    assert not read_name("Protein NinD", vocabulary).informative


def test_every_class_has_its_reliability():
    known = load_confidence().reliability
    classes = {
        value for name, value in vars(homology_reliability).items() if name.startswith("STRENGTH_")
    }
    assert len(classes) == 7
    assert classes <= known.keys()
