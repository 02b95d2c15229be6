"""How far the name of a family is to be trusted for a protein that hits it.

What counts was measured: how many members carry the name independently and how well
they agree, and in bacteria, whose genomes keep paralogues side by side, how near the
protein comes to the members. In phages the score says little.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from genint.knowledge.own_families import FamilyPack, OwnFamily
from genint.knowledge.product_names import NameKind, classify_product
from genint.model.evidence import FamilySupport, ProfileHit

STRENGTH_WELL_AGREED = "family_well_agreed"
STRENGTH_AGREED = "family_agreed"
STRENGTH_TWO_NAMES = "family_two_names"
STRENGTH_FEW_NAMES = "family_few_names"
STRENGTH_DOUBTFUL = "family_doubtful"
"""Of bacterial proteins, and like a paralogue: far from the members, or they disagree."""
LONE = "_lone"
"""Behind the class of a family whose names all come from one kind of source: no other bears
them out. Of four bacteria such names were true in 0.6, those of several sources in 0.95."""
STRENGTH_PART = "family_part"
"""Of the profile or of the protein less is covered than a name of the whole needs."""
STRENGTH_REMNANT = "family_remnant"
"""Of both."""
STRENGTH_RIVAL = "family_rival"
"""Another name than that of a better match on the same stretch."""

WHOLE_PROFILE = 0.7
"""Share of profile positions from which a family counts as complete (HMMER reports
local alignments, so even true members lose some positions at the ends)."""
WHOLE_PROTEIN = 0.6
"""Share of the protein from which a family names it: what is left has no room for a
second domain of usual size in a protein of usual length."""
PARTIAL_SHARE = 0.5
"""What a bit of a partial match counts beside one of a whole one."""
FEW_NAMES = 2
"""Independent names below which a family's name is one annotator's word."""
_MANY_NAMES = 3
_AGREEMENT = 0.8
_GOOD_AGREEMENT = 0.9
_MOSTLY_NAMED = 0.7
_NEAR_BITS = 0.6
"""Bits for each position of a bacterial family from which a protein is as near as its
members' orthologues are: below, one name in four of S. pyogenes was another function's."""
_SEED_ALONE = frozenset({"seed"})


class Placed(NamedTuple):
    """A hit, its family, whether it covers both, and whether a better one says otherwise."""

    hit: ProfileHit
    family: OwnFamily
    whole: bool
    rival: bool = False

    @property
    def rank(self) -> tuple[float, str]:
        """Best first."""
        share = 1.0 if self.whole else PARTIAL_SHARE
        return (-share * self.hit.score_bits, self.family.id)


def is_vague(family: OwnFamily) -> bool:
    """Whether its name is a class (tail protein), not one function."""
    if family.vague:
        return True
    if family.product is not None:
        return family.product.vague
    return classify_product(family.name) not in (NameKind.NAME, NameKind.HEDGED)


def strength_of(placed: Placed, support: FamilySupport) -> str:
    """Name of the reliability class that a hit falls in; see ``confidence.toml``."""
    hit = placed.hit
    if placed.rival:
        return STRENGTH_RIVAL
    if hit.profile_coverage < WHOLE_PROFILE or hit.protein_coverage < WHOLE_PROTEIN:
        half = hit.profile_coverage >= WHOLE_PROFILE or hit.protein_coverage >= WHOLE_PROTEIN
        return STRENGTH_PART if half else STRENGTH_REMNANT
    return _strength_of_whole(placed, support)


def _strength_of_whole(placed: Placed, support: FamilySupport) -> str:
    strength = _strength_by_names(placed, support)
    return strength + LONE if _is_lone(placed.family) else strength


def _is_lone(family: OwnFamily) -> bool:
    """Whether all names of a family come from one kind of source."""
    return len({name for name, _ in family.origins}) == 1


def _strength_by_names(placed: Placed, support: FamilySupport) -> str:
    few_names = support.consensus < _AGREEMENT or support.independent < FEW_NAMES
    if placed.family.pack is FamilyPack.BACTERIA and (few_names or _is_remote(placed)):
        return STRENGTH_DOUBTFUL
    if few_names:
        return STRENGTH_FEW_NAMES
    if support.independent < _MANY_NAMES:
        return STRENGTH_TWO_NAMES
    if support.consensus >= _GOOD_AGREEMENT and support.informative >= _MOSTLY_NAMED:
        return STRENGTH_WELL_AGREED
    return STRENGTH_AGREED


def _is_remote(placed: Placed) -> bool:
    """Whether a paralogue would score as much: said of families of bacteria only."""
    return placed.hit.score_bits < _NEAR_BITS * placed.family.length_aa


def caveats_of(placed: Placed, support: FamilySupport) -> Iterable[str]:
    """What a curator should doubt about a hit, each as a short phrase."""
    hit, family = placed.hit, placed.family
    if placed.rival:
        yield "a better match on the same stretch has another name"
    if is_vague(family):
        yield f"“{family.name}” is a wide class, not one function"
    if family.pack is FamilyPack.BACTERIA and _is_remote(placed):
        yield f"remote from the members of {family.id}: perhaps a paralogue of another function"
    yield from _caveats_of_names(family, support)
    if hit.profile_coverage < WHOLE_PROFILE and hit.protein_coverage >= WHOLE_PROTEIN:
        yield (
            f"the protein is shorter than the members of {family.id}: a fragment, or one part of "
            "a gene that a frameshift split"
        )
    elif hit.protein_coverage < WHOLE_PROTEIN:
        yield f"what the protein does beside the region like {family.id} is not told"


def _caveats_of_names(family: OwnFamily, support: FamilySupport) -> Iterable[str]:
    """Doubts about what the family has its name from."""
    if support.independent < 1:
        yield f"no protein but this one gave {family.id} its name"
    elif support.independent < _MANY_NAMES:
        others = "another protein" if support.independent == 1 else "two other proteins"
        yield f"few named members: {family.id} has its name from {others}"
    if support.consensus < _AGREEMENT:
        yield f"names differ: {support.consensus:.0%} of their weight in {family.id} agree"
    if {name for name, _ in family.origins} == _SEED_ALONE:
        yield f"all names in {family.id} come from SEED, an automatic annotation"
    elif _is_lone(family):
        yield f"all names in {family.id} come from one kind of source"
