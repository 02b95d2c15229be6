"""Which of the similar proteins speak for a gene, and which beside them say otherwise."""

from __future__ import annotations

from collections.abc import Iterable

from genint.knowledge.name_words import alike, words_of
from genint.knowledge.product_names import NameKind
from genint.knowledge.products import ProductVocabulary, Relation
from genint.model.evidence import SimilarityHit
from genint.model.genome import Gene
from genint.model.vocabulary import EvidenceSource
from genint.sources.homology_strength import (
    WHOLE,
    WHOLE_OF_A_PIECE,
    Likeness,
    ReferenceName,
    is_copy,
    is_no_chance,
    read_name,
)

_RIVAL_SHARE = 0.8
"""Of the best score: from here on another name is worth telling."""
_MOST_RIVALS = 2
_MOST_PARTS = 3
_SAME_PLACE = 0.5
"""Share of the shorter of two hits that lies in the other: then they compete."""
_PART_SHARE = 0.5
"""What a bit of a partial match counts beside one of a whole one."""
_BROAD_SHARE = 0.9
"""What a bit counts of an entry whose name is a wide class, beside one that says more."""
_LEAD = 0.03
"""Identity by which a copy is ahead of another protein so far that this does not contest it:
a few residues of a hundred apart are proteins of other strains, under another name."""


def told(gene: Gene, hits: Iterable[SimilarityHit], products: ProductVocabulary) -> list[Likeness]:
    """The most similar protein with a telling name, and rivals of another one.

    Where only a part is alike, the same for further parts. A protein of the user's that is a
    copy of the gene's own and has the name that the file gives to it says nothing new: what
    has this name is left out, and so is what is less similar and less than a rival of it.
    """
    likenesses = [_likeness(gene, hit, products) for hit in hits]
    sound = (one for one in likenesses if one.name.telling and is_no_chance(one))
    left = sorted(sound, key=_rank)
    silent = [one.hit for one in likenesses if not one.name.telling]
    chosen: list[Likeness] = []
    for _ in range(_MOST_PARTS):
        if not left:
            break
        best = left[0]
        same_place = [one for one in left[1:] if best.whole or _overlap(one.hit, best.hit)]
        rivals = _rivals(best, same_place, products)
        others = tuple(one.hit for one in rivals if not _is_ahead(best, one))
        chosen += [best._replace(others=others, nearer=_nearer(best, silent)), *rivals]
        left = [one for one in left[1:] if one not in same_place]
    given = read_name(gene.product, products) if gene.product else None
    if given is None or not any(_is_the_files_own(one, given) for one in likenesses):
        return chosen
    return [one for one in chosen if not _is_named(one, given)]


def _is_the_files_own(one: Likeness, given: ReferenceName) -> bool:
    """Whether it is the gene's own protein under the name that the file gives to it."""
    of_user = one.hit.source is EvidenceSource.USER_PROTEINS
    return of_user and is_copy(one.hit) and _is_named(one, given)


def _is_named(one: Likeness, given: ReferenceName) -> bool:
    if one.name.product is not None and given.product is not None:
        return one.name.product.id == given.product.id
    return one.name.text.casefold() == given.text.casefold()


def _rivals(
    best: Likeness, candidates: Iterable[Likeness], products: ProductVocabulary
) -> list[Likeness]:
    """Up to two that are nearly as similar and are called something else."""
    rivals: list[Likeness] = []
    for one in candidates:
        if len(rivals) == _MOST_RIVALS:
            break
        if _is_rival(one, best) and all(
            differ(one.name, other.name, products) for other in (best, *rivals)
        ):
            rivals.append(one._replace(rival=True))
    return rivals


def _is_ahead(best: Likeness, rival: Likeness) -> bool:
    """Whether the best is a copy of the protein, and the rival is not."""
    lead = round(best.hit.identity - rival.hit.identity, 4)
    return is_copy(best.hit) and lead >= _LEAD


def _nearer(best: Likeness, silent: Iterable[SimilarityHit]) -> SimilarityHit | None:
    """The most similar protein, where its name says nothing."""
    same_place = (one for one in silent if best.whole or _overlap(one, best.hit))
    nearer = min(same_place, key=_score_order, default=None)
    if nearer is None or nearer.score_bits <= best.hit.score_bits:
        return None
    return nearer


def _overlap(one: SimilarityHit, other: SimilarityHit) -> bool:
    """Whether two hits are on the same stretch of the protein."""
    first = max(one.protein_from, other.protein_from)
    last = min(one.protein_to, other.protein_to)
    shorter = min(one.protein_to - one.protein_from, other.protein_to - other.protein_from)
    return last - first + 1 >= _SAME_PLACE * (shorter + 1)


def _likeness(gene: Gene, hit: SimilarityHit, products: ProductVocabulary) -> Likeness:
    name = read_name(hit.entry.name, products)
    cut_off = gene.location.partial_5 or gene.location.partial_3
    if hit.protein_coverage < WHOLE or hit.target_coverage < WHOLE_OF_A_PIECE:
        return Likeness(hit, name, whole=False)
    complete = hit.target_coverage >= WHOLE
    return Likeness(hit, name, whole=complete or cut_off, piece=cut_off and not complete)


def _rank(one: Likeness) -> tuple[float, float, str]:
    """Best first."""
    share = 1.0 if one.whole else _PART_SHARE
    if one.name.vague:
        share *= _BROAD_SHARE
    score_bits, accession = _score_order(one.hit)
    return (share * score_bits, score_bits, accession)


def _score_order(hit: SimilarityHit) -> tuple[float, str]:
    return (-hit.score_bits, hit.entry.accession)


def _is_rival(one: Likeness, best: Likeness) -> bool:
    """Whether a hit comes near the best one and names one function."""
    if one.name.vague or one.name.kind is NameKind.BROAD:
        return False
    enough = one.hit.score_bits >= _RIVAL_SHARE * best.hit.score_bits
    return enough and (one.whole or not best.whole)


def differ(one: ReferenceName, other: ReferenceName, products: ProductVocabulary) -> bool:
    """Whether two names are of different things."""
    if one.product is not None and other.product is not None:
        relation = products.related(one.product.id, other.product.id)
        if relation is not Relation.UNRELATED:
            return relation in (Relation.OPPOSITE, Relation.SIBLING)
    return not alike(words_of(one.text), words_of(other.text))
