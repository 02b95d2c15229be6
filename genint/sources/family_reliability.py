"""How far a hit of one of genint's own families can be trusted, and what its reader must know.

The strength of a hit, that is its class of reliability, depends on how well the family's name is
supported and how near the protein is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from genint.knowledge.foreign_names import foreign_function
from genint.knowledge.name_parsing import names_only_class
from genint.knowledge.own_families import LEAST_CONSENSUS, FamilyPack, OwnFamily
from genint.knowledge.product_names import NameKind, classify_product
from genint.model.evidence import WHOLE_PROFILE, WHOLE_PROTEIN, FamilySupport, ProfileHit
from genint.model.rescue import percent

STRENGTH_WELL_AGREED = "family_well_agreed"
STRENGTH_AGREED = "family_agreed"
STRENGTH_TWO_NAMES = "family_two_names"
STRENGTH_FEW_NAMES = "family_few_names"
STRENGTH_DOUBTFUL = "family_doubtful"
"""Of bacterial proteins, and like a paralogue: far from the members, or they disagree."""
LONE = "_lone"
"""Ends the class of a family whose names all come from one kind of source. Of four bacteria such
names were true in 0.6, those of several sources in 0.95."""
STRENGTH_PART = "family_part"
"""Of the profile or of the protein less is covered than a name of the whole needs."""
STRENGTH_REMNANT = "family_remnant"
"""Of both."""
STRENGTH_MOST = "family_most_of_protein"
"""Most of the protein is like part of the family, and names it: shorter than the members, or what
is left of one, perhaps by one name or by names that differ."""
STRENGTH_PART_FEW_NAMES = "family_part_few_names"
"""Less than the whole, of a family that has its name from one other protein, or from none."""
STRENGTH_RIVAL = "family_rival"
"""Another name than that of a better match on the same stretch."""

PARTIAL_SHARE = 0.5
"""What a bit of a partial match counts beside one of a whole one."""
_HEADLESS = re.compile(r"precursor\b")
"""Begins names that lost the word before: of queuosine, in a queuosine precursor transporter."""
NO_FUNCTION = frozenset({NameKind.PLACEHOLDER, NameKind.SYMBOL})
FEW_NAMES = 2
"""Independent names below which a family's name depends on one annotator."""
_MANY_NAMES = 3
AGREEMENT = 0.8
"""Share of the weight of names from which the members of a family agree on one."""
_GOOD_AGREEMENT = 0.9
_MOSTLY_NAMED = 0.7
_AS_LONG = 0.8
"""Of the length of a family: a shorter protein may be a fragment."""
_NEAR_BITS = 0.6
"""Bits for each position of a bacterial family from which a protein is as near as its
members' orthologues are: below, one name in four of S. pyogenes was another function's."""
_AUTOMATIC_ALONE = ({"seed"}, {"automatic"})
_BESIDE_OTHERS = ", but records call some of them otherwise too"


class FamilyHit(NamedTuple):
    """A hit and its family.

    Attributes:
        hit: Of the family's profile.
        family: Its name and what that rests on.
        whole: Covers profile and protein.
        rival: A better one has another name.
        by_part: Names the protein although it covers only part of it, or of the profile.
        lies_in_family: So because most of the protein is covered.
    """

    hit: ProfileHit
    family: OwnFamily
    whole: bool
    rival: bool = False
    by_part: bool = False
    lies_in_family: bool = False

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
    if names_only_class(family.name) and all("-" in number for number in family.ec):
        return True
    return classify_product(family.name) not in (NameKind.NAME, NameKind.HEDGED)


def says_nothing(family: OwnFamily) -> bool:
    """Whether the name of a family is no function: a code, symbol or placeholder.

    Nor is the end of a name one, or a name of eukaryotes. What the vocabulary knows says something.
    """
    name = family.name
    if family.product is not None:
        return classify_product(family.product.name) is NameKind.PLACEHOLDER
    if classify_product(name) in NO_FUNCTION or _HEADLESS.match(name):
        return True
    return foreign_function(name) is not None


def strength_of(placed: FamilyHit, support: FamilySupport) -> str:
    """Name of the reliability class that a hit falls in; see ``confidence.toml``."""
    hit = placed.hit
    if placed.rival:
        return STRENGTH_RIVAL
    if placed.lies_in_family:
        return STRENGTH_MOST
    if not hit.is_whole:
        if support.independent < FEW_NAMES:
            return STRENGTH_PART_FEW_NAMES
        half = hit.profile_coverage >= WHOLE_PROFILE or hit.protein_coverage >= WHOLE_PROTEIN
        return STRENGTH_PART if half else STRENGTH_REMNANT
    return _strength_of_whole(placed, support)


def _strength_of_whole(placed: FamilyHit, support: FamilySupport) -> str:
    strength = _strength_by_names(placed, support)
    return strength + LONE if _is_lone(placed.family) else strength


def _is_lone(family: OwnFamily) -> bool:
    """Whether all names of a family come from one kind of source."""
    return len({name for name, _ in family.origins}) == 1


def _strength_by_names(placed: FamilyHit, support: FamilySupport) -> str:
    few_names = support.consensus < AGREEMENT or support.independent < FEW_NAMES
    if placed.family.pack is FamilyPack.BACTERIA and (few_names or _is_remote(placed)):
        return STRENGTH_DOUBTFUL
    if few_names:
        return STRENGTH_FEW_NAMES
    if support.independent < _MANY_NAMES:
        return STRENGTH_TWO_NAMES
    if support.consensus >= _GOOD_AGREEMENT and support.informative >= _MOSTLY_NAMED:
        return STRENGTH_WELL_AGREED
    return STRENGTH_AGREED


def _is_remote(placed: FamilyHit) -> bool:
    """Whether a paralogue would score as much; applied to families of bacteria only."""
    hit = placed.hit
    return not hit.is_clear or hit.score_bits < _NEAR_BITS * placed.family.length_aa


def caveats_of(placed: FamilyHit, support: FamilySupport, length_aa: int) -> Iterable[str]:
    """Uncertainties about a hit of a protein of some length, each as a short phrase."""
    hit, family = placed.hit, placed.family
    if placed.rival:
        yield "a better match on the same stretch has another name"
    if is_vague(family):
        yield f"“{family.name}” is a wide class, not one function"
    if family.pack is FamilyPack.BACTERIA and _is_remote(placed):
        yield (
            f"remote from the members of family {family.id}: perhaps a paralogue of another "
            "function"
        )
    yield from _caveats_of_names(family, support)
    if placed.lies_in_family:
        parts = percent(hit.protein_coverage), percent(hit.profile_coverage)
        yield (
            f"{parts[0]} of the protein resembles only {parts[1]} of family {family.id}: shorter "
            "than its members, a fragment, one part of a gene that a frameshift split, or alike in "
            "a domain only"
        )
    elif hit.profile_coverage < WHOLE_PROFILE and hit.protein_coverage >= WHOLE_PROTEIN:
        if length_aa >= _AS_LONG * family.length_aa:
            yield (
                f"the protein is about as long as the members of family {family.id}, but resembles "
                f"only {percent(hit.profile_coverage)} of their profile"
            )
            return
        yield (
            f"the protein is shorter than the members of family {family.id}: a fragment, or one "
            "part of a gene that a frameshift split"
        )
    elif hit.protein_coverage < WHOLE_PROTEIN:
        yield f"only a region resembles family {family.id}; the function of the rest is unknown"


def _caveats_of_names(family: OwnFamily, support: FamilySupport) -> Iterable[str]:
    """Uncertainties about the members that the family is named after."""
    if support.independent < 1:
        yield f"no protein but this one gave family {family.id} its name"
    elif support.independent < _MANY_NAMES:
        others = "another protein" if support.independent == 1 else "two other proteins"
        yield f"few named members: family {family.id} has its name from {others}"
    if support.consensus < AGREEMENT:
        every = support.agreeing == support.named_members
        how = "where reviewed names count more, and wider ones half"
        weighed = f" ({support.consensus:.0%} {how})"
        yield (
            f"the names in family {family.id} differ: {support.agreeing} of "
            f"{support.named_members} members have this one{_BESIDE_OTHERS if every else ''}"
            f"{weighed if support.consensus != LEAST_CONSENSUS else ''}"
        )
    origins = {name for name, _ in family.origins}
    if origins in _AUTOMATIC_ALONE:
        who = "SEED" if origins == {"seed"} else "UniProt's rules"
        yield f"all names in family {family.id} come from {who}, an automatic annotation"
    elif _is_lone(family):
        yield f"all names in family {family.id} come from one kind of source"
