"""The name of a family, from what its members are called."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from genint.knowledge import ProductKind, ProductVocabulary
from training.families.attributes import enzyme_numbers
from training.families.corrections import Corrections, FamilyCorrection
from training.families.corrections import parse as parse_corrections
from training.families.naming import Label, disagrees, label
from training.families.values import Lineage, Naming, Origin, TrainingProtein
from training.families.votes import read_name
from training.vocabulary.sources import build_vocabulary, parse

PHAGE_PRODUCTS = """
version = "test"
[[product]]
id = "virion_protein"
name = "virion protein"
category = "head and capsid"
vague = true
[[product]]
id = "tail_protein"
name = "tail protein"
category = "tail"
broader = "virion_protein"
vague = true
[[product]]
id = "tail_tube_protein"
name = "tail tube protein"
synonyms = ["major tail protein"]
category = "tail"
broader = "tail_protein"
[[product]]
id = "tail_fiber_protein"
name = "tail fiber protein"
category = "tail"
broader = "tail_protein"
[[product]]
id = "terminase_large_subunit"
name = "terminase large subunit"
symbols = ["terL"]
category = "DNA packaging"
opposite = ["terminase_small_subunit"]
[[product]]
id = "terminase_small_subunit"
name = "terminase small subunit"
category = "DNA packaging"
[[product]]
id = "exonuclease"
name = "exonuclease"
category = "replication, recombination and repair"
[[product]]
id = "dexa_exonuclease"
name = "exonuclease DexA"
category = "replication, recombination and repair"
broader = "exonuclease"
[[product]]
id = "rna_polymerase"
name = "RNA polymerase"
category = "transcription and its regulation"
"""
BACTERIAL_PRODUCTS = """
version = "test"
[[product]]
id = "abc_transporter_permease"
name = "ABC transporter permease"
category = "transport"
vague = true
"""


@pytest.fixture(scope="module")
def vocabulary() -> ProductVocabulary:
    """A few products."""
    files = (
        parse(PHAGE_PRODUCTS, ProductKind.PHAGE),
        parse(BACTERIAL_PRODUCTS, ProductKind.BACTERIA),
    )
    return build_vocabulary(files, frozenset())


def residues(seed: object) -> str:
    """A sequence like no other."""
    return "".join(random.Random(str(seed)).choices("ACDEFGHIKLMNPQRSTVWY", k=120))


def protein(
    *names: str | tuple[Origin, str], like: str | None = None, symbol: str = ""
) -> TrainingProtein:
    """A protein of its own record with these names; ``like``: a near copy of that one."""
    sequence = residues((names, symbol)) if like is None else residues(like)[:-1] + symbol[-1]
    key = hashlib.sha256(f"{names}{like}{symbol}".encode()).hexdigest()
    given = [name if isinstance(name, tuple) else (Origin.SUBMITTER, name) for name in names]
    namings = tuple(
        Naming(f"{key[:8]}.{at}", name, symbol, origin, Lineage.PHAGE)
        for at, (origin, name) in enumerate(given)
    )
    return TrainingProtein(key, sequence, namings)


def seed(name: str) -> tuple[Origin, str]:
    return Origin.SEED, name


def several(*names: str | tuple[Origin, str]) -> list[TrainingProtein]:
    """One protein for each name; a number keeps equal names apart."""
    return [protein(name, symbol=f"x{at}") for at, name in enumerate(names)]


def named(
    members: Sequence[TrainingProtein],
    vocabulary: ProductVocabulary,
    corrections: Corrections | None = None,
) -> Label | None:
    return label("GF00000001", members, vocabulary, corrections or Corrections())


def name_of(vocabulary: ProductVocabulary, *names: str | tuple[Origin, str]) -> str | None:
    found = named(several(*names), vocabulary)
    return found.name if found else None


def test_wordings_of_one_product_are_one_name(vocabulary: ProductVocabulary) -> None:
    found = named(several("Phage major tail protein", "tail tube protein"), vocabulary)
    assert found is not None
    assert (found.name, found.product) == ("tail tube protein", "tail_tube_protein")
    assert found.consensus == 1
    assert len(found.agreeing) == 2
    assert not found.dissenters


def test_a_telling_name_wins_over_vague_ones_of_its_class(vocabulary: ProductVocabulary) -> None:
    found = named(several("tail protein", "tail protein", "tail tube protein"), vocabulary)
    assert found is not None
    assert found.name == "tail tube protein"
    assert found.consensus == pytest.approx(2 / 3)
    assert len(found.agreeing) == 1


def test_one_telling_name_among_many_vague_ones_is_not_enough(
    vocabulary: ProductVocabulary,
) -> None:
    found = named(several(*["tail protein"] * 8, "tail tube protein"), vocabulary)
    assert found is not None
    assert (found.name, found.vague, found.consensus) == ("tail protein", True, 1)


def test_two_telling_names_that_differ_fall_back_to_their_class(
    vocabulary: ProductVocabulary,
) -> None:
    names = ["tail tube protein"] * 2 + ["tail fiber protein"] * 2
    assert name_of(vocabulary, *names) == "tail protein"


def test_in_phages_a_function_that_more_proteins_state_than_another_is_no_class(
    vocabulary: ProductVocabulary,
) -> None:
    names = ["tail tube protein", "tail fiber protein", *[seed("tail tube protein")] * 3]
    found = named(several(*names), vocabulary)
    assert found is not None
    assert (found.name, found.consensus) == ("tail tube protein", 0.5)
    assert bacterial(vocabulary, *names) == "tail protein"


def test_in_phages_no_half_of_the_names_names_what_another_name_excludes(
    vocabulary: ProductVocabulary,
) -> None:
    large, small = "terminase large subunit", "terminase small subunit"
    assert name_of(vocabulary, large, small, *[seed(large)] * 3) is None
    other = "tail fiber protein"
    assert name_of(vocabulary, large, other, *[seed(large)] * 3) == large


def test_in_phages_a_kind_of_what_a_function_excludes_counts_against_it(
    vocabulary: ProductVocabulary,
) -> None:
    early = "terminase small subunit of early genes"
    large = "terminase large subunit"
    assert read_name(early, vocabulary).claim.key
    assert name_of(vocabulary, large, early, *[seed(large)] * 3) is None


def test_in_phages_a_name_that_only_says_less_is_half_support(
    vocabulary: ProductVocabulary,
) -> None:
    names = [*["exonuclease DexA"] * 5, *["exonuclease"] * 2]
    found = named(several(*names), vocabulary)
    assert found is not None
    assert (found.name, found.consensus) == ("exonuclease DexA", pytest.approx(6 / 7))
    assert bacterial(vocabulary, *names) == "exonuclease"
    assert name_of(vocabulary, *["exonuclease DexA"] * 3, *["exonuclease"] * 4) == "exonuclease"


def test_names_of_nothing_in_common_make_no_family(vocabulary: ProductVocabulary) -> None:
    assert name_of(vocabulary, "tail tube protein", "thymidylate kinase") is None


def test_opposites_never_merge(vocabulary: ProductVocabulary) -> None:
    assert name_of(vocabulary, "terminase large subunit", "terminase small subunit") is None
    assert name_of(vocabulary, "RNA polymerase", "RNA polymerase inhibitor") is None


def test_paralogues_of_different_substrates_are_named_by_their_class(
    vocabulary: ProductVocabulary,
) -> None:
    found = named(
        several(
            "ribose ABC transporter permease", "spermidine/putrescine ABC transporter permease"
        ),
        vocabulary,
    )
    assert found is not None
    assert found.product == "abc_transporter_permease"
    assert found.vague


def test_classes_outside_the_vocabulary_are_found_by_the_ends_of_names(
    vocabulary: ProductVocabulary,
) -> None:
    found = named(several("ribose operon repressor", "sucrose operon repressor ScrR"), vocabulary)
    assert found is not None
    assert found.name == "operon repressor"


def test_a_substrate_that_only_one_member_names_is_left_open(
    vocabulary: ProductVocabulary,
) -> None:
    found = named(several("ribose ABC transporter permease", "hypothetical protein"), vocabulary)
    assert found is not None
    assert found.name == "ABC transporter permease"


def test_a_last_letter_that_tells_paralogues_apart_is_dropped(
    vocabulary: ProductVocabulary,
) -> None:
    names = ("dipeptide and tripeptide permease A", "dipeptide and tripeptide permease B")
    assert name_of(vocabulary, *names) == "dipeptide and tripeptide permease"


def test_a_database_outvotes_automatic_names_but_not_another_named_protein(
    vocabulary: ProductVocabulary,
) -> None:
    curated = (Origin.SWISSPROT, "tail tube protein")
    assert name_of(vocabulary, curated, seed("Thioredoxin")) == "tail tube protein"
    assert name_of(vocabulary, curated, "thymidylate kinase") is None


def test_other_words_for_one_protein_are_no_dissent(vocabulary: ProductVocabulary) -> None:
    curated = (Origin.SWISSPROT, "glutamate 5-kinase")
    members = [protein(curated, "gamma-glutamyl phosphate synthetase"), protein(curated)]
    found = named(members, vocabulary)
    assert found is not None
    assert (found.name, found.consensus) == ("glutamate 5-kinase", 1)


def test_a_step_that_others_do_not_share_needs_more_support(
    vocabulary: ProductVocabulary,
) -> None:
    names = ["dimethylamine methyltransferase MtbB1"] * 2
    names += ["dimethylamine methyltransferase MtbB2"]
    assert name_of(vocabulary, *names) == "dimethylamine methyltransferase"


def test_a_name_copied_over_near_identical_genomes_counts_little(
    vocabulary: ProductVocabulary,
) -> None:
    copies = [protein("RNA polymerase", like="one", symbol=last) for last in "ACDE"]
    others = several("tail tube protein", "tail tube protein", "tail tube protein")
    found = named([*copies, *others], vocabulary)
    assert found is not None
    assert found.name == "tail tube protein"


def test_many_records_of_one_protein_are_one_vote(vocabulary: ProductVocabulary) -> None:
    repeated = protein(*["RNA polymerase"] * 40)
    found = named([repeated, *several("tail tube protein", "tail tube protein")], vocabulary)
    assert found is not None
    assert found.name == "tail tube protein"
    assert found.consensus == pytest.approx(2 / 3)


def test_names_by_machines_help_to_cluster_only(vocabulary: ProductVocabulary) -> None:
    machine = (Origin.MACHINE, "tail tube protein")
    assert name_of(vocabulary, machine, machine) is None


@pytest.mark.parametrize(
    "empty",
    [
        "hypothetical protein",
        "gp12",
        "gp12-like protein",
        "N4 gp67-like protein",
        "18.5 kDa protein",
        "Hypothetical-Protein / belonging to T4-LIKE GC: 466",
        "e14 prophage",
        "Phage protein",
        "slr0639 [Synechocystis sp. PCC 6803]",
        "protein of unknown function",
        "NinX",
        "generated by GeneMarks",
        "uncharacterized protein YtfP",
        "putative one transmembrane helix protein",
    ],
)
def test_names_that_say_nothing_make_no_family(vocabulary: ProductVocabulary, empty: str) -> None:
    assert name_of(vocabulary, empty, empty) is None


def test_a_doubt_stays_only_if_nearly_all_have_it(vocabulary: ProductVocabulary) -> None:
    assert name_of(vocabulary, "putative thymidylate kinase", "thymidylate kinase") == (
        "thymidylate kinase"
    )
    assert name_of(vocabulary, "probable RNA polymerase", "putative RNA polymerase") == (
        "putative RNA polymerase"
    )


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Plasmid Stability", "plasmid stability protein"),
        ("SECRETION ACTIVATOR PROTEIN", "secretion activator protein"),
        ("CP4-57 prophage; thymidylate kinase", "thymidylate kinase"),
        ("gp2 DNA end protector protein", "DNA end protector protein"),
        ("thymidylate kinase from bacteriophage origin", "thymidylate kinase"),
        ("Head decoration protein # Fam12", "head decoration protein"),
        ("Holliday junction resolvase%2C RuvC", "Holliday junction resolvase, RuvC"),
        ("Glutamyl-tRNA(Gln) amidotransferase", "glutamyl-tRNA(Gln) amidotransferase"),
        ("Gas vesicle protein", "gas vesicle protein"),
        ("Inner membrane transport protein YbaT", "inner membrane transport protein"),
        ("WLM protease domain", "WLM protease domain-containing protein"),
        ("trimethoprim-resistant dihydrofolate reductase", "dihydrofolate reductase"),
        ("zonular occludens toxin", "zonular occludens toxin"),
        ("DNA primase / DNA helicase", "DNA primase / DNA helicase"),
    ],
)
def test_names_outside_the_vocabulary_are_written_plainly(
    vocabulary: ProductVocabulary, written: str, name: str
) -> None:
    found = named(several(written, written), vocabulary)
    assert found is not None
    assert (found.name, found.product) == (name, None)


def test_the_most_used_wording_of_one_name_is_shown(vocabulary: ProductVocabulary) -> None:
    names = ("kinase, thymidylate", "thymidylate kinase", "thymidylate kinase")
    assert name_of(vocabulary, *names) == "thymidylate kinase"


def test_a_bifunctional_name_supports_each_of_its_functions(vocabulary: ProductVocabulary) -> None:
    names = ("thymidylate kinase / RNA polymerase", "RNA polymerase", "RNA polymerase")
    found = named(several(*names), vocabulary)
    assert found is not None
    assert (found.product, found.consensus) == ("rna_polymerase", 1)


def test_a_family_has_two_proteins_of_two_records(vocabulary: ProductVocabulary) -> None:
    one = protein("RNA polymerase")
    assert named([one], vocabulary) is None
    same_record = TrainingProtein("f" * 64, residues("other"), one.namings)
    assert named([one, same_record], vocabulary) is None


def test_the_order_of_members_does_not_matter(vocabulary: ProductVocabulary) -> None:
    members = several("tail protein", seed("tail tube protein"), "kinase, thymidylate", "holin")
    members += several("RNA polymerase", "tail fiber protein", "major tail protein")
    assert named(members, vocabulary) == named(members[::-1], vocabulary)


def test_what_a_name_rests_on_is_counted(vocabulary: ProductVocabulary) -> None:
    members = several(
        (Origin.SWISSPROT, "RNA polymerase"),
        "RNA polymerase",
        seed("RNA polymerase"),
        seed("Thioredoxin"),
        "hypothetical protein",
    )
    found = named(members, vocabulary)
    assert found is not None
    assert (found.members, found.named_members, found.records) == (5, 4, 5)
    assert found.informative == pytest.approx(0.8)
    assert found.consensus == pytest.approx(9 / 10)
    assert found.agreeing == tuple(sorted(member.hash for member in members[:3]))
    assert found.origins == ((Origin.SWISSPROT, 1), (Origin.SUBMITTER, 1), (Origin.SEED, 1))
    assert found.dissenters == ("thioredoxin",)


def test_a_symbol_is_shared_by_members_or_that_of_the_product(
    vocabulary: ProductVocabulary,
) -> None:
    shared = [
        protein("thymidylate kinase", symbol="tmk"),
        protein("putative thymidylate kinase", symbol="tmk"),
    ]
    found = named(shared, vocabulary)
    assert found is not None
    assert found.symbol == "tmk"
    found = named(several("terminase large subunit", "terminase, large subunit"), vocabulary)
    assert found is not None
    assert found.symbol == "terL"


def test_numbers_and_letters_of_one_phage_are_no_symbols(vocabulary: ProductVocabulary) -> None:
    for symbol in ("17", "gp17", "A", "YP_001"):
        members = [
            protein("thymidylate kinase", symbol=symbol),
            protein("thymidylate kinase", "thymidylate kinase", symbol=symbol),
        ]
        found = named(members, vocabulary)
        assert found is not None
        assert found.symbol is None


def test_a_person_decides_over_all_names(vocabulary: ProductVocabulary) -> None:
    members = several("tail tube protein", "tail tube protein")
    entry = {"id": "GF00000001", "reason": "seen in the structure"}
    renamed = parse_corrections({"family": [entry | {"name": "tail fiber protein"}]})
    found = named(members, vocabulary, renamed)
    assert found is not None
    assert (found.name, found.product) == ("tail fiber protein", "tail_fiber_protein")
    assert found.agreeing == ()
    own_words = parse_corrections({"family": [entry | {"name": "sheath cap of the tail"}]})
    found = named(members, vocabulary, own_words)
    assert found is not None
    assert (found.name, found.product) == ("sheath cap of the tail", None)
    dropped = parse_corrections({"family": [entry | {"drop": True}]})
    assert named(members, vocabulary, dropped) is None


def test_a_name_that_was_read_but_that_no_record_says_is_not_shipped(
    vocabulary: ProductVocabulary,
) -> None:
    members = several("thymidylate kinase", "thymidylate kinase")
    entry = FamilyCorrection("GF00000001", "polynucleotide kinase", "as was read")
    read = replace(entry, is_read=True)
    for decided, name, agreeing in ((entry, entry.name, 0), (read, "thymidylate kinase", 2)):
        found = named(members, vocabulary, Corrections(families={"GF00000001": decided}))
        assert found is not None
        assert (found.name, len(found.agreeing)) == (name, agreeing)


def test_a_name_that_was_read_rests_on_the_names_that_it_covers(
    vocabulary: ProductVocabulary,
) -> None:
    names = ("xylene oxidase subunit I", "quinol oxidase subunit I", "thymidylate kinase")
    members = several(*names)
    entry = FamilyCorrection(
        "GF00000001",
        "heme-copper oxidase subunit I",
        "as was read",
        ec=("7.1.1.-",),
        covers=names[:2],
        is_read=True,
    )
    corrections = Corrections(families={entry.id: entry})
    found = named(members, vocabulary, corrections)
    assert found is not None
    assert (found.name, len(found.agreeing), found.named_members) == (entry.name, 2, 3)
    assert found.consensus == pytest.approx(2 / 3)
    assert found.ec == enzyme_numbers(found, members) == ("7.1.1.-",)
    assert [disagrees(found, member, vocabulary, corrections) for member in members] == [
        False,
        False,
        True,
    ]


def test_a_symbol_is_decided_without_the_name(vocabulary: ProductVocabulary) -> None:
    members = several("thymidylate kinase", "thymidylate kinase")
    decided = FamilyCorrection("GF00000001", None, "not in these phages", symbol="tmk")
    found = named(members, vocabulary, Corrections(families={"GF00000001": decided}))
    assert found is not None
    assert (found.name, found.symbol) == ("thymidylate kinase", "tmk")


def test_a_decision_is_void_where_no_member_left_has_a_name(vocabulary: ProductVocabulary) -> None:
    entry = {"id": "GF00000001", "name": "tail fiber protein", "reason": "seen in the structure"}
    decided = parse_corrections({"family": [entry]})
    assert named(several("hypothetical protein", "gp12"), vocabulary, decided) is None


def test_a_decision_holds_where_all_names_are_ignored(vocabulary: ProductVocabulary) -> None:
    entry = {"id": "GF00000001", "name": "tail fiber protein", "reason": "seen in the structure"}
    wrong = {"pattern": "PE-PGRS protein", "ignore": True, "reason": "of mycobacteria"}
    decided = parse_corrections({"family": [entry], "name": [wrong]})
    found = named(several("PE-PGRS protein", "PE-PGRS protein"), vocabulary, decided)
    assert found is not None
    assert (found.name, found.named_members) == ("tail fiber protein", 0)


def test_a_distrusted_protein_has_no_vote(vocabulary: ProductVocabulary) -> None:
    wrong, *right = several("thymidylate kinase", "RNA polymerase", "RNA polymerase")
    entry = {"hash": wrong.hash[:12], "ignore": True, "reason": "frameshifted"}
    found = named([wrong, *right], vocabulary, parse_corrections({"protein": [entry]}))
    assert found is not None
    assert (found.name, found.consensus, found.named_members) == ("RNA polymerase", 1, 2)


@pytest.mark.parametrize(
    ("family", "other", "clearly_else"),
    [
        ("terminase large subunit", "terminase small subunit", True),
        ("tail tube protein", "tail fiber protein", True),
        ("tail tube protein", "tail protein", False),
        ("tail protein", "tail tube protein", False),
        ("tail protein", "RNA polymerase", True),
        ("tail tube protein", "hypothetical protein", False),
        ("RNA polymerase", "RNA polymerase inhibitor", True),
        ("thymidylate kinase", "RNA polymerase", True),
        ("thymidylate kinase", "putative kinase", False),
        ("ABC transporter permease", "ribose ABC transporter permease", False),
    ],
)
def test_only_what_clearly_is_something_else_disagrees(
    vocabulary: ProductVocabulary, *, family: str, other: str, clearly_else: bool
) -> None:
    found = named(several(family, family), vocabulary)
    assert found is not None
    assert disagrees(found, protein(other), vocabulary, Corrections()) is clearly_else


def test_a_protein_with_one_fitting_name_does_not_disagree(vocabulary: ProductVocabulary) -> None:
    found = named(several("tail tube protein", "tail tube protein"), vocabulary)
    assert found is not None
    both = protein("RNA polymerase", seed("Phage major tail protein"))
    assert not disagrees(found, both, vocabulary, Corrections())


def test_automatic_names_never_outweigh_what_people_say(vocabulary: ProductVocabulary) -> None:
    curated = (Origin.SWISSPROT, "tail tube protein")
    automatic = [(Origin.AUTOMATIC, "integrase")] * 30
    assert name_of(vocabulary, curated, *automatic) == "tail tube protein"
    assert name_of(vocabulary, *automatic) == "integrase"


SENSORS = """
version = "test"
[[product]]
id = "transcriptional_regulator"
name = "transcriptional regulator"
category = "transcription and its regulation"
vague = true
[[product]]
id = "gntr_family_transcriptional_regulator"
name = "GntR family transcriptional regulator"
category = "transcription and its regulation"
broader = "transcriptional_regulator"
vague = true
[[product]]
id = "sensor_histidine_kinase"
name = "sensor histidine kinase"
synonyms = ["sensor protein"]
category = "transcription and its regulation"
vague = true
[[product]]
id = "citrate_sensor"
name = "citrate sensor"
category = "transcription and its regulation"
broader = "sensor_histidine_kinase"
[[product]]
id = "citrate_lyase_ligase"
name = "citrate lyase ligase"
category = "metabolism"
[[product]]
id = "acetate_ligase"
name = "acetate ligase"
category = "metabolism"
[[product]]
id = "phosphatase"
name = "phosphatase"
synonyms = ["phosphohistidine phosphatase"]
category = "metabolism"
vague = true
"""


@pytest.fixture(scope="module")
def classes() -> ProductVocabulary:
    """Classes of bacteria, of which a symbol names one."""
    return build_vocabulary((parse(SENSORS, ProductKind.BACTERIA),), frozenset())


def of_bacteria(*names: str | tuple[Origin, str]) -> list[TrainingProtein]:
    """One protein of bacteria for each name."""
    return [
        replace(one, namings=tuple(n._replace(lineage=Lineage.BACTERIA) for n in one.namings))
        for one in several(*names)
    ]


def bacterial(vocabulary: ProductVocabulary, *names: str | tuple[Origin, str]) -> str | None:
    found = named(of_bacteria(*names), vocabulary)
    return found.name if found else None


def test_a_symbol_tells_a_protein_from_the_others_of_its_class(
    classes: ProductVocabulary,
) -> None:
    found = named(
        of_bacteria(
            "Sensor protein KdpD",
            "two-component osmosensitive sensor histidine kinase KdpD",
            "sensor histidine kinase KdpD",
            "sensor histidine kinase",
        ),
        classes,
    )
    assert found is not None
    assert (found.name, found.product, found.vague) == ("sensor histidine kinase KdpD", None, False)
    assert len(found.agreeing) == 3


def test_a_symbol_needs_two_proteins_and_half_of_the_names(classes: ProductVocabulary) -> None:
    assert bacterial(classes, "sensor protein RoxS", "sensor protein") == "sensor histidine kinase"
    many = ["sensor histidine kinase BaeS"] * 2 + ["sensor histidine kinase"] * 6
    assert bacterial(classes, *many) == "sensor histidine kinase"


def test_two_symbols_of_one_class_make_the_class(classes: ProductVocabulary) -> None:
    names = ["sensor protein KdpD"] * 2 + ["sensor protein BaeS"] * 2
    assert bacterial(classes, *names) == "sensor histidine kinase"


def test_numbers_behind_a_symbol_are_copies_of_one(classes: ProductVocabulary) -> None:
    names = ["transcriptional regulator SpxA1"] * 2 + ["transcriptional regulator SpxA2"] * 2
    assert bacterial(classes, *names) == "transcriptional regulator SpxA"


def test_own_words_stay_where_they_say_more_than_the_class(classes: ProductVocabulary) -> None:
    names = ["Phosphohistidine phosphatase SixA"] * 2
    assert bacterial(classes, *names) == "phosphohistidine phosphatase SixA"


@pytest.mark.parametrize(
    "name",
    [
        "transcriptional regulator GntR",  # what a whole family is called after
        "transcriptional regulator YdcI",  # of a gene of unknown function
        "transcriptional regulator of LacZ",  # another gene
    ],
)
def test_some_symbols_name_no_protein(classes: ProductVocabulary, name: str) -> None:
    found = named(of_bacteria(name, name), classes)
    assert found is None or found.vague or found.name == "transcriptional regulator of LacZ"


def test_a_phage_s_protein_is_not_named_after_a_gene_of_its_host(
    classes: ProductVocabulary,
) -> None:
    assert name_of(classes, *["transcriptional regulator BetI"] * 3) == "transcriptional regulator"


def test_a_family_of_regulators_keeps_its_name_beside_members_with_symbols(
    classes: ProductVocabulary,
) -> None:
    names = ["GntR family transcriptional regulator"] * 3 + ["transcriptional regulator NanR"]
    assert bacterial(classes, *names) == "GntR family transcriptional regulator"


@pytest.mark.parametrize(
    ("other", "apart"),
    [
        ("sensor histidine kinase BaeS", True),
        ("citrate sensor", True),
        ("sensor histidine kinase", False),
        ("osmosensitive sensor histidine kinase KdpD", False),
    ],
)
def test_another_one_of_the_class_is_a_rival(
    classes: ProductVocabulary, other: str, apart: bool
) -> None:
    family = named(of_bacteria(*["sensor protein KdpD"] * 2), classes)
    assert family is not None
    (protein_of_other,) = of_bacteria(other)
    assert disagrees(family, protein_of_other, classes, Corrections()) is apart


def test_what_two_products_have_in_common_names_a_family_of_both(
    classes: ProductVocabulary,
) -> None:
    citrate, class_alone = "citrate lyase ligase", "ligase"
    assert bacterial(classes, *[citrate] * 2, *["acetate ligase"] * 2) == class_alone
    assert bacterial(classes, *[citrate] * 3, class_alone) == citrate
