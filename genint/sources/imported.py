"""Evidence from results of other programs: names, domains and signatures that they found.

A name is read, worded and judged as that of a similar protein is; what is less than the whole
protein, or called a domain, names the part only. What rests on the same sequence, family or
database as evidence that is there already has its origin, so that it counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from genint.knowledge.interpro_names import library_of
from genint.knowledge.own_families import OwnFamilyTable
from genint.knowledge.pfam import FamilyTable, claim_of
from genint.knowledge.product_names import NameKind, alike, words_of
from genint.knowledge.products import ProductVocabulary, Relation
from genint.model.evidence import Evidence, by_gene, residues_digest
from genint.model.genome import Gene, Genome
from genint.model.imported import ImportedName, ImportedResults, NamedBy, QueryProteins
from genint.model.online import AnswerState, InterProAnswer, InterProMatch
from genint.model.rescue import percent
from genint.model.vocabulary import EvidenceSource, EvidenceType, Specificity
from genint.sources import interpro
from genint.sources.homology_reliability import WHOLE, NameSources, ReferenceName, read_name
from genint.sources.imported_genes import FoundGene, GeneIndex, Matching, match_genes
from genint.sources.pfam import PfamHit, domain_claim

STRENGTH_PART: Final = "imported_part"
_STRENGTHS: Final = {
    NamedBy.EXPERT: "imported_expert",
    NamedBy.SAME_PROTEIN: "imported_same_protein",
    NamedBy.CLUSTER_90: "imported_cluster",
    NamedBy.CLUSTER_50: "imported_wide_cluster",
    NamedBy.FAMILY: "imported_phrog",
    NamedBy.FAMILY_UNSCORED: "imported_phrog_weak",
    NamedBy.STRUCTURE_HIGH: "imported_structure",
    NamedBy.STRUCTURE_MEDIUM: "imported_structure_medium",
    NamedBy.STRUCTURE_LOW: "imported_structure_weak",
    NamedBy.STRUCTURE_UNSCORED: "imported_structure_weak",
    NamedBy.ORTHOLOGS: "imported_orthologs",
}
_SURE_EVALUE: Final = 1e-10
"""From here on a family of phage proteins is matched as a whole more often than by a motif."""
_BY_FAMILIES: Final = frozenset(
    {
        NamedBy.FAMILY,
        NamedBy.FAMILY_UNSCORED,
        NamedBy.STRUCTURE_HIGH,
        NamedBy.STRUCTURE_MEDIUM,
        NamedBy.STRUCTURE_LOW,
        NamedBy.STRUCTURE_UNSCORED,
    }
)
_WORDS: Final = {
    NamedBy.EXPERT: "by its expert system",
    NamedBy.SAME_PROTEIN: "by a UniProt cluster that holds this very sequence",
    NamedBy.CLUSTER_90: "by a UniProt cluster of 90 % identity",
    NamedBy.CLUSTER_50: "by a UniProt cluster of 50 % identity",
    NamedBy.FAMILY: "by a family of phage proteins",
    NamedBy.FAMILY_UNSCORED: "by a family of phage proteins, without an E-value in the file",
    NamedBy.STRUCTURE_HIGH: "by predicted structure, with high confidence",
    NamedBy.STRUCTURE_MEDIUM: "by predicted structure, with medium confidence",
    NamedBy.STRUCTURE_LOW: "by predicted structure, with low confidence",
    NamedBy.STRUCTURE_UNSCORED: "by predicted structure, with no confidence in the file",
    NamedBy.ORTHOLOGS: "by its group of orthologs",
}
ECO_SIMILARITY: Final = "ECO:0000249"
"""Sequence similarity evidence used in automatic assertion."""
ECO_SEQUENCE_MODEL: Final = "ECO:0000256"
"""Match to sequence model evidence used in automatic assertion."""
ECO_STRUCTURE: Final = "ECO:0000027"
"""Structural similarity evidence."""
ECO_ORTHOLOGY: Final = "ECO:0000265"
"""Sequence orthology evidence used in automatic assertion."""
_ECO: Final = {
    EvidenceSource.BAKTA: ECO_SIMILARITY,
    EvidenceSource.PHAROKKA: ECO_SEQUENCE_MODEL,
    EvidenceSource.PHOLD: ECO_STRUCTURE,
    EvidenceSource.EGGNOG_MAPPER: ECO_ORTHOLOGY,
}
_OF_UNIPROT: Final = frozenset({EvidenceSource.SWISSPROT, EvidenceSource.UNIPROT})
_SHORTEST_SYMBOL: Final = 3
_DOMAIN_PROTEIN: Final = re.compile(r"(.+?)[ -]domain[- ]containing protein(?: .*)?", re.IGNORECASE)
_FAMILY: Final = re.compile(r"\b(?:sub|super)?family\b", re.IGNORECASE)


class Tables(NamedTuple):
    """Tables for reading results.

    Attributes:
        products: Which names mean the same.
        families: Pfam families of the local search.
        own_families: What families of genint's own are named after.
    """

    products: ProductVocabulary
    families: FamilyTable
    own_families: OwnFamilyTable


class ImportedObservations(NamedTuple):
    """Evidence of other programs for a genome.

    Attributes:
        evidence: Functional claims.
        unknown_domains: Families of unknown function, never a claim.
        spurious: Matches of models of spurious proteins: evidence against the gene.
        matchings: For each file, its genes among those of the genome.
    """

    evidence: tuple[Evidence, ...] = ()
    unknown_domains: tuple[Evidence, ...] = ()
    spurious: tuple[Evidence, ...] = ()
    matchings: tuple[Matching, ...] = ()


def observe(
    genome: Genome,
    results: Sequence[ImportedResults],
    queries: Sequence[QueryProteins],
    tables: Tables,
    known: Iterable[Evidence],
) -> ImportedObservations:
    """Evidence from results of other programs.

    Args:
        genome: With its final genes.
        results: Of any programs, in any order.
        queries: Proteins that they were given.
        tables: For reading names.
        known: Evidence of the genes that is there already: what an import shares with it has its
            origin.

    Cost: some 0.2 ms a gene and file.
    """
    if not results:
        return ImportedObservations()
    index = GeneIndex.of(genome)
    of_gene = by_gene(known)
    sources = NameSources.of(genome.genes, (), tables.own_families, _flat(of_gene))
    context = _Context(tables, of_gene, sources)
    evidence: list[Evidence] = []
    unknown: list[Evidence] = []
    spurious: list[Evidence] = []
    matchings = []
    for one in results:
        matching = match_genes(one, index, queries)
        matchings.append(matching)
        evidence.extend(_names(one, matching.found, context))
        for claims in (_signatures(one, matching.found, context), _domains(one, matching, context)):
            evidence.extend(claims.evidence)
            unknown.extend(claims.unknown_domains)
            spurious.extend(claims.spurious)
    return ImportedObservations(_once(evidence), _once(unknown), _once(spurious), tuple(matchings))


def _flat(of_gene: Mapping[str, Sequence[Evidence]]) -> list[Evidence]:
    return [item for items in of_gene.values() for item in items]


def _once(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Without what two files of one program say of a gene alike."""
    keyed = {
        (one.gene_id, one.source, one.accession, one.claim): one for one in reversed([*evidence])
    }
    return tuple(reversed(keyed.values()))


class _Context(NamedTuple):
    """What names are compared with."""

    tables: Tables
    known: Mapping[str, Sequence[Evidence]]
    sources: NameSources


def _names(
    results: ImportedResults, found: Iterable[FoundGene], context: _Context
) -> Iterator[Evidence]:
    for gene, imported in found:
        if imported.name is None:
            continue
        item = _named(gene, imported.name, results, context)
        if item is not None:
            yield item


def _named(
    gene: Gene, given: ImportedName, results: ImportedResults, context: _Context
) -> Evidence | None:
    """A name as evidence; None where it names no function."""
    products = context.tables.products
    name = read_name(given.text, products)
    if not name.informative:
        return None
    claim = _claim_of(name, given)
    kind = EvidenceType.FAMILY if given.by in _BY_FAMILIES else EvidenceType.HOMOLOGY
    product = name.product if claim.subject == name.text else products.find(claim.subject)
    return Evidence(
        gene_id=gene.id,
        source=results.source,
        type=kind,
        specificity=claim.specificity,
        claim=claim.text,
        subject=claim.subject.removeprefix("putative "),
        label=_label(name, given, results),
        strength=_strength(claim, given),
        origin=_origin(gene, name, given, results, context),
        eco=_ECO[results.source],
        database=results.title,
        accession=given.accession or None,
        measured=given.measured,
        cog=given.cog or None,
        ec=given.ec if claim.specificity is Specificity.PROTEIN else (),
        caveats=tuple(_caveats(name, claim, given, results)),
        aliases=(given.symbol,) if len(given.symbol) >= _SHORTEST_SYMBOL else (),
        product=product.id if product else None,
    )


class _Claim(NamedTuple):
    text: str
    subject: str
    specificity: Specificity


def _claim_of(name: ReferenceName, given: ImportedName) -> _Claim:
    """How much of a name may be claimed; a domain names the domain only."""
    domain = _DOMAIN_PROTEIN.fullmatch(name.text)
    if domain is not None:
        wording = claim_of(f"{domain[1]} domain")
        return _Claim(wording.of_domain, wording.subject, Specificity.DOMAIN)
    if _is_part(given):
        return _Claim(f"contains a region like {name.text}", name.text, Specificity.DOMAIN)
    if name.vague or name.kind is NameKind.BROAD:
        return _Claim(name.text, name.text, Specificity.CATEGORY)
    # A group of orthologs is called after most of its members, among which paralogues are.
    of_family = given.by is NamedBy.ORTHOLOGS or _FAMILY.search(name.text) is not None
    return _Claim(name.text, name.text, Specificity.FAMILY if of_family else Specificity.PROTEIN)


def _is_part(given: ImportedName) -> bool:
    measured = given.measured
    shares = (measured.protein_coverage, measured.target_coverage)
    return any(share is not None and share < WHOLE for share in shares)


def _strength(claim: _Claim, given: ImportedName) -> str:
    if claim.specificity is Specificity.DOMAIN:
        return STRENGTH_PART
    evalue = given.measured.evalue
    if given.by is NamedBy.FAMILY and (evalue is None or evalue > _SURE_EVALUE):
        return _STRENGTHS[NamedBy.FAMILY_UNSCORED]
    return _STRENGTHS[given.by]


def _label(name: ReferenceName, given: ImportedName, results: ImportedResults) -> str:
    measured = given.measured
    figures = []
    if measured.identity is not None:
        figures.append(f"{percent(measured.identity)} identical")
    if measured.evalue is not None:
        figures.append(f"E {measured.evalue:.1e}")
    told = f" ({', '.join(figures)})" if figures else ""
    accession = f"{given.accession} " if given.accession else ""
    return f"{results.title}: {accession}{name.text}, {_WORDS[given.by]}{told}"


def _caveats(
    name: ReferenceName, claim: _Claim, given: ImportedName, results: ImportedResults
) -> Iterator[str]:
    program = results.source.program
    if _is_part(given):
        yield f"{program} compared only a part of the protein, or with a part of what it is like"
    if name.vague or name.kind is NameKind.BROAD:
        yield f"“{name.text}” is a wide class, not one function"
    elif name.kind is NameKind.HEDGED and claim.specificity is not Specificity.DOMAIN:
        yield f"the name that {program} gives is itself hedged"


def _origin(
    gene: Gene,
    name: ReferenceName,
    given: ImportedName,
    results: ImportedResults,
    context: _Context,
) -> str:
    """What a name rests on: that of evidence with the same name from the same sequence or database.

    Names of phage proteins are copied from record to record, so that a program's and that of a
    family of phages are one. UniProt's clusters have the names of their entries, and a file that
    was annotated by the program has its names.
    """
    products = context.tables.products
    for item in context.known.get(gene.id, ()):
        if not _shares_source(item, given, results, context) or not _agree(name, item, products):
            continue
        return item.origin
    digest = residues_digest(gene.protein)
    family = context.sources.named_by.get(digest)
    if family is not None and family.rests_on(digest):
        own = context.tables.own_families[family.family]
        if _same_name(name, own.name, products):
            return f"genint_family:{family.family}"
    return given.origin or f"{results.source.value}:{given.accession or name.text.casefold()}"


def _shares_source(
    item: Evidence, given: ImportedName, results: ImportedResults, context: _Context
) -> bool:
    """Whether a name may come from where the import has it."""
    if item.type is EvidenceType.ANNOTATION:
        return True
    if item in context.sources.of_phages.get(item.gene_id, ()):
        return True
    if item.source in _OF_UNIPROT:
        return results.source is EvidenceSource.BAKTA or item.accession in given.proteins
    return False


def _agree(name: ReferenceName, item: Evidence, products: ProductVocabulary) -> bool:
    if item.type is EvidenceType.ANNOTATION:
        return name.text.casefold() in (item.claim.casefold(), item.subject.casefold())
    return _same_name(name, item.subject, products)


def _same_name(name: ReferenceName, text: str, products: ProductVocabulary) -> bool:
    """Whether two names may mean one thing."""
    other = products.find(text)
    if name.product is not None and other is not None:
        related = products.related(name.product.id, other.id)
        if related is not Relation.UNRELATED:
            return related is not Relation.OPPOSITE
    return alike(words_of(name.text), words_of(text))


def _signatures(
    results: ImportedResults, found: Iterable[FoundGene], context: _Context
) -> ImportedObservations:
    """Signatures of InterPro, read as the answers of its service are."""
    answers = {
        gene.id: InterProAnswer(
            AnswerState.HIT,
            tuple(map(_with_library, imported.matches)),
            # Without types of entries they are read as matches from UniParc are.
            through_uniparc=not results.are_types_stated,
        )
        for gene, imported in found
        if imported.matches
    }
    if not answers:
        return ImportedObservations()
    genes = {gene.id: gene for gene, _ in found}
    domains = [item for item in _flat(context.known) if item.pfam]
    seen = interpro.observe(genes.values(), answers, results.go, context.tables.families, domains)
    return ImportedObservations(
        tuple(_by_program(item, results) for item in seen.evidence),
        tuple(_by_program(item, results) for item in seen.unknown_domains),
        tuple(_by_program(item, results) for item in seen.spurious),
    )


def _with_library(match: InterProMatch) -> InterProMatch:
    return replace(match, library=library_of(match.library_title))


def _domains(
    results: ImportedResults, matching: Matching, context: _Context
) -> ImportedObservations:
    """Families of Pfam that the program found, read as the local search's are."""
    families = context.tables.families
    claims: list[Evidence] = []
    unknown: list[Evidence] = []
    for gene, imported in matching.found:
        for hit in imported.domains:
            family = families.families.get(hit.accession)
            if family is None:
                continue
            placed = PfamHit(hit._replace(gene_id=gene.id), family, len(gene.protein), "")
            found = domain_claim(placed)
            (claims if found.is_claim else unknown).append(_by_program(found.evidence, results))
    return ImportedObservations(tuple(claims), tuple(unknown))


def _by_program(item: Evidence, results: ImportedResults) -> Evidence:
    return replace(item, source=results.source, database=results.title)
