"""Thresholds: above what clearly is something else, and no single odd name rules."""

from __future__ import annotations

from genint.knowledge import FamilyPack
from training.families.corpus import sequence_hash
from training.families.thresholds import (
    FLOOR_BITS,
    Judge,
    Scores,
    Threshold,
    floor,
    threshold,
)
from training.families.trial import decoys, tried_proteins
from training.families.values import (
    Cluster,
    Corpus,
    Lineage,
    Naming,
    Origin,
    TrainingProtein,
)

LETTERS = "ACDEFGHIKLMNPQRSTVWY"


def protein(
    at: int, product: str, origin: Origin = Origin.SUBMITTER, *, rest: str = ""
) -> TrainingProtein:
    residues = "MKT" + LETTERS[at % 20] + LETTERS[at // 20] + rest
    naming = Naming(f"R{at}", product, "", origin, Lineage.PHAGE)
    return TrainingProtein(sequence_hash(residues), residues, (naming,))


def corpus_of(*proteins: TrainingProtein) -> Corpus:
    return Corpus({one.hash: one for one in sorted(proteins, key=lambda one: one.hash)})


MEMBERS = tuple(protein(at, "portal protein") for at in range(4))
OWN = tuple(sorted(one.hash for one in MEMBERS))


def found(
    *others: tuple[TrainingProtein, float], member_bits: float = 100.0, blind: bool = False
) -> Threshold:
    """Threshold of a family of four where these others score."""
    tried = sorted(((one.hash, bits) for one, bits in others), key=lambda pair: -pair[1])
    known = () if blind else tuple(one for one, _ in others)
    return threshold(
        Scores(dict.fromkeys(OWN, member_bits), tuple(tried)),
        OWN,
        corpus_of(*MEMBERS, *known),
        Judge(lambda one: one.namings[0].product != "portal protein", lambda _: False),
    )


def test_a_family_without_rivals_has_the_floor() -> None:
    assert found() == Threshold(FLOOR_BITS, 1.0, None)


def test_the_threshold_lies_above_the_best_protein_of_another_function() -> None:
    rival, weaker = protein(10, "integrase"), protein(11, "holin")
    limit = found((rival, 60.0), (weaker, 40.0))
    assert limit.bits == 61.0
    assert limit.dissenter == rival.hash


def test_a_rival_below_the_floor_does_not_lower_it() -> None:
    assert found((protein(10, "integrase"), 18.0)).bits == FLOOR_BITS


def test_a_protein_of_the_same_name_is_no_rival() -> None:
    assert found((protein(10, "portal protein"), 90.0)).bits == FLOOR_BITS


def test_a_member_is_no_rival_whatever_it_is_called() -> None:
    odd = TrainingProtein(
        MEMBERS[0].hash,
        MEMBERS[0].residues,
        (Naming("R0", "integrase", "", Origin.SWISSPROT, Lineage.PHAGE),),
    )
    assert found((odd, 90.0)).bits == FLOOR_BITS


def test_one_name_of_automatic_annotation_alone_rules_no_family() -> None:
    odd = protein(10, "integrase", Origin.SEED)
    assert found((odd, 90.0)).bits == FLOOR_BITS


def test_a_second_dissenter_sets_the_threshold_and_not_the_doubtful_first() -> None:
    odd = protein(10, "integrase", Origin.SEED)
    assert found((odd, 90.0), (protein(11, "holin"), 50.0)).bits == 51.0
    assert found((odd, 90.0), (protein(11, "holin", Origin.SEED), 50.0)).bits == 51.0


def test_a_protein_of_which_the_family_is_a_part_is_no_rival() -> None:
    half_as_long_again, twice_as_long = "GGG", "GGGGG"
    assert found((protein(10, "fusion", rest=half_as_long_again), 90.0)).bits == 91.0
    assert found((protein(10, "fusion", rest=twice_as_long), 90.0)).bits == FLOOR_BITS


def test_what_a_blind_build_must_not_know_sets_no_threshold() -> None:
    assert found((protein(10, "integrase"), 60.0), blind=True).bits == FLOOR_BITS


def test_a_family_that_loses_half_of_its_members_does_not_hold() -> None:
    rival = protein(10, "integrase")
    assert found((rival, 60.0), member_bits=61.0).holds
    assert not found((rival, 60.0), member_bits=60.9).holds


def beside_relative(bits: float, *member_bits: float) -> Threshold:
    """Threshold of the family beside a relative whose name shares its words."""
    relative = protein(10, "portal protein of another kind")
    return threshold(
        Scores(dict(zip(OWN, member_bits, strict=True)), ((relative.hash, bits),)),
        OWN,
        corpus_of(*MEMBERS, relative),
        Judge(lambda _: False, lambda one: "another" in one.namings[0].product),
    )


def test_a_relative_that_differs_by_a_closer_look_sets_the_threshold_as_well() -> None:
    assert beside_relative(60.0, 100.0, 90.0, 80.0, 70.0).bits == 61.0


def test_a_relative_that_scores_like_members_sets_no_threshold() -> None:
    assert beside_relative(60.0, 100.0, 90.0, 80.0, 60.9) == Threshold(FLOOR_BITS, 1.0, None)


def test_a_family_that_takes_a_decoy_for_its_own_has_a_threshold_above_that():
    limit = threshold(
        Scores(dict.fromkeys(OWN, 100.0), (), decoy=40.0),
        OWN,
        corpus_of(*MEMBERS),
        Judge(lambda _: True, lambda _: True),
    )
    assert limit == Threshold(41.0, 1.0, None)


def test_thresholds_are_written_with_one_decimal_without_falling_below_the_rival() -> None:
    assert found((protein(10, "integrase"), 60.01)).bits == 61.1


def test_a_few_named_proteins_of_each_cluster_are_tried() -> None:
    named = [protein(at, "portal protein") for at in range(6)]
    best = protein(6, "portal protein", Origin.SWISSPROT)
    nameless = protein(7, "hypothetical protein")
    cluster = Cluster("GF00000000", tuple(sorted(one.hash for one in [*named, best, nameless])))
    tried = tried_proteins(corpus_of(*named, best, nameless), [cluster])
    assert len(tried) == 2
    assert best.hash in tried
    assert nameless.hash not in tried


def test_a_lone_protein_is_tried_if_a_person_named_it() -> None:
    trusted = protein(0, "integrase")
    automatic = protein(1, "integrase", Origin.SEED)
    transferred = protein(2, "integrase", Origin.MACHINE)
    assert tried_proteins(corpus_of(trusted, automatic, transferred), []) == (trusted.hash,)


def test_decoys_are_the_most_repetitive_proteins_reversed():
    collagen, varied, short = "M" + "GPQ" * 60, "MKT" + LETTERS * 3 + LETTERS[::-1] * 3, "MGPQGPQ"
    proteins = [
        TrainingProtein(sequence_hash(residues), residues, (protein(0, "x").namings[0],))
        for residues in (collagen, varied, short)
    ]
    assert decoys(corpus_of(*proteins)) == (collagen[::-1], varied[::-1])


def test_families_of_bacteria_ask_for_more_the_longer_their_members_are() -> None:
    members = ["M" * 300, "M" * 310, "M" * 900]
    assert floor(members, FamilyPack.BACTERIA) == 0.4 * 310
    assert floor(["M" * 40], FamilyPack.BACTERIA) == FLOOR_BITS
    assert floor(members, FamilyPack.PHAGE) == FLOOR_BITS
