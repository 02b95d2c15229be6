"""Homology evidence: the most similar named proteins of a reference.

The search itself is in :mod:`genint.sources.similarity.search`. A protein that is similar to an
entry over the whole length of both is named after it where they are close; where they are remote,
its family is named; where only a part is similar, the protein contains a region like the entry.
How reliable that is, :mod:`genint.sources.homology_reliability` decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from genint.knowledge.own_families import OwnFamilyTable
from genint.knowledge.product_names import NameKind, alike, words_of
from genint.knowledge.products import ProductVocabulary, Relation
from genint.knowledge.table_files import NO_TERMS, Terms
from genint.model.evidence import (
    Evidence,
    GoTerm,
    Measurements,
    ReferenceEntry,
    SimilarityHit,
    by_gene,
)
from genint.model.genome import Gene
from genint.model.rescue import percent
from genint.model.vocabulary import EvidenceSource, EvidenceType, Specificity
from genint.sources.families import same_stretch
from genint.sources.homology_reliability import (
    WHOLE,
    WHOLE_OF_A_PIECE,
    NamedHit,
    NameSources,
    ReferenceName,
    caveats_of,
    claim_of,
    is_copy,
    is_no_chance,
    origin_of,
    read_name,
    specificity_of,
    strength_of,
)

_RIVAL_SHARE = 0.8
"""Of the best score: from here on another name is reported."""
_MOST_RIVALS = 2
_MOST_PARTS = 3
_PART_SHARE = 0.5
"""What a bit of a partial match counts beside one of a whole one."""
_BROAD_SHARE = 0.9
"""What a bit counts of an entry whose name is a wide class, beside a more specific one."""
_LEAD = 0.03
"""Identity by which a copy is ahead of another protein so far that this does not contest it:
a few residues of a hundred apart are proteins of other strains, under another name."""


def select_hits(
    gene: Gene, hits: Iterable[SimilarityHit], products: ProductVocabulary
) -> list[NamedHit]:
    """The most similar protein with an informative name, and rivals of another name.

    Where only a part is similar, the same for further parts. A protein of the user's that is a
    copy of the gene's own under the name that the file gives it is no new evidence: hits of
    this name are left out.
    """
    likenesses = [_named_hit(gene, hit, products) for hit in hits]
    sound = (one for one in likenesses if one.name.informative and is_no_chance(one))
    remaining = sorted(sound, key=_rank)
    uninformative = [one.hit for one in likenesses if not one.name.informative]
    chosen: list[NamedHit] = []
    for _ in range(_MOST_PARTS):
        if not remaining:
            break
        best = remaining[0]
        same_place = [one for one in remaining[1:] if best.whole or same_stretch(one.hit, best.hit)]
        rivals = _rivals(best, same_place, products)
        others = tuple(one.hit for one in rivals if not _is_ahead(best, one))
        chosen += [best._replace(others=others, nearer=_nearer(best, uninformative)), *rivals]
        remaining = [one for one in remaining[1:] if one not in same_place]
    given = read_name(gene.product, products) if gene.product else None
    if given is None or not any(_is_the_files_own(one, given) for one in likenesses):
        return chosen
    return [one for one in chosen if not _is_named(one, given)]


def _is_the_files_own(one: NamedHit, given: ReferenceName) -> bool:
    """Whether it is the gene's own protein under the name that the file gives to it."""
    of_user = one.hit.source is EvidenceSource.USER_PROTEINS
    return of_user and is_copy(one.hit) and _is_named(one, given)


def _is_named(one: NamedHit, given: ReferenceName) -> bool:
    if one.name.product is not None and given.product is not None:
        return one.name.product.id == given.product.id
    return one.name.text.casefold() == given.text.casefold()


def _rivals(
    best: NamedHit, candidates: Iterable[NamedHit], products: ProductVocabulary
) -> list[NamedHit]:
    """Up to two that are nearly as similar and have another name."""
    rivals: list[NamedHit] = []
    for one in candidates:
        if len(rivals) == _MOST_RIVALS:
            break
        if _is_rival(one, best) and all(
            differ(one.name, other.name, products) for other in (best, *rivals)
        ):
            rivals.append(one._replace(rival=True))
    return rivals


def _is_ahead(best: NamedHit, rival: NamedHit) -> bool:
    """Whether the best is a copy of the protein, and the rival is not."""
    lead = round(best.hit.identity - rival.hit.identity, 4)
    return is_copy(best.hit) and lead >= _LEAD


def _nearer(best: NamedHit, uninformative: Iterable[SimilarityHit]) -> SimilarityHit | None:
    """The most similar protein, where its name is uninformative."""
    same_place = (one for one in uninformative if best.whole or same_stretch(one, best.hit))
    nearer = min(same_place, key=_score_order, default=None)
    if nearer is None or nearer.score_bits <= best.hit.score_bits:
        return None
    return nearer


def _named_hit(gene: Gene, hit: SimilarityHit, products: ProductVocabulary) -> NamedHit:
    name = read_name(hit.entry.name, products)
    cut_off = gene.location.partial_5 or gene.location.partial_3
    if hit.protein_coverage < WHOLE or hit.target_coverage < WHOLE_OF_A_PIECE:
        return NamedHit(hit, name, whole=False)
    complete = hit.target_coverage >= WHOLE
    return NamedHit(hit, name, whole=complete or cut_off, piece=cut_off and not complete)


def _rank(one: NamedHit) -> tuple[float, float, str]:
    """Best first."""
    share = 1.0 if one.whole else _PART_SHARE
    if one.name.vague:
        share *= _BROAD_SHARE
    score_bits, accession = _score_order(one.hit)
    return (share * score_bits, score_bits, accession)


def _score_order(hit: SimilarityHit) -> tuple[float, str]:
    return (-hit.score_bits, hit.entry.accession)


def _is_rival(one: NamedHit, best: NamedHit) -> bool:
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


ECO_SIMILARITY = "ECO:0000249"
"""Sequence similarity evidence used in automatic assertion."""

_SHORTEST_SYMBOL = 3
_EC_DIGITS = 4
_PROTEIN_BINDING = "GO:0005515"
"""Given to any protein that was seen to bind another; names no function."""


class _Knowledge(NamedTuple):
    """Tables for reading hits."""

    products: ProductVocabulary
    terms: Terms
    name_sources: NameSources


def observe(  # noqa: PLR0913 - hits, and the tables for reading them
    genes: Iterable[Gene],
    hits: Iterable[SimilarityHit],
    own_families: OwnFamilyTable,
    products: ProductVocabulary,
    terms: Terms = NO_TERMS,
    *,
    families: Iterable[Evidence] = (),
) -> tuple[Evidence, ...]:
    """Evidence from proteins that are similar.

    Args:
        genes: Whose proteins were searched; hits of others are left out.
        hits: Of any references, in any order.
        own_families: An entry that a family is named after is no independent evidence.
        products: Decides which names mean one thing.
        terms: What the GO and COG identifiers of entries mean.
        families: Evidence of genint's own families: a protein of the user's that agrees
            with a family of phages is no independent evidence.

    Returns:
        In the order of ``genes``; for each and each reference the most similar protein
        with an informative name (where only parts are similar, for up to three parts),
        and up to two that are nearly as similar and have another name.

    Cost: some 0.1 ms a gene, and 10 ms for the families.
    """
    found = by_gene(hits)
    searched = [gene for gene in genes if gene.id in found]
    if not searched:
        return ()
    entries = (hit.entry for of_gene in found.values() for hit in of_gene)
    name_sources = NameSources.of(searched, entries, own_families, families)
    knowledge = _Knowledge(products, terms, name_sources)
    evidence: list[Evidence] = []
    for gene in searched:
        for source in (EvidenceSource.SWISSPROT, EvidenceSource.USER_PROTEINS):
            of_source = [hit for hit in found[gene.id] if hit.source is source]
            chosen = select_hits(gene, of_source, products)
            evidence.extend(_evidence(gene, one, knowledge) for one in chosen)
    return tuple(evidence)


def _evidence(gene: Gene, named: NamedHit, knowledge: _Knowledge) -> Evidence:
    hit, name = named.hit, named.name
    entry = hit.entry
    claim = claim_of(named)
    specificity = specificity_of(named)
    subject = name.text if specificity is Specificity.DOMAIN else claim
    # A family's name may be a wider term than that of the member.
    product = name.product if subject == name.text else knowledge.products.find(subject)
    return Evidence(
        gene_id=gene.id,
        source=hit.source,
        type=EvidenceType.HOMOLOGY,
        specificity=specificity,
        claim=claim,
        subject=subject.removeprefix("putative "),
        label=_label(hit, name),
        strength=strength_of(named),
        origin=origin_of(gene, named, knowledge.name_sources, knowledge.products),
        eco=ECO_SIMILARITY,
        database=hit.database,
        accession=entry.accession,
        measured=_measurements(hit),
        cog=_cog_letter(entry, knowledge.terms) if named.close else None,
        ec=_ec(named),
        go=_go(entry, knowledge.terms) if named.close else (),
        caveats=tuple(caveats_of(named)),
        aliases=_aliases(named),
        product=product.id if product else None,
        expected_pfam=entry.pfam if named.close else (),
        similar=entry,
    )


def _ec(named: NamedHit) -> tuple[str, ...]:
    """EC numbers as precise as the identity allows: all digits, or the first three."""
    entry = named.hit.entry
    if named.near:
        return entry.ec
    if not named.close:
        return ()
    classes = (".".join((*ec.split(".")[: _EC_DIGITS - 1], "-")) for ec in entry.ec)
    return tuple(dict.fromkeys(classes))


def _go(entry: ReferenceEntry, terms: Terms) -> tuple[GoTerm, ...]:
    ids = (id_ for id_ in entry.go if id_ != _PROTEIN_BINDING)
    return tuple(terms.completed(GoTerm(id_, "")) for id_ in ids)


def _cog_letter(entry: ReferenceEntry, terms: Terms) -> str | None:
    """The first letter of the entry's COG."""
    letters = entry.cog if len(entry.cog) == 1 else terms.cog.get(entry.cog, "")
    return letters[:1] or None


def _aliases(named: NamedHit) -> tuple[str, ...]:
    """The entry's gene symbol, where the protein may have it too; never a mere letter."""
    symbol, product = named.hit.entry.symbol, named.name.product
    names = [symbol] if named.close and len(symbol) >= _SHORTEST_SYMBOL else []
    if product is not None and product.name != named.name.text:
        names.append(product.name)
    return tuple(names)


def _label(hit: SimilarityHit, name: ReferenceName) -> str:
    entry = hit.entry
    organism = f", {entry.organism}" if entry.organism else ""
    return (
        f"{entry.accession} {name.text}{organism} ({percent(hit.identity)} identical, "
        f"E {hit.evalue:.1e}, {percent(hit.target_coverage)} of that protein, "
        f"{percent(hit.protein_coverage)} of this one)"
    )


def _measurements(hit: SimilarityHit) -> Measurements:
    return Measurements(
        evalue=hit.evalue,
        score_bits=hit.score_bits,
        protein_from=hit.protein_from,
        protein_to=hit.protein_to,
        protein_coverage=hit.protein_coverage,
        target_coverage=hit.target_coverage,
        identity=hit.identity,
        target_from=hit.target_from,
        target_to=hit.target_to,
    )
