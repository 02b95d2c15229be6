"""Clusters of similar proteins."""

from __future__ import annotations

import random

import pytest

from genint.errors import UsageError
from genint.sources.similarity.clusters import Limits, cluster_proteins

CHANCE = random.Random(1)
RESIDUES = "ACDEFGHIKLMNPQRSTVWY"


def made(length_aa: int) -> str:
    return "".join(CHANCE.choices(RESIDUES, k=length_aa))


def relative(protein: str, identity: float) -> str:
    """The protein with other residues at so many places, spread evenly."""
    places = CHANCE.sample(range(len(protein)), round((1 - identity) * len(protein)))
    letters = list(protein)
    for at in places:
        letters[at] = CHANCE.choice(RESIDUES.replace(letters[at], ""))
    return "".join(letters)


ONE, OTHER = made(200), made(180)


def groups(proteins, **limits):
    """Which proteins are in one cluster, as sets of the proteins."""
    found: dict[int, set[str]] = {}
    for protein, member in zip(proteins, cluster_proteins(proteins, Limits(**limits)), strict=True):
        found.setdefault(member.representative, set()).add(protein)
    return sorted(map(sorted, found.values()))


def test_relatives_are_together_and_strangers_apart():
    near, far = relative(ONE, 0.9), relative(ONE, 0.55)
    assert groups([ONE, OTHER, near, far]) == sorted([sorted([ONE, near, far]), [OTHER]])


def test_the_order_in_which_proteins_are_given_changes_nothing():
    proteins = [made(90 + number) for number in range(5)]
    proteins += [relative(protein, share) for protein in proteins for share in (0.9, 0.8, 0.7)]
    shuffled = CHANCE.sample(proteins, len(proteins))
    assert groups(proteins) == groups(shuffled)
    assert len(groups(proteins)) == 5


def test_limits_of_identity_and_coverage_hold():
    near, part = relative(ONE, 0.7)[:-1], ONE[:150]
    (_, member, short) = cluster_proteins([ONE, near, part], Limits(0.6, 0.7))
    assert member.representative == short.representative == 0
    assert member.identity == pytest.approx(0.7, abs=0.03)
    assert (short.identity, short.coverage) == (1.0, 0.75)
    assert len(groups([ONE, near], identity=0.8)) == 2
    assert len(groups([ONE, part], coverage=0.8)) == 2


def test_what_may_be_alike_by_chance_is_no_cluster():
    protein = "MKAVSTREQLN"
    assert len(groups([protein, protein[:-1], *(made(300) for _ in range(30))])) == 32


def test_the_same_protein_is_one_cluster_however_short_or_odd_it_is():
    members = cluster_proteins(["MK", "mk*", "", "", "XXXXXXXX", "M?"])
    assert [one.representative for one in members] == [0, 0, 2, 2, 4, 5]
    assert cluster_proteins([]) == ()


@pytest.mark.parametrize("limits", [Limits(0.0), Limits(1.1), Limits(coverage=0), Limits(evalue=0)])
def test_limits_that_are_no_shares_are_refused(limits):
    with pytest.raises(UsageError, match="shares"):
        cluster_proteins([ONE], limits)
