"""Family evidence: the names of genint's own families that a protein belongs to.

A family that covers profile and protein names the protein. One that covers a part of either says
only that the protein contains a region like it: a fusion does more than the family, a fragment
perhaps less. Phages change the rest of a protein and keep its function: two fifths of the
protein are enough for a family of theirs to name it, where nothing else does. They are for any
other family too, where they are as near to it as its members are (:func:`_names_by_part`). Most of
the protein is enough however few members have the name (:func:`_lies_in_family`).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence

from genint.knowledge.own_families import FamilyPack, OwnFamily, OwnFamilyTable
from genint.knowledge.product_names import (
    alike,
    classify_product,
    clean_product,
    words_of,
)
from genint.knowledge.products import ProductVocabulary, Relation
from genint.model.evidence import (
    RIVAL_SHARE,
    WHOLE_PROFILE,
    WHOLE_PROTEIN,
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
from genint.sources.family_reliability import (
    AGREEMENT,
    FEW_NAMES,
    NO_FUNCTION,
    FamilyHit,
    caveats_of,
    is_vague,
    says_nothing,
    strength_of,
)
from genint.sources.pfam import (
    ECO_SEQUENCE_MODEL,
    measurements_of,
)

_RAST = re.compile(r"rasttk_|RAST\d?:")
"""Begins notes and cross-references of genes that RAST annotated."""
PART_OF_FAMILY, PART_OF_PROTEIN = 1 / 3, 2 / 5
"""Shares of profile and protein from which a part may name a protein. Of 63 of phages never seen,
51 have the name of the family and 9 a narrower one (``training/families/never_seen.md``)."""
NEAR_BITS_PER_RESIDUE = 0.8
"""Bits for each aligned residue from which such a part names any protein. Of 43 of bacteria never
seen, 36 have the name of the family and 4 a narrower one."""
MOST_OF_PHAGE_PROTEIN, MOST_OF_PROTEIN = 0.6, 0.9
"""Shares of a protein that lie in a family of phages, or in any, from which it has that name. Of 49
in phages never seen 40 have the name of the family and 7 one of which it is a class, of 19 in
bacteria 15 and 2 (``training/families/never_seen.md``)."""
_CUT_OFF_PROFILE = 0.3
"""Share of the profile that is enough where the end of a sequence cuts the gene off."""
_SAME_PLACE = 0.5
"""Share of the shorter of two hits that lies in the other: then they compete."""
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
        phages: Ids of the records that are taken for phages: there a part needs fewer bits.

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
            placed[0] = _named_by_part(gene, placed, table, of_phage=gene.contig in phages)
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


def _named_by_part(
    gene: Gene, placed: Sequence[FamilyHit], table: OwnFamilyTable, *, of_phage: bool
) -> FamilyHit:
    """The best of a gene's hits, marked where it names the protein by part of something.

    Only where neither the file nor another family says more.
    """
    best = placed[0]
    if any(one.whole for one in placed) or is_vague(best.family) or gene.pseudo:
        return best
    if gene.product is not None and classify_product(gene.product) not in NO_FUNCTION:
        return best
    changes_fast = of_phage and best.family.pack is FamilyPack.PHAGE
    support = _support(gene, best, table)
    if _names_by_part(placed, support, changes_fast=changes_fast):
        return best._replace(by_part=True)
    if _lies_in_family(placed, support, changes_fast=changes_fast):
        return best._replace(by_part=True, lies_in_family=True)
    return best


def _names_by_part(
    placed: Sequence[FamilyHit], support: FamilySupport, *, changes_fast: bool
) -> bool:
    """Whether part of a family names part of a protein by several witnesses of one opinion."""
    hit = placed[0].hit
    if hit.profile_coverage < PART_OF_FAMILY or hit.protein_coverage < PART_OF_PROTEIN:
        return False
    if not changes_fast and not _is_near_alone(placed):
        return False
    return support.independent >= FEW_NAMES and support.consensus >= AGREEMENT


def _lies_in_family(
    placed: Sequence[FamilyHit], support: FamilySupport, *, changes_fast: bool
) -> bool:
    """Whether most of a protein is like part of a family: shorter, or what is left of one."""
    least = MOST_OF_PHAGE_PROTEIN if changes_fast else MOST_OF_PROTEIN
    covered = placed[0].hit.protein_coverage >= least
    return covered and support.independent >= 1 and not _is_fused(placed)


def _is_near_alone(placed: Sequence[FamilyHit]) -> bool:
    """Whether the best hit is near to its family, and no family names another region."""
    hit = placed[0].hit
    aligned_aa = hit.protein_to - hit.protein_from + 1
    return not _is_fused(placed) and hit.score_bits >= NEAR_BITS_PER_RESIDUE * aligned_aa


def _is_fused(placed: Sequence[FamilyHit]) -> bool:
    """Whether a family names another region of the protein."""
    return any(not one.rival and not says_nothing(one.family) for one in placed[1:])


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
    if placed.hit.score_bits < RIVAL_SHARE * better.hit.score_bits:
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
        caveats=tuple(caveats_of(placed, support, len(gene.protein))),
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
