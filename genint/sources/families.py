"""Family source: what the families of genint's own that a protein belongs to are called.

A family that covers profile and protein names the protein. One that covers a part of
either says only that the protein contains a region like it: a fusion does more than
the family, a fragment perhaps less. How far a name is to be trusted was measured to
hang on how many members carry it independently and how well they agree, and hardly
on the E-value, so that is what the classes of strength are made of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from genint.knowledge.name_words import alike, words_of
from genint.knowledge.own_families import OwnFamily, OwnFamilyTable, member_hash
from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.products import ProductVocabulary, Relation
from genint.model.evidence import Evidence, FamilySupport, Measurements, ProfileHit
from genint.model.genome import Gene
from genint.model.vocabulary import EvidenceSource, EvidenceType, Specificity

ECO_SEQUENCE_MODEL = "ECO:0000256"
"""Match to sequence model evidence used in automatic assertion."""

STRENGTH_WELL_AGREED = "family_well_agreed"
STRENGTH_AGREED = "family_agreed"
STRENGTH_TWO_NAMES = "family_two_names"
STRENGTH_FEW_NAMES = "family_few_names"
STRENGTH_PART = "family_part"
"""Of the profile or of the protein less is covered than a name of the whole needs."""
STRENGTH_REMNANT = "family_remnant"
"""Of both."""
STRENGTH_RIVAL = "family_rival"
"""Another name than that of a better match on the same stretch."""

_WHOLE_PROFILE = 0.7
"""Share of profile positions from which a family counts as complete (HMMER reports
local alignments, so even true members lose some positions at the ends)."""
_WHOLE_PROTEIN = 0.6
"""Share of the protein from which a family names it: what is left has no room for a
second domain of usual size in a protein of usual length."""
_CUT_OFF_PROFILE = 0.3
"""The same for genes that the end of a sequence cuts off: the rest cannot be seen."""
_SAME_PLACE = 0.5
"""Share of the shorter of two hits that lies in the other: then they compete."""
_PARTIAL_SHARE = 0.5
"""What a bit of a partial match counts beside one of a whole one."""
_RIVAL_SHARE = 0.5
"""Of the best score: from here on another name on the same stretch is worth telling."""
_MOST_RIVALS = 2
_FEW_NAMES = 2
_MANY_NAMES = 3
_AGREEMENT = 0.8
_GOOD_AGREEMENT = 0.9
_MOSTLY_NAMED = 0.7
_SHORTEST_SYMBOL = 3
_PURE_COG = 0.8
"""Share of members from which their COG letter was right in 96 % (see ``Family.cog``)."""
_SEED_ALONE = frozenset({"seed"})


class _Placed(NamedTuple):
    """A hit, its family, whether it covers both, and whether a better one says otherwise."""

    hit: ProfileHit
    family: OwnFamily
    whole: bool
    rival: bool = False

    @property
    def rank(self) -> tuple[float, str]:
        """Best first."""
        share = 1.0 if self.whole else _PARTIAL_SHARE
        return (-share * self.hit.score_bits, self.family.id)


def observe(
    genes: Iterable[Gene],
    hits: Iterable[ProfileHit],
    table: OwnFamilyTable,
    vocabulary: ProductVocabulary,
) -> tuple[Evidence, ...]:
    """Evidence from hits of genint's own families.

    Args:
        genes: Whose proteins were searched; hits of others are left out.
        hits: Of any profiles, in any order; those of families that the table lacks are
            left out.
        table: What the families are called, and on what grounds.
        vocabulary: Tells which names mean one thing.

    Returns:
        In the order of ``genes``; for each the best hit of every stretch, behind it up
        to two on the same stretch that say something else.

    Cost: some 50 microseconds a hit.
    """
    by_gene: defaultdict[str, list[ProfileHit]] = defaultdict(list)
    for hit in hits:
        if hit.accession in table:
            by_gene[hit.gene_id].append(hit)
    found: list[Evidence] = []
    for gene in genes:
        own = by_gene.get(gene.id)
        if own:
            placed = _kept(gene, own, table, vocabulary)
            found.extend(_evidence(gene, one, table) for one in placed)
    return tuple(found)


def _kept(
    gene: Gene,
    hits: Iterable[ProfileHit],
    table: OwnFamilyTable,
    vocabulary: ProductVocabulary,
) -> list[_Placed]:
    """The best hit of every stretch, and rivals of another name."""
    best: list[_Placed] = []
    rivals: list[_Placed] = []
    families = ((hit, table[hit.accession]) for hit in hits)
    for placed in sorted(
        (_Placed(hit, family, _is_whole(gene, hit)) for hit, family in families),
        key=lambda placed: placed.rank,
    ):
        better = [one for one in best if _compete(one.hit, placed.hit)]
        if not better:
            best.append(placed)
        elif all(_is_rival(placed, one, vocabulary) for one in (*better, *rivals)):
            rivals.append(placed._replace(rival=True))
    return best + rivals[:_MOST_RIVALS]


def _is_whole(gene: Gene, hit: ProfileHit) -> bool:
    cut_off = gene.location.partial_5 or gene.location.partial_3
    needed = _CUT_OFF_PROFILE if cut_off else _WHOLE_PROFILE
    return hit.profile_coverage >= needed and hit.protein_coverage >= _WHOLE_PROTEIN


def _compete(one: ProfileHit, other: ProfileHit) -> bool:
    """Whether two hits claim the same stretch of the protein."""
    first = max(one.protein_from, other.protein_from)
    last = min(one.protein_to, other.protein_to)
    shorter = min(one.protein_to - one.protein_from, other.protein_to - other.protein_from)
    return last - first + 1 >= _SAME_PLACE * (shorter + 1)


def _is_rival(placed: _Placed, better: _Placed, vocabulary: ProductVocabulary) -> bool:
    """Whether a hit comes near a better one and says something else."""
    if placed.hit.score_bits < _RIVAL_SHARE * better.hit.score_bits:
        return False
    one, other = placed.family.product, better.family.product
    if one is not None and other is not None:
        relation = vocabulary.related(one.id, other.id)
        if relation is not Relation.UNRELATED:
            return relation in (Relation.OPPOSITE, Relation.SIBLING)
    return not alike(words_of(placed.family.name), words_of(better.family.name))


def _evidence(gene: Gene, placed: _Placed, table: OwnFamilyTable) -> Evidence:
    hit, family, whole, _ = placed
    support = _support(gene, placed, table)
    self_named = support.independent < 1 and gene.product is not None
    product = family.product
    return Evidence(
        gene_id=gene.id,
        source=EvidenceSource.GENINT_FAMILY,
        type=EvidenceType.FAMILY,
        specificity=_specificity(placed),
        claim=family.name if whole else f"contains a region like {family.name}",
        subject=family.name,
        label=_label(placed, support),
        strength=_strength(placed, support),
        # The file's own name for this protein is then all that the family's name rests on.
        origin=f"annotation:{gene.contig}" if self_named else f"genint_family:{family.id}",
        database=table.database,
        accession=family.id,
        eco=ECO_SEQUENCE_MODEL,
        measured=_measurements(hit),
        cog=family.cog if whole and family.cog_purity >= _PURE_COG else None,
        ec=product.ec if whole and product else (),
        go=family.go if whole else (),
        caveats=tuple(_caveats(placed, support)),
        aliases=_aliases(family),
        product=product.id if product else None,
        expected_pfam=family.pfam,
        support=support,
    )


def _support(gene: Gene, placed: _Placed, table: OwnFamilyTable) -> FamilySupport:
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
        is_member=member_hash(gene.protein) in agreeing,
    )


def _specificity(placed: _Placed) -> Specificity:
    if not placed.whole:
        return Specificity.DOMAIN
    if _is_vague(placed.family):
        return Specificity.CATEGORY
    if placed.hit.profile_coverage < _WHOLE_PROFILE:
        return Specificity.FAMILY  # a piece of the gene, as far as the sequence goes
    return Specificity.PROTEIN


def _is_vague(family: OwnFamily) -> bool:
    if family.vague:
        return True
    if family.product is not None:
        return family.product.vague
    return classify_product(family.name) not in (NameKind.NAME, NameKind.HEDGED)


def _strength(placed: _Placed, support: FamilySupport) -> str:
    hit = placed.hit
    if placed.rival:
        return STRENGTH_RIVAL
    if hit.profile_coverage < _WHOLE_PROFILE or hit.protein_coverage < _WHOLE_PROTEIN:
        half = hit.profile_coverage >= _WHOLE_PROFILE or hit.protein_coverage >= _WHOLE_PROTEIN
        return STRENGTH_PART if half else STRENGTH_REMNANT
    if support.consensus < _AGREEMENT or support.independent < _FEW_NAMES:
        return STRENGTH_FEW_NAMES
    if support.independent < _MANY_NAMES:
        return STRENGTH_TWO_NAMES
    if support.consensus >= _GOOD_AGREEMENT and support.informative >= _MOSTLY_NAMED:
        return STRENGTH_WELL_AGREED
    return STRENGTH_AGREED


def _caveats(placed: _Placed, support: FamilySupport) -> Iterable[str]:
    hit, family = placed.hit, placed.family
    if placed.rival:
        yield "a better match on the same stretch has another name"
    if _is_vague(family):
        yield f"“{family.name}” is a wide class, not one function"
    if support.independent < 1:
        yield f"no protein but this one gave {family.id} its name"
    elif support.independent < _MANY_NAMES:
        others = "another protein" if support.independent == 1 else "two other proteins"
        yield f"few named members: {family.id} has its name from {others}"
    if support.consensus < _AGREEMENT:
        yield f"names differ: {support.consensus:.0%} of their weight in {family.id} agree"
    if {name for name, _ in family.origins} == _SEED_ALONE:
        yield f"all names in {family.id} come from SEED, an automatic annotation"
    if hit.profile_coverage < _WHOLE_PROFILE and hit.protein_coverage >= _WHOLE_PROTEIN:
        yield (
            f"the protein is shorter than the members of {family.id}: a fragment, or one part of "
            "a gene that a frameshift split"
        )
    elif hit.protein_coverage < _WHOLE_PROTEIN:
        yield f"what the protein does beside the region like {family.id} is not told"


def _aliases(family: OwnFamily) -> tuple[str, ...]:
    """The members' symbol, never a mere letter, and the vocabulary's own word."""
    symbol = family.symbol or ""
    names = [symbol] if len(symbol) >= _SHORTEST_SYMBOL else []
    if family.product is not None and family.product.name != family.name:
        names.append(family.product.name)
    return tuple(names)


def _label(placed: _Placed, support: FamilySupport) -> str:
    hit, family = placed.hit, placed.family
    grounds = (
        f"{support.agreeing} of {support.named_members} named members, {support.records} records; "
        if support.named_members
        else ""
    )
    return (
        f"{family.id} {family.name} ({grounds}E {hit.evalue:.1e}, "
        f"{hit.profile_coverage:.0%} of the family's profile, "
        f"{hit.protein_coverage:.0%} of the protein)"
    )


def _measurements(hit: ProfileHit) -> Measurements:
    return Measurements(
        evalue=hit.evalue,
        score_bits=hit.score_bits,
        threshold_bits=hit.threshold_bits,
        protein_from=hit.protein_from,
        protein_to=hit.protein_to,
        protein_coverage=hit.protein_coverage,
        target_coverage=hit.profile_coverage,
    )
