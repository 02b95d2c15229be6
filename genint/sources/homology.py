"""Homology source: what the most similar named protein of a reference says of a gene.

The search itself is in :mod:`genint.sources.similarity_search`. A protein that is like
another one over the whole length of both is named by it where they are close; where they
are remote, its family is named; where only a part is alike, the protein contains a region
like the other. How far that is to be trusted is told by
:mod:`genint.sources.homology_strength`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from genint.knowledge.installed_tables import NO_TERMS, Terms
from genint.knowledge.own_families import OwnFamilyTable
from genint.knowledge.products import ProductVocabulary
from genint.model.evidence import Evidence, GoTerm, Measurements, SimilarityHit
from genint.model.genome import Gene
from genint.model.reference import ReferenceEntry
from genint.model.shares import percent
from genint.model.vocabulary import EvidenceSource, EvidenceType, Specificity
from genint.sources.homology_choice import told
from genint.sources.homology_origin import Witnesses, origin_of
from genint.sources.homology_strength import (
    Likeness,
    ReferenceName,
    caveats_of,
    claim_of,
    specificity_of,
    strength_of,
)

ECO_SIMILARITY = "ECO:0000249"
"""Sequence similarity evidence used in automatic assertion."""

_SHORTEST_SYMBOL = 3
_EC_DIGITS = 4
_PROTEIN_BINDING = "GO:0005515"
"""Said of whatever was seen to bind anything; tells no function."""


class _Knowledge(NamedTuple):
    """What hits are read with."""

    products: ProductVocabulary
    terms: Terms
    witnesses: Witnesses


def observe(  # noqa: PLR0913 - what was found, and what it is read with
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
        own_families: An entry that a family has its name from is no second witness.
        products: Tells which names mean one thing.
        terms: What the GO and COG identifiers of entries mean.
        families: What families of genint's own say of the genes: a protein of the user's
            that agrees with one of phages is no second witness.

    Returns:
        In the order of ``genes``; for each and each reference the most similar protein
        whose name says something (of one that is alike in part, for up to three parts),
        behind it up to two that are nearly as similar and say something else.

    Cost: some 0.1 ms a gene, and 10 ms for the families.
    """
    by_gene: defaultdict[str, list[SimilarityHit]] = defaultdict(list)
    for hit in hits:
        by_gene[hit.gene_id].append(hit)
    searched = [gene for gene in genes if gene.id in by_gene]
    if not searched:
        return ()
    entries = (hit.entry for found in by_gene.values() for hit in found)
    witnesses = Witnesses.of(searched, entries, own_families, families)
    knowledge = _Knowledge(products, terms, witnesses)
    evidence: list[Evidence] = []
    for gene in searched:
        for source in (EvidenceSource.SWISSPROT, EvidenceSource.USER_PROTEINS):
            of_source = [hit for hit in by_gene[gene.id] if hit.source is source]
            chosen = told(gene, of_source, products)
            evidence.extend(_evidence(gene, one, knowledge) for one in chosen)
    return tuple(evidence)


def _evidence(gene: Gene, likeness: Likeness, knowledge: _Knowledge) -> Evidence:
    hit, name = likeness.hit, likeness.name
    entry = hit.entry
    claim = claim_of(likeness)
    specificity = specificity_of(likeness)
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
        strength=strength_of(likeness),
        origin=origin_of(gene, likeness, knowledge.witnesses, knowledge.products),
        eco=ECO_SIMILARITY,
        database=hit.database,
        accession=entry.accession,
        measured=_measurements(hit),
        cog=_cog_letter(entry, knowledge.terms) if likeness.close else None,
        ec=_ec(likeness),
        go=_go(entry, knowledge.terms) if likeness.close else (),
        caveats=tuple(caveats_of(likeness)),
        aliases=_aliases(likeness),
        product=product.id if product else None,
        expected_pfam=entry.pfam if likeness.close else (),
        similar=entry,
    )


def _ec(likeness: Likeness) -> tuple[str, ...]:
    """EC numbers as far as the identity carries: all digits, or the first three."""
    entry = likeness.hit.entry
    if likeness.near:
        return entry.ec
    if not likeness.close:
        return ()
    classes = (".".join((*ec.split(".")[: _EC_DIGITS - 1], "-")) for ec in entry.ec)
    return tuple(dict.fromkeys(classes))


def _go(entry: ReferenceEntry, terms: Terms) -> tuple[GoTerm, ...]:
    named = (terms.completed(GoTerm(id_, "")) for id_ in entry.go if id_ != _PROTEIN_BINDING)
    return tuple(named)


def _cog_letter(entry: ReferenceEntry, terms: Terms) -> str | None:
    """The first letter of the entry's COG."""
    letters = entry.cog if len(entry.cog) == 1 else terms.cog.get(entry.cog, "")
    return letters[:1] or None


def _aliases(likeness: Likeness) -> tuple[str, ...]:
    """The entry's gene symbol, where the protein may have it too; never a mere letter."""
    symbol, product = likeness.hit.entry.symbol, likeness.name.product
    names = [symbol] if likeness.close and len(symbol) >= _SHORTEST_SYMBOL else []
    if product is not None and product.name != likeness.name.text:
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
