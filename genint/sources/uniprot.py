"""UniProt evidence: entries of the same protein, or of the same locus.

An entry with the same residues is the protein itself, so its name needs no similarity: what
matters is who gave it, and on what evidence. Names are read, worded and traced to their origins
as those of similar proteins are, so that an entry that the local similarity search finds too
counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from genint.knowledge.own_families import OwnFamilyTable
from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.products import ProductVocabulary
from genint.knowledge.table_files import NO_TERMS, Terms
from genint.model.evidence import (
    NO_MEASUREMENTS,
    Evidence,
    GoTerm,
    Measurements,
    ReferenceEntry,
    SimilarityHit,
    residues_digest,
)
from genint.model.genome import Gene
from genint.model.online import GoClaim, NameOrigin, OnlineService, UniProtAnswer, UniProtEntry
from genint.model.vocabulary import EvidenceSource, EvidenceType
from genint.sources.homology import differ
from genint.sources.homology_reliability import (
    CLOSE_IDENTITY,
    WHOLE,
    WHOLE_OF_A_PIECE,
    NamedHit,
    NameSources,
    ReferenceName,
    caveats_of,
    claim_of,
    origin_of,
    read_name,
    specificity_of,
)

EXPERIMENT: Final = "uniprot_experiment"
CURATED: Final = "uniprot_curated"
SIMILARITY: Final = "uniprot_similarity"
RULE: Final = "uniprot_rule"
OTHER_SEQUENCE: Final = "uniprot_other_sequence"
AUTOMATIC: Final = "uniprot_automatic"
OTHER_AUTOMATIC: Final = "uniprot_other_automatic"
SUBMITTED: Final = "uniprot_submitted"
_ORDER: Final = (
    EXPERIMENT,
    CURATED,
    SIMILARITY,
    RULE,
    OTHER_SEQUENCE,
    AUTOMATIC,
    OTHER_AUTOMATIC,
    SUBMITTED,
)
"""Most trusted first."""
_BY_PERSONS: Final = frozenset({EXPERIMENT, CURATED, SIMILARITY, RULE})
_CLASSES: Final = {
    "ECO:0000269": EXPERIMENT,
    "ECO:0000305": CURATED,
    "ECO:0000303": CURATED,
    "ECO:0000250": SIMILARITY,
    "ECO:0000255": RULE,
    "ECO:0007744": RULE,
    "ECO:0000312": RULE,
    "ECO:0000256": AUTOMATIC,
    "ECO:0000259": AUTOMATIC,
    "ECO:0007829": AUTOMATIC,
    "ECO:0000313": SUBMITTED,
}
"""Best code first."""
CODES: Final = frozenset(_CLASSES)
"""All that are known, of names that have one."""
_BY_SIGNATURES: Final = frozenset({"ECO:0000255", "ECO:0000256", "ECO:0000259"})
"""Codes of names that a rule gave to whatever has certain signatures."""
ECO_MANUAL: Final = "ECO:0000352"
"""Evidence used in manual assertion: of a reviewed entry whose name has no code."""
ECO_AUTOMATIC: Final = "ECO:0000501"
"""Evidence used in automatic assertion: the same of an unreviewed one."""
ECO_IMPORTED: Final = "ECO:0000313"


class Grade(NamedTuple):
    """An entry and how reliable its name is for a gene.

    Attributes:
        entry: Of UniProtKB.
        name: Its name.
        strength: Class of reliability.
        eco: Best code of the name.
        piece: The gene is cut off, and the entry is longer.
    """

    entry: UniProtEntry
    name: ReferenceName
    strength: str
    eco: str
    piece: bool = False

    @property
    def rank(self) -> int:
        """0 for the most trusted class."""
        return _ORDER.index(self.strength)

    def may_contest(self, lead: Grade) -> bool:
        """Whether its name, if another one, contests that of an entry ranked before it.

        Unreviewed entries contest no reviewed one, and entries of another sequence contest
        none of the same sequence.
        """
        reviewed = self.entry.reviewed - lead.entry.reviewed
        same = self.entry.same_sequence - lead.entry.same_sequence
        return reviewed > 0 or same > 0 or (reviewed == 0 and same == 0)


def graded(gene: Gene, entry: UniProtEntry, products: ProductVocabulary) -> Grade | None:
    """Grade an entry for a gene; None where it names no function."""
    name = read_name(entry.name, products)
    if not name.informative:
        return None
    eco, strength = _evidence_class(entry)
    if entry.same_sequence:
        return Grade(entry, name, strength, eco)
    alike = length_ratio(gene, entry)
    cut_off = gene.location.partial_5 or gene.location.partial_3
    if alike < (WHOLE_OF_A_PIECE if cut_off else WHOLE):
        return None  # such a part of a locus may have any function
    return Grade(entry, name, _of_other_sequence(entry, strength), eco, piece=alike < WHOLE)


def type_of(grade: Grade) -> EvidenceType:
    """Which type of evidence the name is.

    A name that a rule gave depends on signatures of the protein, as InterPro's do: the two are
    one type of evidence.
    """
    return EvidenceType.DOMAIN if grade.eco in _BY_SIGNATURES else EvidenceType.HOMOLOGY


def length_ratio(gene: Gene, entry: UniProtEntry) -> float:
    """Length of the shorter of the two proteins, as share of the longer one, 0..1."""
    ours, theirs = len(gene.protein), entry.length_aa
    return min(ours, theirs) / max(ours, theirs, 1)


def _evidence_class(entry: UniProtEntry) -> tuple[str, str]:
    """Best code of the name, and its class."""
    eco = next((code for code in _CLASSES if code in entry.name_eco), None)
    if eco is None:
        if entry.reviewed:
            return ECO_MANUAL, RULE
        if entry.name_origin is NameOrigin.RECOMMENDED:
            return ECO_AUTOMATIC, AUTOMATIC
        return ECO_IMPORTED, SUBMITTED
    strength = _CLASSES[eco]
    if strength in _BY_PERSONS and not entry.reviewed:
        return eco, AUTOMATIC
    return eco, strength


def _of_other_sequence(entry: UniProtEntry, strength: str) -> str:
    if strength == SUBMITTED:
        return SUBMITTED
    return OTHER_SEQUENCE if entry.reviewed else OTHER_AUTOMATIC


_SHORTEST_SYMBOL: Final = 3
_SEEN: Final = 1
"""Level of protein existence of what was seen as a protein."""
_UNINFORMATIVE_GO: Final = frozenset({"GO:0005515"})
"""Protein binding: given to any protein that was seen to bind another."""
_NO_DATA: Final = "ND"
_ELECTRONIC: Final = "IEA"
_OF_INTERPRO: Final = "interpro"
_GO_CODES: Final = (
    frozenset("EXP IDA IPI IMP IGI IEP HTP HDA HMP HGI HEP".split()),
    frozenset("IBA IBD IKR IRD TAS IC".split()),
    frozenset("ISS ISO ISA ISM IGC RCA NAS".split()),
)
"""Experiments; phylogeny and statements; reviewed computation. All others come last."""


class _Knowledge(NamedTuple):
    """Tables for reading answers.

    Attributes:
        products: Which names mean the same.
        terms: What GO identifiers mean.
        witnesses: What families of genint's own have their names from.
        annotated: Gene id -> origin of the file's own statement.
    """

    products: ProductVocabulary
    terms: Terms
    name_sources: NameSources
    annotated: Mapping[str, str]


def observe(  # noqa: PLR0913 - answers, and the tables for reading them
    genes: Iterable[Gene],
    answers: Mapping[str, UniProtAnswer],
    own_families: OwnFamilyTable,
    products: ProductVocabulary,
    terms: Terms = NO_TERMS,
    *,
    families: Iterable[Evidence] = (),
    annotations: Iterable[Evidence] = (),
) -> tuple[Evidence, ...]:
    """Evidence from entries of UniProt.

    Args:
        genes: Whose proteins were queried.
        answers: By gene id.
        own_families: An entry that a family is named after is no independent evidence.
        products: Which names mean the same.
        terms: What the GO identifiers of entries mean.
        families: Evidence of genint's own families.
        annotations: Evidence of the file: a name that UniProt copied from the record of the
            sequence is no independent evidence for it.

    Returns:
        In the order of ``genes``, for each the entry with the most reliable informative
        name, and one with another name that contests it.

    Cost: some 0.2 ms a gene, and 10 ms for the families.
    """
    answered = [gene for gene in genes if gene.id in answers and answers[gene.id].entries]
    if not answered:
        return ()
    entries = (_reference(gene, entry) for gene in answered for entry in answers[gene.id].entries)
    name_sources = NameSources.of(answered, entries, own_families, families)
    annotated = {item.gene_id: item.origin for item in annotations}
    knowledge = _Knowledge(products, terms, name_sources, annotated)
    evidence: list[Evidence] = []
    for gene in answered:
        answer = answers[gene.id]
        grades = _leading(gene, answer.entries, products)
        for at, grade in enumerate(grades):
            others = [one for one in grades if one is not grade]
            contests = tuple(_contests(one, is_ahead=at > 0) for one in others)
            evidence.append(_evidence(gene, grade, answer.release, contests, knowledge))
    return tuple(evidence)


def _leading(
    gene: Gene, entries: Iterable[UniProtEntry], products: ProductVocabulary
) -> list[Grade]:
    """The entry that leads, and one that contests it."""
    read = (graded(gene, entry, products) for entry in entries)
    ordered = sorted((grade for grade in read if grade is not None), key=lambda one: one.rank)
    if not ordered:
        return []
    lead = ordered[0]
    contesting = (
        one
        for one in ordered[1:]
        if one.may_contest(lead)
        and not (one.name.vague or one.name.kind is NameKind.BROAD)
        and differ(one.name, lead.name, products)
    )
    return [lead, *(one for one in [next(contesting, None)] if one is not None)]


def _contests(other: Grade, *, is_ahead: bool) -> str:
    which = "is more reliable and" if is_ahead else "of the same protein"
    return f"{other.entry.accession} {which} is called “{other.name.text}”"


def _evidence(
    gene: Gene, grade: Grade, release: str | None, contests: tuple[str, ...], knowledge: _Knowledge
) -> Evidence:
    entry, name = grade.entry, grade.name
    database = f"{OnlineService.UNIPROT.label} {release}" if release else "UniProt"
    named = _named_hit(gene, grade, database)
    claim = claim_of(named)
    return Evidence(
        gene_id=gene.id,
        source=EvidenceSource.UNIPROT,
        type=type_of(grade),
        specificity=specificity_of(named),
        claim=claim,
        subject=claim.removeprefix("putative "),
        label=_label(grade),
        strength=grade.strength,
        origin=_origin(gene, named, grade, knowledge),
        eco=grade.eco,
        database=database,
        accession=entry.accession,
        measured=_measured(gene, entry),
        ec=tuple(_ec_numbers(grade)),
        go=_go_terms(entry.go, knowledge.terms),
        caveats=(*_caveats(gene, grade, named), *contests),
        aliases=_aliases(grade),
        product=name.product.id if name.product else None,
        # Those of the same sequence are found there anyway.
        expected_pfam=() if entry.same_sequence else entry.pfam,
        similar=named.hit.entry,
    )


def _named_hit(gene: Gene, grade: Grade, database: str) -> NamedHit:
    """The entry as a hit of the similarity search.

    How similar another sequence is, is unknown: similar enough for its name, as the identifier
    is the same, but not a copy.
    """
    entry, length_aa = grade.entry, len(gene.protein)
    hit = SimilarityHit(
        gene_id=gene.id,
        source=EvidenceSource.UNIPROT,
        database=database,
        entry=_reference(gene, entry),
        evalue=0.0,
        score_bits=0.0,
        identity=1.0 if entry.same_sequence else CLOSE_IDENTITY,
        protein_from=1,
        protein_to=length_aa,
        target_from=1,
        target_to=entry.length_aa,
        protein_coverage=1.0,
        target_coverage=1.0,
    )
    return NamedHit(hit, grade.name, whole=True, piece=grade.piece)


def _reference(gene: Gene, entry: UniProtEntry) -> ReferenceEntry:
    digest = residues_digest(gene.protein) if entry.same_sequence else entry.digest
    return ReferenceEntry(
        accession=entry.accession,
        name=entry.name,
        symbol=entry.symbol,
        organism=entry.organism,
        ec=tuple(claim.number for claim in entry.ec),
        go=tuple(claim.term.id for claim in entry.go),
        pfam=entry.pfam,
        existence=entry.existence,
        length_aa=entry.length_aa,
        digest=digest,
    )


def _origin(gene: Gene, named: NamedHit, grade: Grade, knowledge: _Knowledge) -> str:
    """Origin of a name: of a copied one the record, where that is the file itself."""
    if grade.strength == SUBMITTED and not grade.entry.reviewed:
        if gene.id in knowledge.annotated:
            return knowledge.annotated[gene.id]
        if gene.product and classify_product(gene.product) is not NameKind.PLACEHOLDER:
            return f"annotation:{gene.contig}"
    return origin_of(gene, named, knowledge.name_sources, knowledge.products)


def _label(grade: Grade) -> str:
    entry = grade.entry
    details = ["reviewed" if entry.reviewed else "unreviewed"]
    details += ["same sequence"] if entry.same_sequence else ["same locus", "other sequence"]
    details += ["seen as a protein"] if entry.existence == _SEEN else []
    details += [entry.organism] if entry.organism else []
    return f"{entry.accession} {grade.name.text} ({', '.join(details)})"


def _measured(gene: Gene, entry: UniProtEntry) -> Measurements:
    if not entry.same_sequence:
        return NO_MEASUREMENTS
    length_aa = len(gene.protein)
    return Measurements(
        protein_from=1,
        protein_to=length_aa,
        protein_coverage=1.0,
        target_coverage=1.0,
        identity=1.0,
        target_from=1,
        target_to=length_aa,
    )


def _caveats(gene: Gene, grade: Grade, named: NamedHit) -> Iterable[str]:
    entry = grade.entry
    if not entry.same_sequence:
        lengths = f"{entry.length_aa} residues, {len(gene.protein)} here"
        yield f"same locus, other sequence: {entry.accession}, found by its id, has {lengths}"
    if grade.strength == AUTOMATIC:
        yield f"{entry.accession} was named automatically by a rule, without review"
    if grade.strength == SUBMITTED:
        yield f"the name of {entry.accession} was copied from the record of its sequence"
    yield from caveats_of(named)


def _ec_numbers(grade: Grade) -> Iterable[str]:
    """Those that were only copied from a record go with a name that was, not with a better one."""
    for claim in grade.entry.ec:
        if grade.strength == SUBMITTED or set(claim.eco) != {ECO_IMPORTED}:
            yield claim.number


def _go_terms(claims: Iterable[GoClaim], terms: Terms) -> tuple[GoTerm, ...]:
    """Each term once, best evidence first; without those that InterPro gave.

    InterPro's come with its own matches; "no biological data" (ND) is no term.
    """
    kept = (
        claim
        for claim in claims
        if claim.code != _NO_DATA
        and claim.term.id not in _UNINFORMATIVE_GO
        and not (claim.code == _ELECTRONIC and claim.assigned_by.lower() == _OF_INTERPRO)
    )
    ordered = sorted(kept, key=_go_order)
    return tuple({claim.term.id: terms.completed(claim.term) for claim in ordered}.values())


def _go_order(claim: GoClaim) -> int:
    return next((at for at, codes in enumerate(_GO_CODES) if claim.code in codes), len(_GO_CODES))


def _aliases(grade: Grade) -> tuple[str, ...]:
    """The entry's gene symbol, never a mere letter, and the usual name of its product."""
    symbol, product = grade.entry.symbol, grade.name.product
    names = [symbol] if len(symbol) >= _SHORTEST_SYMBOL else []
    if product is not None and product.name != grade.name.text:
        names.append(product.name)
    return tuple(names)
