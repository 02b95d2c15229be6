"""Features of proteins: what is found where, and that odd proteins do no harm."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.model import CalledBy, FeatureKind, Gene, Interval, Location, SequenceFeature, Strand
from genint.sources import observe_features
from tests.builders.cpu_cost import least_cpu_s

HELIX = "LLIVALFLLAIVGLLAIVLFL"
WATER = "DEKQRNSTEEKDQKRNSEDTGKEQDNSRKP"
SECRETED = "MKKTAIAIAVALAGFATVAQAAPKDNTWYTGAKLGWSQYHDTGFINNNGPTHENQLGAGAFGGYQVNP"
"""Beginning of OmpA of E. coli: 21 residues are cut off."""
LIPOPROTEIN = "MKATKLVLGAVILGSTLLAGCSSNAKIDQLSSDVQTLNAKVDQLSNDVNAMRSDVQAAKDDAARANQRLDNMATKYRK"
"""Lpp of E. coli: the lipid is on residue 21; the rest is a coiled coil."""


def gene(protein: str, id_: str = "g") -> Gene:
    place = Location.simple(Interval(0, 3), Strand.FORWARD)
    return Gene(id_, "contig", place, protein, 11, CalledBy.GENBANK)


def features(protein: str) -> tuple[SequenceFeature, ...]:
    return observe_features([gene(protein)]).get("g", ())


def kinds(protein: str) -> list[FeatureKind]:
    return [feature.kind for feature in features(protein)]


def made_up(length: int, seed: int) -> str:
    letters = "ACDEFGHIKLMNPQRSTVWY"
    return "M" + "".join(random.Random(seed).choices(letters, k=length - 1))


def test_a_protein_without_features_is_not_told() -> None:
    assert observe_features([gene("M" + WATER)]) == {}


def test_signal_peptide_is_found_up_to_its_cut_and_is_no_segment() -> None:
    (signal,) = features(SECRETED)
    assert (signal.kind, signal.first, signal.last) == (FeatureKind.SIGNAL_PEPTIDE, 1, 21)


def test_signal_of_a_lipoprotein_ends_before_the_cysteine_and_is_told_alone() -> None:
    found = features(LIPOPROTEIN)
    assert [one.kind for one in found] == [FeatureKind.LIPOPROTEIN_SIGNAL, FeatureKind.COILED_COIL]
    assert found[0].last == 20
    assert LIPOPROTEIN[found[0].last] == "C"


def test_segments_of_a_membrane_protein_come_in_order_and_do_not_overlap() -> None:
    protein = "M" + (WATER + HELIX) * 6 + WATER
    found = features(protein)
    assert [one.kind for one in found] == [FeatureKind.TRANSMEMBRANE] * 6
    assert all(one.last < other.first for one, other in pairwise(found))


def test_first_segment_of_a_membrane_protein_is_no_signal_peptide() -> None:
    found = kinds(SECRETED + (HELIX + WATER) * 3)
    assert FeatureKind.SIGNAL_PEPTIDE not in found
    assert found.count(FeatureKind.TRANSMEMBRANE) == 4


def test_a_segment_at_the_end_does_not_make_a_signal_peptide_an_anchor() -> None:
    """So are proteins tied to the wall of Gram-positive bacteria."""
    at_end = kinds(SECRETED + WATER * 5 + HELIX + WATER[:8])
    assert at_end == [FeatureKind.SIGNAL_PEPTIDE, FeatureKind.TRANSMEMBRANE]
    assert kinds(SECRETED + HELIX + WATER * 5) == [FeatureKind.TRANSMEMBRANE] * 2


def test_low_complexity_is_told_outside_of_membranes_only() -> None:
    (poor,) = features("M" + WATER + "GSGSGSGSGSGSGSGSGSGS" + WATER)
    assert poor.kind is FeatureKind.LOW_COMPLEXITY
    assert (poor.first, poor.last) > (25, 50)
    assert kinds("M" + WATER + "L" * 19 + WATER) == [FeatureKind.TRANSMEMBRANE]


@pytest.mark.parametrize(
    "protein", ["", "M", "*", "MX", "MKKLLPT", "X" * 400, "*" * 60, "U" * 30, "O" * 30, "BZJ" * 40]
)
def test_empty_short_and_odd_proteins_are_no_error(protein: str) -> None:
    for feature in features(protein):
        assert 1 <= feature.first <= feature.last <= len(protein)


def test_unknown_residues_show_nothing() -> None:
    assert kinds("M" + "X" * 500) in ([], [FeatureKind.LOW_COMPLEXITY])


def test_no_feature_lies_over_a_stop() -> None:
    protein = "M" + WATER + HELIX[:12] + "*" + HELIX[12:] + WATER
    assert FeatureKind.TRANSMEMBRANE in kinds(protein.replace("*", "L"))
    assert all(not one.first <= 44 <= one.last for one in features(protein))


def test_letters_of_any_case_are_the_same() -> None:
    assert features(SECRETED.lower()) == features(SECRETED)


def test_no_genes_have_no_features() -> None:
    assert observe_features([]) == {}


def test_what_is_found_does_not_depend_on_the_other_proteins() -> None:
    proteins = [made_up(length, length) for length in range(0, 400, 7)]
    proteins += [SECRETED, LIPOPROTEIN, WATER + HELIX + WATER, ""]
    genes = [gene(protein, str(number)) for number, protein in enumerate(proteins)]
    together = observe_features(genes)
    assert together == {
        one.id: alone for one in genes if (alone := observe_features([one]).get(one.id, ()))
    }
    assert together == observe_features(reversed(genes))


def test_a_very_long_protein_takes_no_longer_than_many_short_ones() -> None:
    long = "M" + (WATER + HELIX + "EIAALEKEIAALEKEIAALEKEIAALEK") * 130
    assert len(long) > 10_000
    observe_features([gene("MKK")])  # tables are made once
    short = [gene(long[at : at + 250], str(at)) for at in range(0, len(long), 250)]
    assert least_cpu_s(lambda: features(long)) < 5 * least_cpu_s(lambda: observe_features(short))
    found = features(long)
    assert Counter(one.kind for one in found)[FeatureKind.TRANSMEMBRANE] == 130


def test_positions_lie_within_the_protein() -> None:
    for seed in range(40):
        protein = HELIX + made_up(60 + seed, seed) + HELIX
        for one in features(protein):
            assert 1 <= one.first <= one.last <= len(protein)
            assert one.last - one.first >= 11


def test_features_of_e_coli_are_as_many_as_its_biology_says(shared_data: Path) -> None:
    """About a quarter of its proteins lie in the inner membrane; some 500 have a signal."""
    genome = read_genome(shared_data / "genomes" / "E_coli_K12_MG1655_NC_000913.gbk.gz")
    genes = [one for contig in genome.contigs for one in contig.genes]
    found = observe_features(genes)
    have = Counter(kind for told in found.values() for kind in {one.kind for one in told})
    assert 800 < have[FeatureKind.TRANSMEMBRANE] < 1100
    assert 400 < have[FeatureKind.SIGNAL_PEPTIDE] < 600
    assert 90 < have[FeatureKind.LIPOPROTEIN_SIGNAL] < 170
