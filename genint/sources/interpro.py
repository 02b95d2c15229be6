"""InterPro evidence: the function that the signatures of a protein suggest.

A family that covers the protein names it; a domain, a repeat or a site is contained; folds and
families of unknown function are no claim. What the local profile search finds too has the same
words and the same origin, so that it counts once. Models of spurious proteins are evidence
against the gene, and predictions without a signature are remarks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from genint.knowledge.interpro_names import ANTIFAM, is_feature, is_fold, site_claim
from genint.knowledge.pfam import FamilyTable, claim_of
from genint.model.evidence import Evidence, GoTerm, ProfileHit
from genint.model.genome import Gene
from genint.model.online import InterProAnswer, InterProMatch, MatchPlace
from genint.model.rescue import percent
from genint.model.vocabulary import EvidenceSource, EvidenceType, Specificity
from genint.sources.interpro_matches import (
    Finding,
    Kind,
    ProteinContext,
    Signature,
    Stretch,
    evalue_of,
    evidence_of,
    findings_of,
    heading,
    measurements,
    naming_rank,
    pfam_family,
    stretch_of,
    title,
)
from genint.sources.pfam import (
    ECO_SEQUENCE_MODEL,
    STRENGTH_DOMAIN,
    STRENGTH_FAMILY,
    STRENGTH_FAR_FAMILY,
    STRENGTH_PARTIAL,
    DomainClaim,
    PfamHit,
    domain_claim,
)

STRENGTH_ANTIFAM: Final = "antifam"
_LEAST_SCORE: Final = 0.9
"""Of 0 to 1; below it InterPro-N is often wrong."""
_MOST_OF_IT: Final = 0.5
"""Share of the protein from which a model of a spurious one counts against all of it."""
_SITES: Final = frozenset({"prositepatterns", "pirsr", ANTIFAM})


def spurious_of(context: ProteinContext) -> tuple[list[Evidence], list[str]]:
    """Models of spurious proteins that match most of it, and remarks on those that match less."""
    against, remarks = [], []
    for match in context.answer.matches:
        if match.library != ANTIFAM or match.is_prediction:
            continue
        stretch = stretch_of(match, context.length_aa)
        if stretch is None or stretch.protein_share >= _MOST_OF_IT:
            against.append(_spurious(match, stretch, context))
        else:
            remarks.append(
                f"{percent(stretch.protein_share)} of the protein looks like a spurious one "
                f"(AntiFam {match.accession}: {_description(match)})"
            )
    return against, remarks


def _spurious(match: InterProMatch, stretch: Stretch | None, context: ProteinContext) -> Evidence:
    named = f"AntiFam {match.accession}: {_description(match)}"
    evalue = evalue_of(match)
    details = [f"E {evalue:.1e}" if evalue else "E 0"] if evalue is not None else []
    if stretch is not None:
        details.append(f"{percent(stretch.protein_share)} of the protein")
    return Evidence(
        gene_id=context.gene_id,
        source=EvidenceSource.INTERPRO,
        type=EvidenceType.GENE_CALL,
        specificity=Specificity.PROTEIN,
        claim=f"looks like a spurious protein ({named})",
        subject="spurious protein",
        label=f"{named} ({', '.join(details)})" if details else named,
        strength=STRENGTH_ANTIFAM,
        origin=f"antifam:{match.accession}",
        eco=ECO_SEQUENCE_MODEL,
        database=context.database,
        accession=match.accession,
        measured=measurements(match, stretch),
    )


def _description(match: InterProMatch) -> str:
    return (match.description or match.name or "model of a spurious protein").rstrip(".")


def predictions_of(context: ProteinContext, claimed: Collection[InterProMatch]) -> tuple[str, ...]:
    """Predictions of InterPro-N where there is no signature, each family once, as remarks.

    Args:
        context: The protein.
        claimed: Signatures that claims rest on.
    """
    matched = {match.accession for match in context.answer.matches if not match.is_prediction}
    taken = [place for match in claimed for place in match.places]
    remarks: dict[str, str] = {}
    for match in context.answer.matches:
        if match.is_prediction and match.accession not in matched and _implies_function(match):
            for place in _sure_places(match, taken):
                remarks.setdefault(match.accession, _words(match, place, context))
    return tuple(remarks.values())


def _implies_function(match: InterProMatch) -> bool:
    library = match.library
    return not (is_fold(library) or is_feature(library) or library in _SITES)


def _sure_places(match: InterProMatch, taken: Collection[MatchPlace]) -> Iterator[MatchPlace]:
    for place in match.places:
        free = not any(place.start <= one.end and one.start <= place.end for one in taken)
        if free and place.score is not None and place.score >= _LEAST_SCORE:
            yield place


def _words(match: InterProMatch, place: MatchPlace, context: ProteinContext) -> str:
    known = context.families.families.get(match.accession)
    name = known.description if known else match.description or match.name
    aside = f" ({name.rstrip('.')})" if name else ""
    score = int(100 * min(place.score or 0.0, 1.0)) / 100
    return (
        f"InterPro-N, a language model, expects {match.library_title} {match.accession}{aside} "
        f"at residues {place.start} to {place.end} (score {score:.2f}); no signature confirms it"
    )


STRENGTH_ENTRY_FAMILY: Final = "interpro_family"
STRENGTH_ENTRY_DOMAIN: Final = "interpro_domain"
STRENGTH_SITE: Final = "interpro_site"
STRENGTH_LOOSE_FAMILY: Final = "interpro_loose_family"
STRENGTH_LOOSE_DOMAIN: Final = "interpro_loose_domain"
STRENGTH_UNSCORED: Final = "interpro_unscored"


class FindingClaim(NamedTuple):
    """A finding and the evidence made of it.

    Attributes:
        finding: The signatures.
        figures: The one whose figures count.
        evidence: What it claims.
        is_claim: Whether it claims a function; else it is of unknown function, or a fold.
    """

    finding: Finding
    figures: Signature
    evidence: Evidence
    is_claim: bool

    @property
    def names(self) -> bool:
        """Whether it names the whole protein."""
        return self.is_claim and self.evidence.specificity is Specificity.FAMILY


def claim_of_finding(finding: Finding, context: ProteinContext) -> FindingClaim:
    """The claim of a finding: a family may name the protein, all else is a part of it.

    A claim is never more specific than a family: the answers do not distinguish models of one
    exact function (equivalogs of NCBIfam) from wider ones, and entries combine both.
    """
    if finding.kind is Kind.FOLD:
        return _unknown(finding, context)
    if finding.kind is Kind.SITE and finding.pfam is None:
        return _site(finding, context)
    pfam = _claim_of_pfam(finding, context)
    if pfam is None or (pfam.is_claim and _another_is_better(finding, pfam.evidence)):
        return _by_entry(finding, context)
    if not pfam.is_claim:
        return _unknown(finding, context, strength=pfam.evidence.strength)
    item, figures = _without_superfamily(pfam.evidence), finding.pfam or finding.best
    evidence = evidence_of(
        finding,
        figures,
        context,
        claim=item.claim,
        subject=item.subject,
        specificity=item.specificity,
        strength=item.strength,
        aliases=item.aliases,
        cog=item.cog,
    )
    return FindingClaim(finding, figures, evidence, is_claim=True)


def _without_superfamily(item: Evidence) -> Evidence:
    """A superfamily names no protein, also where Pfam calls it a family and InterPro does not."""
    if item.specificity is not Specificity.FAMILY or "superfamily" not in item.claim.lower():
        return item
    return replace(item, specificity=Specificity.CATEGORY, strength=STRENGTH_DOMAIN)


def _claim_of_pfam(finding: Finding, context: ProteinContext) -> DomainClaim | None:
    """The claim of the local search for the Pfam family; None where figures are missing."""
    found = finding.pfam
    if finding.kind is Kind.UNSTATED or found is None or found.stretch is None:
        return None
    match, stretch = found.match, found.stretch
    if match.evalue is None or match.score_bits is None or stretch.model_share is None:
        return None
    terms = context.go.get(match.entry.accession, ()) if match.entry and context.go else None
    family = pfam_family(match, terms, context.families)
    hit = ProfileHit(
        gene_id=context.gene_id,
        accession=match.accession,
        evalue=match.evalue,
        score_bits=match.score_bits,
        threshold_bits=family.gathering_bits,
        protein_from=stretch.first,
        protein_to=stretch.last,
        protein_coverage=stretch.protein_share,
        profile_coverage=stretch.model_share,
    )
    return domain_claim(PfamHit(hit, family, context.length_aa, context.database))


def _another_is_better(finding: Finding, pfam: Evidence) -> bool:
    """Whether a signature of another collection covers what that of Pfam does not.

    Where that of Pfam covers all but is remote, one that is made for naming is better.
    """
    best = next(iter(finding.others), None)
    if best is None:
        return False
    if finding.kind is not Kind.FAMILY:
        return best.is_complete and pfam.strength == STRENGTH_PARTIAL
    if pfam.specificity is not Specificity.FAMILY or pfam.strength == STRENGTH_PARTIAL:
        return best.is_whole
    names_better = naming_rank(best.match.library) < naming_rank("pfam")
    return best.is_whole and names_better and pfam.strength != STRENGTH_FAMILY


def _by_entry(finding: Finding, context: ProteinContext) -> FindingClaim:
    """The claim of the signature that covers most, with the name of its entry or its own."""
    name, best = heading(finding, context.families), finding.best
    if name is None:
        return _unknown(finding, context)
    wording = claim_of(name)
    whole = finding.kind is Kind.FAMILY and best.is_whole
    evidence = evidence_of(
        finding,
        best,
        context,
        claim=wording.of_protein if whole else wording.of_domain,
        subject=wording.subject,
        specificity=Specificity.FAMILY if whole else Specificity.DOMAIN,
        strength=_strength(finding, whole=whole),
    )
    return FindingClaim(finding, best, evidence, is_claim=True)


def _strength(finding: Finding, *, whole: bool) -> str:
    """Class of reliability; a fragment counts no more than a signature of no entry."""
    if finding.kind is Kind.UNSTATED or finding.best.stretch is None:
        return STRENGTH_UNSCORED
    if finding.entry is None:
        return STRENGTH_LOOSE_FAMILY if whole else STRENGTH_LOOSE_DOMAIN
    if not finding.best.is_complete:
        return STRENGTH_LOOSE_DOMAIN
    return STRENGTH_ENTRY_FAMILY if whole else STRENGTH_ENTRY_DOMAIN


def _site(finding: Finding, context: ProteinContext) -> FindingClaim:
    entry, best = finding.entry, finding.best
    site = site_claim(entry.description or entry.name, entry.type) if entry else None
    if site is None:
        return _unknown(finding, context)
    evidence = evidence_of(
        finding,
        best,
        context,
        claim=site.claim,
        subject=site.subject,
        specificity=Specificity.DOMAIN,
        strength=STRENGTH_UNSCORED if context.answer.through_uniparc else STRENGTH_SITE,
    )
    return FindingClaim(finding, best, evidence, is_claim=True)


def _unknown(
    finding: Finding, context: ProteinContext, *, strength: str | None = None
) -> FindingClaim:
    """Membership of a family whose function is unknown, or of a fold with many functions."""
    best = finding.best
    short, long = title(finding.entry, best.match)
    evidence = evidence_of(
        finding,
        best,
        context,
        claim=f"member of {short} ({long})" if long else f"member of {short}",
        subject=short,
        specificity=Specificity.CATEGORY,
        strength=strength or _strength(finding, whole=False),
    )
    return FindingClaim(finding, best, evidence, is_claim=False)


_WEAK: Final = frozenset({STRENGTH_FAR_FAMILY, STRENGTH_PARTIAL})


class Selected(NamedTuple):
    """Findings that are kept: names, then parts, then sites; and those without a claim."""

    claims: tuple[FindingClaim, ...]
    unknown: tuple[FindingClaim, ...]


def select(readings: Sequence[FindingClaim]) -> Selected:
    """Keep the best finding of every stretch.

    Names compete with names, parts with parts: a protein is of one family and has domains.
    A part of no entry, and a family that covers a part only, give way to names too. Sites
    are always kept. Findings of unknown function, and folds, give way to all claims.
    """
    above = _above(readings)
    names = _best([one for one in readings if one.names], (), above)
    parts = [one for one in readings if one.is_claim and not one.names and not _is_site(one)]
    firm = _best([one for one in parts if not _gives_way(one)], (), above)
    sure = [one for one in names if one.finding.entry is not None]
    yielding = _best([one for one in parts if _gives_way(one)], (*sure, *firm), above)
    sites = [one for one in readings if one.is_claim and _is_site(one)]
    sites.sort(key=lambda one: _order(one, above))
    claims = (*names, *firm, *yielding, *sites)
    unknown = [one for one in readings if not one.is_claim]
    return Selected(claims, tuple(_best(unknown, claims, above)))


def _is_site(reading: FindingClaim) -> bool:
    return reading.finding.kind is Kind.SITE


def _gives_way(reading: FindingClaim) -> bool:
    return reading.finding.entry is None or reading.finding.kind is Kind.FAMILY


def _best(
    readings: Sequence[FindingClaim], against: Sequence[FindingClaim], above: frozenset[str]
) -> list[FindingClaim]:
    """Best first, without those that compete with a better one or with one of ``against``."""
    kept: list[FindingClaim] = []
    for reading in sorted(readings, key=lambda one: _order(one, above)):
        if not any(_compete(reading, better) for better in (*against, *kept)):
            kept.append(reading)
    return kept


def _compete(one: FindingClaim, other: FindingClaim) -> bool:
    first, second = one.figures.stretch, other.figures.stretch
    return first is not None and second is not None and first.competes(second)


def _above(readings: Sequence[FindingClaim]) -> frozenset[str]:
    """Entries that another one, which was matched too, is a kind of."""
    entries = {
        one.finding.entry.accession: one.finding.entry for one in readings if one.finding.entry
    }
    return frozenset(
        entry.parent for entry in entries.values() if entry.parent and entry.parent in entries
    )


def _order(reading: FindingClaim, above: frozenset[str]) -> tuple[object, ...]:
    """Of an entry, sure, the narrowest, of a Pfam family or made for naming, by figures."""
    finding, match = reading.finding, reading.figures.match
    entry, evalue = finding.entry, evalue_of(match)
    stretch = reading.figures.stretch
    return (
        finding.kind is Kind.FOLD,
        entry is None,
        reading.evidence.strength in _WEAK or not reading.figures.is_complete,
        entry is not None and entry.accession in above,
        naming_rank(match.library) if reading.names else finding.pfam is None,
        1.0 if evalue is None else evalue,
        -(stretch.protein_share if stretch else 0.0),
        entry.accession if entry else match.accession,
    )


_MOST_LEVELS: Final = 20
"""No tree of entries is deeper; a deeper one is a circle."""


@dataclass(frozen=True, slots=True)
class InterProObservations:
    """Evidence of InterPro for a genome.

    Attributes:
        evidence: Functional claims.
        unknown_domains: Families of unknown function and folds; never a claim.
        spurious: Matches of models of spurious proteins: evidence against the gene.
        predictions: Remarks that are no evidence, by gene id; genes with none are left out.
    """

    evidence: tuple[Evidence, ...] = ()
    unknown_domains: tuple[Evidence, ...] = ()
    spurious: tuple[Evidence, ...] = ()
    predictions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def observe(
    genes: Iterable[Gene],
    answers: Mapping[str, InterProAnswer],
    go: Mapping[str, tuple[GoTerm, ...]],
    families: FamilyTable,
    domains: Iterable[Evidence] = (),
) -> InterProObservations:
    """Evidence from the signatures of proteins.

    Args:
        genes: In the order of the result.
        answers: By gene id; genes without one are left out.
        go: Terms of InterPro entries.
        families: Pfam families of the local search.
        domains: Evidence of the local search for the same genes.

    Returns:
        Of each gene names first, then parts, then sites; of what lies on the same stretch
        only the best.

    Cost: 1 ms a gene with ten signatures.
    """
    found_here = _found_here(domains, families)
    claims: list[Evidence] = []
    unknown: list[Evidence] = []
    spurious: list[Evidence] = []
    predictions: dict[str, tuple[str, ...]] = {}
    for gene in genes:
        answer = answers.get(gene.id)
        if answer is None or not answer.matches:
            continue
        length_aa = len(gene.protein.removesuffix("*"))
        findings = findings_of(
            answer.matches, length_aa, are_types_stated=not answer.through_uniparc
        )
        context = ProteinContext(
            gene_id=gene.id,
            length_aa=length_aa,
            answer=answer,
            go={} if answer.through_uniparc else go,
            families=families,
            found_here=found_here.get(gene.id, {}),
            lineage=_lineages(findings),
        )
        selected = select([claim_of_finding(finding, context) for finding in findings])
        claims.extend(reading.evidence for reading in selected.claims)
        unknown.extend(reading.evidence for reading in selected.unknown)
        against, remarks = spurious_of(context)
        spurious.extend(against)
        if words := (*remarks, *predictions_of(context, _stretches(selected))):
            predictions[gene.id] = words
    return InterProObservations(tuple(claims), tuple(unknown), tuple(spurious), predictions)


def _found_here(domains: Iterable[Evidence], families: FamilyTable) -> dict[str, dict[str, str]]:
    """By gene, the Pfam families that the local search found, and their entries."""
    found: dict[str, dict[str, str]] = {}
    for item in domains:
        if item.pfam:
            found.setdefault(item.gene_id, {})[item.pfam] = item.pfam
        family = families.families.get(item.pfam or "")
        if family is not None and family.interpro is not None:
            found.setdefault(item.gene_id, {})[family.interpro.accession] = family.accession
    return found


def _lineages(findings: Iterable[Finding]) -> dict[str, tuple[str, ...]]:
    """Entry -> itself and those above it that were matched."""
    entries = {one.entry.accession: one.entry for one in findings if one.entry}
    lineages = {}
    for accession, entry in entries.items():
        line, at = [accession], entry.parent
        while at in entries and at is not None and len(line) < _MOST_LEVELS and at not in line:
            line.append(at)
            at = entries[at].parent
        lineages[accession] = tuple(line)
    return lineages


def _stretches(selected: Selected) -> tuple[InterProMatch, ...]:
    """Signatures that claims rest on."""
    return tuple(one.match for reading in selected.claims for one in reading.finding.signatures)
