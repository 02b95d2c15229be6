"""Family evidence: the names of genint's own families that a protein belongs to.

A family that covers profile and protein names the protein. One that covers a part of either says
only that the protein contains a region like it: a fusion does more than the family, a fragment
perhaps less. Phages change the rest of a protein and keep its function: half of the protein is
enough for a family of theirs to name it, where nothing else does (:func:`_names_by_part`).

The strength of a hit, that is its class of reliability, depends on how well the family's name is
supported and how near the protein is.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from genint.knowledge.foreign_names import foreign_function
from genint.knowledge.name_parsing import names_only_class
from genint.knowledge.own_families import FamilyPack, OwnFamily, OwnFamilyTable
from genint.knowledge.product_names import (
    NameKind,
    alike,
    classify_product,
    clean_product,
    words_of,
)
from genint.knowledge.products import ProductVocabulary, Relation
from genint.model.evidence import (
    Evidence,
    FamilySupport,
    ProfileHit,
    SimilarityHit,
    by_gene,
    residues_digest,
)
from genint.model.genome import Gene
from genint.model.rescue import percent
from genint.model.vocabulary import EvidenceSource, EvidenceType, Specificity
from genint.sources.pfam import (
    ECO_SEQUENCE_MODEL,
    WHOLE_PROFILE,
    WHOLE_PROTEIN,
    measurements_of,
)

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
STRENGTH_PART_FEW_NAMES = "family_part_few_names"
"""Less than the whole, of a family that has its name from one other protein, or from none."""
STRENGTH_RIVAL = "family_rival"
"""Another name than that of a better match on the same stretch."""

PARTIAL_SHARE = 0.5
"""What a bit of a partial match counts beside one of a whole one."""
_HEADLESS = re.compile(r"precursor\b")
"""Begins names that lost the word before: of queuosine, in a queuosine precursor transporter."""
_NO_FUNCTION = frozenset({NameKind.PLACEHOLDER, NameKind.SYMBOL})
FEW_NAMES = 2
"""Independent names below which a family's name depends on one annotator."""
_MANY_NAMES = 3
_AGREEMENT = 0.8
_GOOD_AGREEMENT = 0.9
_MOSTLY_NAMED = 0.7
_NEAR_BITS = 0.6
"""Bits for each position of a bacterial family from which a protein is as near as its
members' orthologues are: below, one name in four of S. pyogenes was another function's."""
_RAST = re.compile(r"rasttk_|RAST\d?:")
"""Begins notes and cross-references of genes that RAST annotated."""
_AUTOMATIC_ALONE = ({"seed"}, {"automatic"})


PART_OF_FAMILY, PART_OF_PROTEIN = 1 / 3, 1 / 2
"""Shares of profile and protein from which a part names a protein of a phage. Of 50 never seen
that had no better match, 42 have the name of the family, 6 a narrower one; of those with less of
either, 17, 5 and 5."""


class FamilyHit(NamedTuple):
    """A hit and its family.

    Attributes:
        hit: Of the family's profile.
        family: Its name and what that rests on.
        whole: Covers profile and protein.
        rival: A better one has another name.
        by_part: Names the protein although it covers only part of it, or of the profile.
    """

    hit: ProfileHit
    family: OwnFamily
    whole: bool
    rival: bool = False
    by_part: bool = False

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
    if classify_product(name) in _NO_FUNCTION or _HEADLESS.match(name):
        return True
    return foreign_function(name) is not None


def strength_of(placed: FamilyHit, support: FamilySupport) -> str:
    """Name of the reliability class that a hit falls in; see ``confidence.toml``."""
    hit = placed.hit
    if placed.rival:
        return STRENGTH_RIVAL
    if hit.profile_coverage < WHOLE_PROFILE or hit.protein_coverage < WHOLE_PROTEIN:
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


def _is_remote(placed: FamilyHit) -> bool:
    """Whether a paralogue would score as much; applied to families of bacteria only."""
    hit = placed.hit
    return not hit.is_clear or hit.score_bits < _NEAR_BITS * placed.family.length_aa


def caveats_of(placed: FamilyHit, support: FamilySupport) -> Iterable[str]:
    """Uncertainties about a hit, each as a short phrase."""
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
    if hit.profile_coverage < WHOLE_PROFILE and hit.protein_coverage >= WHOLE_PROTEIN:
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
    if support.consensus < _AGREEMENT:
        every = support.agreeing == support.named_members
        yield (
            f"the names in family {family.id} differ: {support.agreeing} of "
            f"{support.named_members} members have this one{_BESIDE_OTHERS if every else ''} "
            f"({support.consensus:.0%} where reviewed names count more)"
        )
    origins = {name for name, _ in family.origins}
    if origins in _AUTOMATIC_ALONE:
        who = "SEED" if origins == {"seed"} else "UniProt's rules"
        yield f"all names in family {family.id} come from {who}, an automatic annotation"
    elif _is_lone(family):
        yield f"all names in family {family.id} come from one kind of source"


_BESIDE_OTHERS = ", but records call some of them otherwise too"
_CUT_OFF_PROFILE = 0.3
"""Share of the profile that is enough where the end of a sequence cuts the gene off."""
_SAME_PLACE = 0.5
"""Share of the shorter of two hits that lies in the other: then they compete."""
_RIVAL_SHARE = 0.5
"""Of the best score: from here on another name on the same stretch is reported."""
_MOST_RIVALS = 2
_SHORTEST_SYMBOL = 3
_PURE_COG = 0.8
"""Share of members from which their COG letter was right in 96 % (see ``Family.cog``)."""


def observe(
    genes: Iterable[Gene],
    hits: Iterable[ProfileHit],
    table: OwnFamilyTable,
    vocabulary: ProductVocabulary,
    phages: Container[str] = frozenset(),
) -> tuple[Evidence, ...]:
    """Evidence from hits of genint's own families.

    Args:
        genes: Whose proteins were searched; hits of others are left out.
        hits: Of any profiles, in any order; those of families that the table lacks, or whose
            name says nothing, are left out.
        table: The families with their names and the support of these.
        vocabulary: Decides which names mean one thing.
        phages: Ids of the records that are taken for phages: there a part may name a protein.

    Returns:
        In the order of ``genes``; for each the best hit of every stretch, behind it up
        to two on the same stretch with another name.

    Cost: some 50 microseconds a hit.
    """
    known = by_gene(hit for hit in hits if hit.accession in table)
    found: list[Evidence] = []
    for gene in genes:
        own = known.get(gene.id)
        if own:
            placed = _kept(gene, own, table, vocabulary)
            if gene.contig in phages and _names_by_part(gene, placed, table):
                placed[0] = placed[0]._replace(by_part=True)
            # One that says nothing is still the better match: others on its stretch are rivals.
            telling = (one for one in placed if not says_nothing(one.family))
            found.extend(_evidence(gene, one, table) for one in telling)
    return tuple(found)


def _kept(
    gene: Gene,
    hits: Iterable[ProfileHit],
    table: OwnFamilyTable,
    vocabulary: ProductVocabulary,
) -> list[FamilyHit]:
    """The best hit of every stretch, and rivals of another name."""
    best: list[FamilyHit] = []
    rivals: list[FamilyHit] = []
    families = ((hit, table[hit.accession]) for hit in hits)
    for placed in sorted(
        (FamilyHit(hit, family, _is_whole(gene, hit)) for hit, family in families),
        key=lambda placed: placed.rank,
    ):
        better = [one for one in best if same_stretch(one.hit, placed.hit)]
        if not better:
            best.append(placed)
        elif all(_is_rival(placed, one, vocabulary) for one in (*better, *rivals)):
            rivals.append(placed._replace(rival=True))
    return best + rivals[:_MOST_RIVALS]


def _names_by_part(gene: Gene, placed: Sequence[FamilyHit], table: OwnFamilyTable) -> bool:
    """Whether the best of a gene's hits names it although it covers only part of something.

    Only of phages, only by several witnesses of one opinion, and only where neither the file nor
    another family says more.
    """
    best = placed[0]
    if any(one.whole for one in placed) or best.family.pack is not FamilyPack.PHAGE:
        return False
    if gene.product is not None and classify_product(gene.product) not in _NO_FUNCTION:
        return False
    enough = best.hit.profile_coverage >= PART_OF_FAMILY
    enough = enough and best.hit.protein_coverage >= PART_OF_PROTEIN
    support = _support(gene, best, table)
    agreed = support.independent >= FEW_NAMES and support.consensus >= _AGREEMENT
    return enough and agreed and not is_vague(best.family) and not gene.pseudo


def _is_whole(gene: Gene, hit: ProfileHit) -> bool:
    cut_off = gene.location.partial_5 or gene.location.partial_3
    needed = _CUT_OFF_PROFILE if cut_off else WHOLE_PROFILE
    return hit.profile_coverage >= needed and hit.protein_coverage >= WHOLE_PROTEIN


def same_stretch(one: ProfileHit | SimilarityHit, other: ProfileHit | SimilarityHit) -> bool:
    """Whether two hits are on the same stretch of the protein."""
    first = max(one.protein_from, other.protein_from)
    last = min(one.protein_to, other.protein_to)
    shorter = min(one.protein_to - one.protein_from, other.protein_to - other.protein_from)
    return last - first + 1 >= _SAME_PLACE * (shorter + 1)


def _is_rival(placed: FamilyHit, better: FamilyHit, vocabulary: ProductVocabulary) -> bool:
    """Whether a hit comes near a better one and has another name."""
    if placed.hit.score_bits < _RIVAL_SHARE * better.hit.score_bits:
        return False
    one, other = placed.family.product, better.family.product
    if one is not None and other is not None:
        relation = vocabulary.related(one.id, other.id)
        if relation is not Relation.UNRELATED:
            return relation in (Relation.OPPOSITE, Relation.SIBLING)
    return not alike(words_of(placed.family.name), words_of(better.family.name))


def _is_of_one_pipeline(gene: Gene, family: OwnFamily) -> bool:
    """Whether RAST named the gene as SEED, whose names RAST gives, named all members of a family.

    Such a family shows that one program is of one opinion.
    """
    if gene.product is None or {name for name, _ in family.origins} != {"seed"}:
        return False
    marks = (*gene.values("note"), *gene.values("db_xref"))
    if not any(_RAST.match(mark) for mark in marks):
        return False
    return alike(words_of(clean_product(gene.product)), words_of(family.name))


def _evidence(gene: Gene, placed: FamilyHit, table: OwnFamilyTable) -> Evidence:
    hit, family, whole = placed.hit, placed.family, placed.whole
    support = _support(gene, placed, table)
    # With only one other named member the name still depends mostly on the file itself.
    own_name = support.is_member and support.independent < FEW_NAMES
    self_named = gene.product is not None and (own_name or support.independent < 1)
    of_one_source = self_named or _is_of_one_pipeline(gene, family)
    product = family.product
    return Evidence(
        gene_id=gene.id,
        source=EvidenceSource.GENINT_FAMILY,
        type=EvidenceType.FAMILY,
        specificity=_specificity(placed),
        claim=family.name if whole or placed.by_part else f"contains a region like {family.name}",
        subject=family.name,
        label=_label(placed, support),
        strength=strength_of(placed, support),
        # File and family then have the name from one source, which counts once.
        origin=f"annotation:{gene.contig}" if of_one_source else f"genint_family:{family.id}",
        database=table.database,
        accession=family.id,
        eco=ECO_SEQUENCE_MODEL,
        measured=measurements_of(hit),
        cog=family.cog if whole and family.cog_purity >= _PURE_COG else None,
        ec=_enzyme_numbers(family) if whole else (),
        go=family.go if whole else (),
        caveats=tuple(caveats_of(placed, support)),
        aliases=_aliases(family),
        product=product.id if product else None,
        expected_pfam=family.pfam,
        support=support,
    )


def _support(gene: Gene, placed: FamilyHit, table: OwnFamilyTable) -> FamilySupport:
    hit, family = placed.hit, placed.family
    agreeing = table.named_members_of(family.id)
    return FamilySupport(
        members=family.members,
        named_members=family.named_members,
        agreeing=len(agreeing),
        records=family.records,
        consensus=family.consensus,
        informative=family.informative,
        margin_bits=round(max(0.0, hit.score_bits - hit.threshold_bits), 2),
        is_member=residues_digest(gene.protein) in agreeing,
    )


def _specificity(placed: FamilyHit) -> Specificity:
    if placed.by_part:
        return Specificity.PROTEIN
    if not placed.whole:
        return Specificity.DOMAIN
    if is_vague(placed.family):
        return Specificity.CATEGORY
    if placed.hit.profile_coverage < WHOLE_PROFILE:
        return Specificity.FAMILY  # a piece of the gene, as far as the sequence goes
    return Specificity.PROTEIN


def _enzyme_numbers(family: OwnFamily) -> tuple[str, ...]:
    """Complete enzyme numbers that the members share; else those of the product, else open ones."""
    if family.ec and not any(number.endswith("-") for number in family.ec):
        return family.ec
    of_product = family.product.ec if family.product is not None else ()
    return of_product or family.ec


def _aliases(family: OwnFamily) -> tuple[str, ...]:
    """The members' symbol, never a mere letter, and the vocabulary's own word."""
    symbol = family.symbol or ""
    names = [symbol] if len(symbol) >= _SHORTEST_SYMBOL else []
    if family.product is not None and family.product.name != family.name:
        names.append(family.product.name)
    return tuple(names)


def _label(placed: FamilyHit, support: FamilySupport) -> str:
    hit, family = placed.hit, placed.family
    grounds = (
        f"{support.agreeing} of {support.named_members} named members, {support.records} records; "
        if support.named_members
        else ""
    )
    return (
        f"{family.id} {family.name} ({grounds}E {hit.evalue:.1e}, "
        f"{percent(hit.profile_coverage)} of the family's profile, "
        f"{percent(hit.protein_coverage)} of the protein)"
    )
