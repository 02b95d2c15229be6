"""What one finding of InterPro says of its protein."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from genint.knowledge.family_names import claim_of
from genint.knowledge.site_names import site_claim
from genint.model.evidence import Evidence, ProfileHit
from genint.model.vocabulary import Specificity
from genint.sources.domains import (
    STRENGTH_DOMAIN,
    STRENGTH_FAMILY,
    STRENGTH_PARTIAL,
    Said,
    said_of,
)
from genint.sources.interpro_evidence import About, evidence_of
from genint.sources.interpro_families import heading, pfam_family, title
from genint.sources.interpro_findings import Finding, Kind, Signature, naming_rank

STRENGTH_ENTRY_FAMILY: Final = "interpro_family"
STRENGTH_ENTRY_DOMAIN: Final = "interpro_domain"
STRENGTH_SITE: Final = "interpro_site"
STRENGTH_LOOSE_FAMILY: Final = "interpro_loose_family"
STRENGTH_LOOSE_DOMAIN: Final = "interpro_loose_domain"
STRENGTH_UNSCORED: Final = "interpro_unscored"


class Reading(NamedTuple):
    """A finding and what it says.

    Attributes:
        finding: The signatures.
        figures: The one whose figures count.
        evidence: What it says.
        is_claim: Whether that is of function; else it is of an unknown one, or of a fold.
    """

    finding: Finding
    figures: Signature
    evidence: Evidence
    is_claim: bool

    @property
    def names(self) -> bool:
        """Whether it names the whole protein."""
        return self.is_claim and self.evidence.specificity is Specificity.FAMILY


def read(finding: Finding, about: About) -> Reading:
    """What a finding says: a family may name the protein, all else is a part of it.

    No family claims more than to be one: the answers do not tell models that hold for one
    exact function (equivalogs of NCBIfam) from wider ones, and entries bring both together.
    """
    if finding.kind is Kind.FOLD:
        return _unknown(finding, about)
    if finding.kind is Kind.SITE and finding.pfam is None:
        return _site(finding, about)
    said = _said_by_pfam(finding, about)
    if said is None or (said.is_claim and _another_says_more(finding, said.evidence)):
        return _by_entry(finding, about)
    if not said.is_claim:
        return _unknown(finding, about, strength=said.evidence.strength)
    item, figures = _without_superfamily(said.evidence), finding.pfam or finding.best
    evidence = evidence_of(
        finding,
        figures,
        about,
        claim=item.claim,
        subject=item.subject,
        specificity=item.specificity,
        strength=item.strength,
        aliases=item.aliases,
        cog=item.cog,
    )
    return Reading(finding, figures, evidence, is_claim=True)


def _without_superfamily(item: Evidence) -> Evidence:
    """A superfamily names no protein, also where Pfam calls it a family and InterPro does not."""
    if item.specificity is not Specificity.FAMILY or "superfamily" not in item.claim.lower():
        return item
    return replace(item, specificity=Specificity.CATEGORY, strength=STRENGTH_DOMAIN)


def _said_by_pfam(finding: Finding, about: About) -> Said | None:
    """What the local search would say of the Pfam family; None where figures are missing."""
    found = finding.pfam
    if finding.kind is Kind.UNTOLD or found is None or found.stretch is None:
        return None
    match, stretch = found.match, found.stretch
    if match.evalue is None or match.score_bits is None or stretch.model_share is None:
        return None
    terms = about.go.get(match.entry.accession, ()) if match.entry and about.go else None
    family = pfam_family(match, terms, about.families)
    hit = ProfileHit(
        gene_id=about.gene_id,
        accession=match.accession,
        evalue=match.evalue,
        score_bits=match.score_bits,
        threshold_bits=family.gathering_bits,
        protein_from=stretch.first,
        protein_to=stretch.last,
        protein_coverage=stretch.protein_share,
        profile_coverage=stretch.model_share,
    )
    return said_of(hit, family, length_aa=about.length_aa, database=about.database)


def _another_says_more(finding: Finding, said: Evidence) -> bool:
    """Whether a signature of another collection covers what that of Pfam does not.

    Where that of Pfam covers all but is far, one that is made for naming says more.
    """
    best = next(iter(finding.others), None)
    if best is None:
        return False
    if finding.kind is not Kind.FAMILY:
        return best.is_complete and said.strength == STRENGTH_PARTIAL
    if said.specificity is not Specificity.FAMILY or said.strength == STRENGTH_PARTIAL:
        return best.is_whole
    names_better = naming_rank(best.match.library) < naming_rank("pfam")
    return best.is_whole and names_better and said.strength != STRENGTH_FAMILY


def _by_entry(finding: Finding, about: About) -> Reading:
    """What the signature that covers most says, under the name of its entry or its own."""
    told, best = heading(finding, about.families), finding.best
    if told is None:
        return _unknown(finding, about)
    wording = claim_of(told)
    whole = finding.kind is Kind.FAMILY and best.is_whole
    evidence = evidence_of(
        finding,
        best,
        about,
        claim=wording.of_protein if whole else wording.of_domain,
        subject=wording.subject,
        specificity=Specificity.FAMILY if whole else Specificity.DOMAIN,
        strength=_strength(finding, whole=whole),
    )
    return Reading(finding, best, evidence, is_claim=True)


def _strength(finding: Finding, *, whole: bool) -> str:
    """Class of reliability; a fragment is worth no more than a signature of no entry."""
    if finding.kind is Kind.UNTOLD or finding.best.stretch is None:
        return STRENGTH_UNSCORED
    if finding.entry is None:
        return STRENGTH_LOOSE_FAMILY if whole else STRENGTH_LOOSE_DOMAIN
    if not finding.best.is_complete:
        return STRENGTH_LOOSE_DOMAIN
    return STRENGTH_ENTRY_FAMILY if whole else STRENGTH_ENTRY_DOMAIN


def _site(finding: Finding, about: About) -> Reading:
    entry, best = finding.entry, finding.best
    told = site_claim(entry.description or entry.name, entry.type) if entry else None
    if told is None:
        return _unknown(finding, about)
    evidence = evidence_of(
        finding,
        best,
        about,
        claim=told.claim,
        subject=told.subject,
        specificity=Specificity.DOMAIN,
        strength=STRENGTH_UNSCORED if about.answer.through_uniparc else STRENGTH_SITE,
    )
    return Reading(finding, best, evidence, is_claim=True)


def _unknown(finding: Finding, about: About, *, strength: str | None = None) -> Reading:
    """That it is a member; of what has no function that is known, or too many."""
    best = finding.best
    short, long = title(finding.entry, best.match)
    evidence = evidence_of(
        finding,
        best,
        about,
        claim=f"member of {short} ({long})" if long else f"member of {short}",
        subject=short,
        specificity=Specificity.CATEGORY,
        strength=strength or _strength(finding, whole=False),
    )
    return Reading(finding, best, evidence, is_claim=False)
